import type { Turn, UnknownWord } from '../../domain/lead.ts';
import { normalizeWord } from '../../text/fold-words.ts';
import { parseJson } from '../http/body.ts';
import { isSuccess } from '../http/exchange.ts';
import type { HttpClient } from '../http/http-client.ts';
import { causeOf } from '../http/http-errors.ts';
import type { PollResult } from '../port.ts';
import type { Profile } from '../profile/profile.ts';
import {
  asObject,
  asText,
  asTime,
  firstOf,
  inside,
  pathText,
  type Path,
  type Scopes,
} from '../profile/read-fields.ts';
import { parseDurationText } from './spoken.ts';

type Rules = Profile['analytics']['transcript'];

interface Transcript {
  text: string;
  /** Empty when there are none, or when a role is not known: who spoke is not guessed. */
  turns: Turn[];
  /** A speaker that the profile does not know, and which of the two it probably is. */
  stranger?: UnknownWord;
}

/** @returns null when a transcript is there but null, undefined when there is none */
export function readTranscript(scopes: Scopes, rules: Rules): Transcript | null | undefined {
  const fromTurns = firstOf(scopes, rules.turns, (value) => turnsOf(value, rules, scopes));
  if (fromTurns !== undefined && fromTurns !== null && fromTurns.text !== '') return fromTurns;
  const text = firstOf(scopes, rules.text, (value) =>
    asAddress(value) === undefined ? asText(value) : undefined,
  );
  return typeof text === 'string' ? ofText(text, rules) : (fromTurns ?? text);
}

/** The body that was read from a transcript's address: text, or JSON as in an answer; undefined: JSON without one. */
function readTranscriptBody(body: string, rules: Rules): Transcript | undefined {
  const json = parseJson(body);
  const found = turnsOf(json, rules, []) ?? readTranscript([json], rules) ?? undefined;
  return found ?? (typeof json === 'object' ? undefined : ofText(body, rules));
}

/** Text that is nothing but an address on the web. */
export function asAddress(value: unknown): string | undefined {
  const isAddress = typeof value === 'string' && /^\s*https?:\/\/\S+\s*$/.test(value);
  return isAddress && URL.canParse(value) ? value.trim() : undefined;
}

const LABELLED = /^([\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+)?) ?:(?: +|$)(.*)/su;

/**
 * A text whose first line begins with a role of the profile (`assistant: Hello`) is split into turns. A line without a
 * known role continues the turn before it, even if it begins with words and a colon (`Note: call me`). If only the
 * agent seems to speak and such a line could belong to a speaker whom the profile does not name, the text is not split:
 * who spoke is not guessed.
 */
function ofText(text: string, rules: Rules): Transcript {
  const parts: { speaker: Turn['speaker'] | 'nobody'; text: string }[] = [];
  let strangeRole: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const words = line.trim();
    const [, role, said = ''] = LABELLED.exec(words) ?? [];
    const isHidden = role !== undefined && rules.hidden.has(normalizeWord(role));
    const speaker = role === undefined ? undefined : isHidden ? 'nobody' : speakerOf(role, rules);
    const last = parts.at(-1);
    if (speaker !== undefined) parts.push({ speaker, text: said.trim() });
    else if (last !== undefined) {
      strangeRole ??= role;
      if (words !== '') last.text += last.text === '' ? words : `\n${words}`;
    } else if (words !== '') {
      // One line that begins with a word and a colon may be a sentence; two name their speakers.
      const isNamed = text.split('\n').filter((each) => LABELLED.test(each.trim())).length > 1;
      return { text, turns: [], ...strangerOf(isNamed ? role : undefined, []) };
    }
  }
  const isPersonThere = parts.some(({ speaker }) => speaker === 'person');
  if (parts.length === 0 || (strangeRole !== undefined && !isPersonThere))
    return { text, turns: [], ...strangerOf(strangeRole, parts) };
  const turns = parts.filter((part): part is Turn => part.speaker !== 'nobody');
  return { text: turns.map((turn) => `${turn.speaker}: ${turn.text}`).join('\n'), turns };
}

/** @param role of somebody whom the profile does not know; undefined: of nobody */
function strangerOf(
  role: string | undefined,
  known: readonly { speaker: string }[],
): Pick<Transcript, 'stranger'> {
  if (role === undefined || role.length > LONGEST_ROLE) return {};
  const as = known.some(({ speaker }) => speaker === 'agent') ? 'person' : 'agent';
  return { stranger: { of: 'speaker', word: role, as } };
}
const LONGEST_ROLE = 60;

function turnsOf(given: unknown, rules: Rules, scopes: Scopes): Transcript | undefined {
  const value = listIn(given);
  if (value === undefined) return undefined;
  const isLines = value.every((item) => typeof item === 'string');
  if (isLines) return ofText(value.join('\n'), rules);
  const turns: Turn[] = [];
  const lines: string[] = [];
  let isKnown = true;
  let strangeRole: string | undefined;
  let wasSomethingHidden = false;
  for (const [role, text] of value.flatMap((item) => partsOf(item, rules, scopes))) {
    if (rules.hidden.has(normalizeWord(role))) {
      wasSomethingHidden = true;
      continue;
    }
    if (text === undefined) continue;
    const speaker = speakerOf(role, rules);
    isKnown &&= speaker !== undefined;
    if (speaker === undefined && role !== '') strangeRole ??= role;
    turns.push({ speaker: speaker ?? 'other', text });
    lines.push(role === '' ? text : `${speaker ?? role}: ${text}`);
  }
  // If every turn is hidden, this is a conversation in which nobody spoke; items without words are not a conversation.
  if (value.length > 0 && turns.length === 0 && !wasSomethingHidden) return undefined;
  const stranger = strangerOf(strangeRole, turns);
  return { text: lines.join('\n'), turns: isKnown ? turns : [], ...stranger };
}

