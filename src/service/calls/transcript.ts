import type { Turn, UnknownWord } from '../../domain/outcome.ts';
import { normalizeWord } from '../../text/fold-words.ts';
import { isSuccess } from '../http/exchange.ts';
import type { HttpClient } from '../http/http-client.ts';
import { causeOf } from '../http/http-errors.ts';
import { parseJson } from '../http/body.ts';
import type { PollResult } from '../port.ts';
import type { Profile } from '../profile/profile.ts';
import { asText, firstOf, inside, type Scopes } from '../profile/read-fields.ts';

type Rules = Profile['analytics']['transcript'];

export interface Transcript {
  text: string;
  /** Empty when there are none, or when a role is not known: who spoke is not guessed. */
  turns: Turn[];
  /** A speaker whom the profile does not know, and whom of the two it probably is. */
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

/** A line that begins with one or two words and a colon, such as the name of a speaker. */
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

/** A list, also as JSON in a text, there perhaps in an object. */
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
  const role = firstOf(scope, rules.role, asRole) ?? '';
  return [[role, text]];
}

function asRole(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : asText(value);
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
 * Reads the transcript that an answer gives by its address. The key goes to the service's own origin alone: another
 * address is told, and not read.
 *
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
