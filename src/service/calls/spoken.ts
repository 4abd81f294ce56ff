import type { AskedCallback } from '../../domain/calling/retry.ts';
import { rounded } from '../../domain/money.ts';
import type { Analytics, SaidResult, Sentiment, UnknownWord } from '../../domain/lead.ts';
import type { CallNames } from '../../domain/same-call.ts';
import { normalizeWord } from '../../text/fold-words.ts';
import { isDecimal } from '../profile/expressions.ts';
import type { Profile } from '../profile/profile.ts';
import {
  asNumber,
  asObject,
  asText,
  asTime,
  firstOf,
  inside,
  readPath,
  unwrapped,
  type Scopes,
} from '../profile/read-fields.ts';

type Rules = Pick<Profile['analytics'], 'sentiment' | 'transcript'>;

/** @returns null when a sentiment field is there but empty, undefined when there is none */
export function readSentiment(scopes: Scopes, rules: Rules): Sentiment | null | undefined {
  const { at, scoreAt } = rules.sentiment;
  const sentiment = firstOf(scopes, at, (value) => sentimentOf(value, rules, scopes));
  if (typeof sentiment?.score === 'number') return sentiment;
  const score = firstOf(scopes, scoreAt, asScore);
  if (typeof score !== 'number') {
    return sentiment?.label === null ? null : sentiment;
  }
  return { label: sentiment?.label ?? null, score };
}

function sentimentOf(given: unknown, rules: Rules, scopes: Scopes): Sentiment | undefined {
  const value = unwrapped(given);
  if (Array.isArray(value)) return ofAll(value, rules, scopes);
  if (typeof value === 'object') {
    const scope = inside(value, scopes);
    const label = firstOf(scope, rules.sentiment.label, asLabel) ?? null;
    const score = firstOf(scope, rules.sentiment.score, asScore) ?? null;
    if (label === null && score === null) return ofParts(value ?? {}, rules, scopes);
    return { label: label === null ? null : renamed(label, rules), score };
  }
  const score = asScore(value) ?? null;
  if (score !== null) return { label: null, score };
  const text = asLabel(value);
  if (text === undefined) return undefined;
  const [, word = text, number] = WITH_SCORE.exec(text) ?? [];
  return { label: renamed(word, rules), score: asScore(number) ?? null };
}

/** A list of sentiments says one thing where those of the person, or those of nobody in particular, agree. */
function ofAll(list: readonly unknown[], rules: Rules, scopes: Scopes): Sentiment | undefined {
  const roleOf = (item: unknown) =>
    firstOf(inside(item, scopes), rules.transcript.role, asText) ?? '';
  const ofPerson = list.filter((item) => isPerson(roleOf(item), rules));
  const all = (ofPerson.length > 0 ? ofPerson : list).map((item) =>
    sentimentOf(item, rules, scopes),
  );
  const [first] = all;
  if (first?.label == null || all.some((each) => each?.label !== first.label)) return undefined;
  return all.length === 1 ? first : { label: first.label, score: null };
}

/** `{ agent: 'neutral', customer: 'positive' }`: the person's; `{ positive: 0.7, neutral: 0.3 }`: the largest share. */
function ofParts(object: object, rules: Rules, scopes: Scopes): Sentiment | undefined {
  const entries = Object.entries(object) as [string, unknown][];
  const [, ofPerson] = entries.find(([name]) => isPerson(name, rules)) ?? [];
  if (ofPerson !== undefined) return sentimentOf(ofPerson, rules, scopes);
  const shares = entries
    .map(([name, share]) => ({ name, share: asNumber(share) ?? NaN }))
    .toSorted((a, b) => b.share - a.share);
  const [most, next] = shares;
  const isShared = shares.every(({ name, share }) => MOOD.test(name) && share >= 0);
  if (!isShared || most === undefined || most.share === next?.share) return undefined;
  return { label: renamed(most.name.toLowerCase(), rules), score: null };
}
const MOOD = /^(very[ _-]?)?(positive|neutral|negative|mixed)$/i;

function isPerson(role: string, { transcript }: Rules): boolean {
  return transcript.person.has(normalizeWord(role));
}

/** The name that the profile gives the service's word; null for a word that means "no sentiment". */
function renamed(label: string, { sentiment: { words } }: Rules): string | null {
  const name = words.get(normalizeWord(label)) ?? label;
  return name === 'none' ? null : name;
}

/** A larger value is not a score but a time or an id. */
const LARGEST_SCORE = 1e6;

/**
 * A number, also as `4/10` or `80%`. Rounded: an expression of the profile may have computed the score, which leaves
 * binary fractions (0.1 + 0.2).
 */
function asScore(value: unknown): number | undefined {
  const [, part] =
    (typeof value === 'string' && /^\s*(-?[\d.]+) ?(?:\/ ?\d+|%)\s*$/.exec(value)) || [];
  const number = asNumber(part ?? value);
  return number === undefined || Math.abs(number) > LARGEST_SCORE ? undefined : rounded(number);
}