/** A list, also as JSON text, or inside an object in such text. */
function listIn(given: unknown): unknown[] | undefined {
  const isJson = typeof given === 'string' && /^\s*[[{]/.test(given);
  const value = isJson ? parseJson(given) : given;
  if (Array.isArray(value)) return value as unknown[];
  if (!isJson || typeof value !== 'object' || value === null) return undefined;
  return Object.values(value).find((each): each is unknown[] => Array.isArray(each));
}

/** What an item of a list says: `{ role, text }`, or in pairs, `['agent', 'Hello']`, `{ agent: 'Hello', user: 'Hi' }`. */
function partsOf(
  item: unknown,
  rules: Rules,
  scopes: Scopes,
): [role: string, text: string | undefined][] {
  const isRole = (word: unknown) =>
    typeof word === 'string' &&
    (rules.hidden.has(normalizeWord(word)) || speakerOf(word, rules) !== undefined);
  if (Array.isArray(item)) {
    const [role, text] = item as unknown[];
    return item.length === 2 && isRole(role) ? [[String(role), asSaid(text)]] : [];
  }
  if (typeof item === 'string') return [['', item]];
  const scope = inside(item, scopes);
  const text = firstOf(scope, rules.say, asSaid) ?? undefined;
  const pairs = Object.entries(item ?? {}).filter(([name, said]) => isRole(name) && asText(said));
  if (text === undefined && pairs.length > 0)
    return pairs.map(([role, said]) => [role, String(said)]);
  const asRole = (word: unknown) => (typeof word === 'number' ? String(word) : asText(word));
  const role = firstOf(scope, rules.role, asRole) ?? '';
  return [[role, text]];
}

/** A text, or the texts of its parts: `[{ type: 'text', text: 'Hello' }]`. */
function asSaid(value: unknown): string | undefined {
  if (!Array.isArray(value)) return asText(value);
  const texts = value.map((part: unknown) =>
    typeof part === 'string' ? part : firstOf([part], PART_TEXT, asText),
  );
  const said = texts.filter((text) => typeof text === 'string');
  return said.length === 0 ? undefined : said.join(' ');
}
const PART_TEXT = [['text'], ['content'], ['value']];

function speakerOf(role: string, rules: Rules): Turn['speaker'] | undefined {
  const word = normalizeWord(role);
  if (rules.agent.has(word)) return 'agent';
  if (rules.person.has(word)) return 'person';
  return rules.other.has(word) ? 'other' : undefined;
}

/** Statuses that say that this address will never give a transcript. */
const NEVER = new Set([400, 401, 403, 410]);

/**
 * Reads the transcript from the address that an answer gives, only at the service's own origin: the key must not go
 * elsewhere.
 * @returns any other result as it is; with `transcriptAt`, the transcript is not there yet
 */
export async function withTranscript(
  polled: PollResult,
  context: { client: HttpClient; rules: Profile['analytics']; signal: AbortSignal | undefined },
): Promise<PollResult> {
  if (polled.kind !== 'settled' || polled.transcriptAt === undefined) return polled;
  const { client, rules, signal } = context;
  const { transcriptAt, ...rest } = polled;
  const { origin, pathname, search } = new URL(transcriptAt);
  const elsewhere = { of: 'elsewhere', word: origin + pathname } as const;
  const without = { ...rest, unknown: [...(polled.unknown ?? []), elsewhere] };
  if (origin !== client.origin) return without;
  let why: string;
  try {
    const { status, text } = await client.read('GET', pathname + search, null, signal);
    if (NEVER.has(status)) return without;
    const found = isSuccess(status) ? readTranscriptBody(text, rules.transcript) : undefined;
    if (found !== undefined) {
      const { text: transcript, turns } = found;
      return { ...rest, analytics: { ...rest.analytics, transcript, turns } };
    }
    if (status !== 429 && status < 500) return { ...without, transcriptAt };
    why = ` was answered with HTTP ${status}`;
  } catch (error) {
    why = `: ${causeOf(error)}`;
  }
  const detail = `GET ${origin}${pathname}${why}`;
  return { kind: 'failed', detail, retryAfterMs: null, keyRefused: false };
}

/** Fields of an answer that probably hold what the profile's candidates have not found. */

type Sought = 'length' | 'sentiment' | 'transcript' | 'end' | 'id' | 'type' | 'error';

type Line = Pick<UnknownWord, 'of' | 'as'>;
type Look = { name: RegExp; as: (value: unknown, name: string) => Line | null };

/** The name of a field, and what its value must be; `as` gives the profile's line for it. */
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

interface Found {
  transcript: Transcript | string | null | undefined;
  length: unknown;
  sentiment: unknown;
  end: unknown;
}

/** What an answer probably says and the profile does not read, each with its profile line. */
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
