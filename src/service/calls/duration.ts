import type { AskedCallback } from '../../domain/calling/callback.ts';
import type { Analytics, SaidResult, UnknownWord } from '../../domain/outcome.ts';
import type { CallNames } from '../../domain/same-call.ts';
import { normalizeWord } from '../../text/fold-words.ts';
import type { Profile } from '../profile/profile.ts';
import {
  asNumber,
  asObject,
  asTime,
  firstOf,
  readPath,
  type Scopes,
} from '../profile/read-fields.ts';

/** A larger value is not the length of a call but something else, such as a date. */
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

/** The time from start to end, ms, for services that give no length; null: one of them is missing. */
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
 *
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
   * `likelyLength`. `isUnproved`: nothing says that the call is over. `transcriptAt`: the address of a transcript
   * that the answer does not hold.
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