/** A word, not a number written as text, and not a whole conversation. */
function asLabel(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_LABEL) return undefined;
  const label = value.trim().toLowerCase();
  return label === '' || NO_WORD.test(label) ? undefined : label;
}
const LONGEST_LABEL = 200;
const NO_WORD = /^[+-]?(\d+(\.\d*)?(e[+-]?\d+)?|nan|inf|infinity)$/;
/** `positive (0.8)`, `positive: 0.8`. */
const WITH_SCORE = /^([a-z][a-z _-]{0,40}?) ?[(:] ?(-?\d+(?:\.\d+)?)\)?$/;

/** Texts that say that nobody has opted out, as `normalizeWord` spells them without marks at their ends. */
const NO_OPT_OUT = new Set(
  'false f no n 0 null none nil off undefined unknown n/a na not_requested not_asked not_opted_out no_opt_out not_dnc no_dnc opted_in opt_in not_applicable not_mentioned not_specified not_stated not_provided no_thanks'.split(
    ' ',
  ),
);

/**
 * As `asTrue`, for an opt-out. Of an object its `value` decides (`{ value: true, rationale: ... }`), else that one of
 * its fields is true and none is false; of a list, that it names calls (`['phone', 'email']`).
 */
export function asOptOut(value: unknown): true | undefined {
  const object = asObject(value);
  if (object !== undefined && 'value' in object) return asOptOut(object['value']);
  if (object !== undefined) {
    const said = Object.values(object);
    return (said.includes(true) && !said.includes(false)) || undefined;
  }
  if (Array.isArray(value))
    return (
      value.some((each) => each === true || /call|phone|voice|^all$/i.test(String(each))) ||
      undefined
    );
  if (typeof value !== 'string') return asTrue(value);
  const word = normalizeWord(value).replaceAll(/[,;!]/g, '').replace(/^_/, '').replace(/_$/, '');
  return word === '' || NO_OPT_OUT.has(word) ? undefined : asTrue(value);
}

/** Returns undefined for false, 0, null, empty text and the texts `false`, `no`, `0` and `null`; otherwise true. */
export function asTrue(value: unknown): true | undefined {
  const isUp =
    typeof value === 'string' ? !/^(false|no|0|null|)$/i.test(value.trim()) : Boolean(value);
  return isUp ? true : undefined;
}

/** Words with which a service says that nobody asked to be called again. */
const NOT_ASKED = /^(false|no|none|null|n\/a|0|)$/i;
const TIME =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
const LONGEST_SAID = 100;

/**
 * Reads the time at which a person asked to be called again: ISO 8601 with an offset, epoch seconds or ms, or a time
 * without a zone, which is one of the person's own clock. Anything else is kept as the service said it.
 * @returns undefined when the person did not ask
 */
export function readCallback(value: unknown): AskedCallback | undefined {
  if (value === false || value === 0) return undefined;
  const text = typeof value === 'string' ? value.trim() : JSON.stringify(value);
  if (NOT_ASKED.test(text)) return undefined;
  const said = text.slice(0, LONGEST_SAID);
  const [, day, time = '', zone] = TIME.exec(text) ?? [];
  if (day !== undefined && zone === undefined) return { said, wall: `${day}T${time}` };
  const at = day === undefined ? timeIn(value) : asTime(`${day}T${time}${offsetOf(zone)}`);
  return at === undefined ? { said } : { said, at };
}

function timeIn(value: unknown): number | undefined {
  return typeof value === 'number' || isDecimal(String(value)) ? asTime(value) : undefined;
}

