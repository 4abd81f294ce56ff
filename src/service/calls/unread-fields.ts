import type { UnknownWord } from '../../domain/outcome.ts';
import type { Profile } from '../profile/profile.ts';
import { asObject, asTime, firstOf, pathText } from '../profile/read-fields.ts';
import type { Path, Scopes } from '../profile/read-fields.ts';
import { normalizeWord } from '../../text/fold-words.ts';
import { parseDurationText } from './duration.ts';
import type { Transcript } from './transcript.ts';

/** Fields of an answer that probably hold what the profile's candidates have not found. */

type Sought = 'length' | 'sentiment' | 'transcript' | 'end' | 'id' | 'type' | 'error';

type Line = Pick<UnknownWord, 'of' | 'as'>;
type Look = { name: RegExp; as: (value: unknown, name: string) => Line | null };

/** What a field is called, and what its value has to be; the result is what the line of the profile says of it. */
const LOOKS: Record<Sought, Look> = {
  length: {
    name: /dur|len(gth)?$|secs?$|seconds?$|min(ute)?s$|elapsed|(talk|air|run|handle)_?time|billed|millis|_ms$/,
    as: (value, name) => {
      const isText = typeof value === 'string' && parseDurationText(value) !== undefined;
      const isLength = isText || (typeof value === 'number' && value > 0);
      if (!isLength || /delay|wait|latency|timeout|ring/.test(name)) return null;
      const unit = /milli|(^|_)ms$/.test(name) ? 'ms' : /min/.test(name) ? 'min' : 'auto';
      return { of: 'duration', as: isText && isNaN(Number(value)) ? 'text' : unit };
    },
  },
  sentiment: {
    name: /sentiment|mood|emotion|tone$|feeling|satisfaction|attitude|polarity/,
    as: (value) => (value === '' || typeof value === 'boolean' ? null : { of: 'sentiment' }),
  },
  transcript: {
    name: /transcri|conversation|dialog|messages|utterance|turns|chat|script|speech|lines$/,
    as: (value) => {
      if (Array.isArray(value)) return value.length > 0 ? { of: 'turns' } : null;
      if (typeof value !== 'string' || !/\s/.test(value.trim()))
        return /^https?:/.test(String(value)) ? { of: 'address' } : null;
      return { of: /^\s*[[{]/.test(value) ? 'turns' : 'transcript' };
    },
  },
  end: {
    name: /end|finish|complet|hang|hung|clos|done|over$|phase|stage|stat/,
    as: (value) => {
      if (typeof value === 'boolean') return { of: 'flag' };
      if (typeof value === 'string' && STATES.test(normalizeWord(value))) return { of: 'state' };
      return asTime(value) === undefined ? null : { of: 'end' };
    },
  },
  id: texts(/id$|sid$|ref(erence)?$|uuid|guid|key$|handle|call$/, /^\S{2,200}$/, 'callId'),
  error: texts(/code|error|reason|message|detail|title|status/, /^[\w .,'-]{2,60}$/, 'errorAt'),
  type: texts(/event|type|topic|kind|name|action|trigger|hook/, /^[a-z][\w.:-]{2,60}$/i, 'type'),
};

const STATES =
  /^(complete[d]?|ended?|done|finish(ed)?|analy[sz]ed|over|closed|terminated|in_progress|ongoing|active|ringing|running|answered|no_answer|busy|failed|disconnected|processing|queued)$/;

function texts(name: RegExp, like: RegExp, of: Line['of']): Look {
  const isText = (value: unknown) => typeof value === 'string' || Number.isSafeInteger(value);
  const as = (value: unknown) =>
    isText(value) && like.test(String(value)) ? { of, as: String(value) } : null;
  return { name, as };
}

/** How deep fields are looked for, and how many are looked at. */
const DEEPEST = 3;
const MOST_FIELDS = 300;

/**
 * The first field that looks like what is sought, with the line of a profile that would read it.
 *
 * @param known the profile's candidates: any other field comes before one that was found and could not be read
 * @returns one item, or none
 */
export function unreadField(scopes: Scopes, sought: Sought, known: readonly Path[]): UnknownWord[] {
  const texts = new Set(known.map(pathText));
  const { name: isNamed, as } = LOOKS[sought];
  const seen = fieldsOf(scopes).flatMap(({ path, value }) => {
    const name = normalizeWord(path.at(-1) ?? '');
    const line = isNamed.test(name) && value !== null ? as(value, name) : null;
    return line === null ? [] : [{ ...line, word: pathText(path) }];
  });
  const found = seen.find(({ word }) => !texts.has(word)) ?? seen[0];
  return found === undefined ? [] : [found];
}

/** The fields of the scopes, the outer ones first, by the paths under which a profile would find them. */
function fieldsOf(scopes: Scopes): { path: string[]; value: unknown }[] {
  const fields = scopes.map((value) => ({ path: [] as string[], value: value }));
  // The list grows while it is walked through.
  for (const { path, value } of fields) {
    if (path.length >= DEEPEST || fields.length > MOST_FIELDS) continue;
    for (const [key, item] of Object.entries(asObject(value) ?? {}))
      fields.push({ path: [...path, key], value: item });
  }
  return fields.filter(({ path }) => path.length > 0);
}

/** What was found of an answer; undefined: nothing. */
interface Found {
  transcript: Transcript | string | null | undefined;
  length: unknown;
  sentiment: unknown;
  end: unknown;
}

/** What an answer probably says besides what was found, each with its line. */
export function unreadOf(scopes: Scopes, rules: Profile['analytics'], found: Found): UnknownWord[] {
  const { text, turns, url } = rules.transcript;
  const durations = rules.duration.map(([path]) => path);
  const { transcript } = found;
  const stranger = typeof transcript === 'object' ? transcript?.stranger : undefined;
  const inTurns = transcript === undefined ? unreadTurn(scopes, turns) : [];
  const look = (sought: keyof Found, known: readonly Path[]) =>
    found[sought] === undefined ? unreadField(scopes, sought, known) : [];
  const end = look('end', [...rules.status.at, ...rules.endedAt]);
  return [
    ...(stranger === undefined ? [] : [stranger]),
    ...(inTurns.length > 0 ? inTurns : look('transcript', [...text, ...turns, ...url])),
    ...look('length', durations),
    ...look('sentiment', rules.sentiment.at),
    ...(found.end === undefined && end.length === 0 ? [NO_END] : end),
  ];
}
const NO_END: UnknownWord = { of: 'no_end', word: '' };

/** The names in a turn under which a profile would find what is said, and by whom: `{ who: 'bot', words: 'Hello' }`. */
function unreadTurn(scopes: Scopes, turns: readonly Path[]): UnknownWord[] {
  const list = firstOf(scopes, turns, (value) => (Array.isArray(value) ? value : undefined));
  const [says, ...others] = Object.entries(asObject(list?.[0]) ?? {})
    .filter(([, value]) => typeof value === 'string' && isNaN(Date.parse(value)))
    .toSorted(([, a], [, b]) => String(b).length - String(a).length)
    .map(([name]) => name);
  const speaks = others.at(-1);
  if (says === undefined) return [];
  const say = { of: 'say', word: says } as const;
  return speaks === undefined ? [say] : [say, { of: 'role', word: speaks }];
}