/** `Z`, or an offset with a colon and minutes, as `Date.parse` needs it. */
function offsetOf(zone = ''): string {
  const [, hours, minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return hours === undefined ? 'Z' : `${hours}:${minutes}`;
}

/** A larger value is something else, such as a date. */
const LONGEST_MS = 7 * 86_400_000;
const UNIT_MS = { ms: 1, s: 1_000, auto: 1_000, min: 60_000 };
type Unit = Profile['analytics']['duration'][number][1];

interface Duration {
  ms: number;
  /** Seconds by the profile's guess (`auto`): see `likelyLength`. */
  isGuess?: true;
}

/** @returns null when a duration field is there but empty, undefined when there is none */
export function readDuration(
  scopes: Scopes,
  { duration }: Pick<Profile['analytics'], 'duration'>,
): Duration | null | undefined {
  let nothing: null | undefined;
  for (const [path, unit] of duration) {
    for (const scope of scopes) {
      const value = readPath(scope, path);
      if (value === undefined) continue;
      const ms = durationMs(value, unit);
      if (ms !== undefined && ms >= 0 && ms <= LONGEST_MS) {
        scopes.onFound?.(path, value);
        const isGuess = unit === 'auto' && ms !== durationMs(value, 'ms');
        return { ms: Math.round(ms), ...(isGuess && { isGuess }) };
      }
      if (value === null || value === '') nothing = null;
    }
  }
  return nothing;
}

/** Ms from start to end, for services that give no length; null: one of them is missing. */
export function readTimes(
  scopes: Scopes,
  { startedAt, endedAt }: Pick<Profile['analytics'], 'startedAt' | 'endedAt'>,
): number | null {
  const [from, to] = [startedAt, endedAt].map((at) => firstOf(scopes, at, asTime));
  if (typeof from !== 'number' || typeof to !== 'number') return null;
  return to >= from && to - from <= LONGEST_MS ? to - from : null;
}

function durationMs(given: unknown, unit: Unit): number | undefined {
  const value: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
  const number = unit === 'text' ? undefined : asNumber(value);
  if (number !== undefined && unit !== 'text') return number * UNIT_MS[unit];
  if (typeof value === 'string') return parseDurationText(value);
  const object = asObject(value);
  if (object === undefined) return undefined;
  const { value: amount = object['amount'], unit: of = object['units'] } = object;
  if (amount === undefined) return partsMs(object);
  return typeof of === 'string'
    ? parseDurationText(`${asNumber(amount) ?? ''} ${of}`)
    : durationMs(asNumber(amount), unit);
}

/** `{ minutes: 1, seconds: 23 }` is a sum; of `{ seconds: 83, ms: 83000 }` each is the whole length. */
function partsMs(object: object): number | undefined {
  const parts = Object.entries(object)
    .map(
      ([name, value]) => parseDurationText(`${asNumber(value) ?? ''} ${normalizeWord(name)}`) ?? -1,
    )
    .filter((ms) => ms >= 0)
    .toSorted((a, b) => b - a);
  const [longest, next = 0] = parts;
  if (longest === undefined || longest - next < 1_000) return longest;
  return parts.reduce((sum, ms) => sum + ms);
}

const CLOCK = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2}(?:\.\d{1,9})?)$/;
const UNITS = new RegExp(
  ['h(?:(?:ou)?rs?)?', 'm(?:in(?:ute)?s?)?', 's(?:ec(?:ond)?s?)?', '(?:ms|millis(?:econds?)?)']
    .map((unit) => `(?:(\\d{1,9}(?:\\.\\d{1,9})?) ?${unit})?`)
    .join(' ?')
    .replace(/^/, '^(?:P(?:0D)?T)?')
    .concat('$'),
  'i',
);

/**
 * A duration as services write it: `00:01:23`, `1:23`, `PT1M23S` (ISO 8601), `1h 2m 3s`, `83000 ms` or seconds as text.
 * @returns ms, or undefined for anything else
 */
export function parseDurationText(text: string): number | undefined {
  const trimmed = text
    .slice(0, 100)
    .trim()
    .replaceAll(/(,| and) +/g, ' ');
  const clock = CLOCK.exec(trimmed);
  if (clock !== null) return total(clock[1], clock[2], clock[3]);
  const [, ...parts] = UNITS.exec(trimmed) ?? [];
  if (parts.join('') !== '') return total(...parts);
  return /^\d{1,9}(\.\d{1,9})?$/.test(trimmed) ? Number(trimmed) * 1_000 : undefined;
}

function total(hours = '0', minutes = '0', seconds = '0', ms = '0'): number {
  return (
    Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000 + Number(ms)
  );
}

/**
 * What the service says about a call, in an answer, a list or a webhook. `names`: which call the service means, if it
 * says so. Part of the interface in `port.ts`.
 */
export type FoundCall = { names?: CallNames } & FoundFacts;

type FoundFacts =
  /**
   * Not completed yet. `notBegun`: the service's word for a call that it has not begun, and when the call will begin
   * (`startsAt`, epoch ms; null: the service does not say). `unknown`: a status word that the profile does not know.
   */
  | {
      kind: 'pending';
      notBegun?: { word: string; startsAt: number | null };
      unknown?: readonly UnknownWord[];
    }
  /** The call has ended, but its analytics are not complete yet. */
  | { kind: 'ended' }
  /**
   * `result` is what the profile's outcome table makes of the service's word `said`; null: no result. `unknown`: the
   * profile does not know that word, or does not read such a field. `callback`: the person asked to be called again.
   * `retryDerived`: the profile lets derived results be retried. `isGuess`: the length may be in ms, see
   * `likelyLength`. `isUnproved`: nothing says that the call is over. `transcriptAt`: the address of a transcript that
   * the answer does not hold.
   */
  | {
      kind: 'settled';
      analytics: Analytics;
      result: SaidResult | null;
      said?: string;
      unknown?: readonly UnknownWord[];
      isGuess?: true;
      isUnproved?: true;
      transcriptAt?: string;
      callback?: AskedCallback;
      retryDerived?: true;
    };
