import type { LeadResult, ResultSource } from '../lead.ts';
import { DAY_MS, HOUR_MS } from '../time-units.ts';
import type { OffsetAt } from './calling-hours.ts';
import { nextDay, nextUntriedPart } from './day-parts.ts';
import type { Hold } from './policy.ts';

/** Results after which a person may be called again; all others end the lead. */
export const RETRY_RESULTS = ['no_answer', 'busy', 'voicemail', 'declined', 'failed'] as const;
export type RetryResult = (typeof RETRY_RESULTS)[number];

/** `retry` of the campaign file: whether and when a person is called again. */
export interface RetryPolicy {
  /** Attempts for each person in total, over all numbers, 1 to 20; default 1. */
  attempts: number;
  /** Attempts per calendar day of the person; null: no limit but the rules. */
  perDay: number | null;
  /** The least time between two attempts for one person, ms. */
  gapMs: number;
  /** Results that are retried, with the delay after each, ms, at least `gapMs` in effect. */
  after: Readonly<Partial<Record<RetryResult, number>>>;
  /** True: the next attempt is made at another time of the person's day than those before, while there is one. */
  otherTimeOfDay: boolean;
  /** The last day on which anybody is called again, in the campaign's zone: `2026-12-31`; null: none. */
  lastDay: string | null;
  /** After this many attempts to a number without an answer the person's next number is called; null: never. */
  alternatives: number | null;
}

/** An earlier attempt of a person that counts. */
export interface PastAttempt {
  /** When it began, epoch ms. */
  at: number;
  /** Null while it is not known. */
  result: LeadResult | null;
  /** Epoch ms; null while the call is open, or nobody knows when it ended. */
  endedAt: number | null;
}

/** What is known when a call has its result. Times are epoch ms. */
export interface EndedCall {
  result: LeadResult;
  source: ResultSource;
  /** True when the profile says that results which were derived may be retried. */
  retryDerived: boolean;
  /** Attempts of the person, over all numbers, after which a phone rang or may have rung; this one included. */
  rung: number;
  /** How many of them went to this number and were not answered, see `UNANSWERED`. */
  unanswered: number;
  /** Numbers of the person that come after this one and may be dialled. */
  furtherNumbers: number;
  beganAt: number;
  endedAt: number;
  /** When the person asked in this call to be called again; null: they did not. */
  callbackAt: number | null;
  /** The date at a moment in the campaign's zone: `2026-12-31`. */
  dayOf: (at: number) => string;
}

/** What becomes of the lead: it ends, or waits for a call to the same number, or to its next one, at `notBefore`. */
export type AfterCall =
  | { kind: 'done' }
  | { kind: 'again' | 'callback' | 'other_number'; notBefore: number; why: string };

/** Results of a number that count for `alternatives`; a person who declined was reached there. */
export const UNANSWERED: readonly LeadResult[] = ['no_answer', 'busy', 'voicemail', 'failed'];

/**
 * Decides whether a person is called again after a call that has its result. Without `retry` everybody is called once.
 *
 * - A person who spoke is called again only if they asked for it, once beyond `attempts`, and not after `lastDay`.
 * - After `invalid_number`, which rang nobody, the next number is called at once, with or without `retry`.
 * - Any other result is retried only if `after` names it; a derived one only if the profile allows that.
 */
export function afterCall(retry: RetryPolicy | undefined, call: EndedCall): AfterCall {
  const { result, rung, endedAt, callbackAt } = call;
  const attempts = retry?.attempts ?? 1;
  if (result === 'answered' && callbackAt !== null) {
    if (rung > attempts) return DONE;
    const notBefore = Math.max(callbackAt, endedAt, call.beganAt + (retry?.gapMs ?? 0));
    return until(retry, call, { kind: 'callback', notBefore, why: 'asked to be called again' });
  }
  if (rung >= attempts) return DONE;
  if (result === 'invalid_number') {
    if (call.furtherNumbers === 0) return DONE;
    const why = 'the number does not exist: the next number is called';
    return until(retry, call, { kind: 'other_number', notBefore: endedAt, why });
  }
  const delayMs = retry === undefined || !isRetried(call) ? undefined : retry.after[call.result];
  if (retry === undefined || delayMs === undefined) return DONE;
  const notBefore = Math.max(endedAt + delayMs, call.beganAt + retry.gapMs);
  const { alternatives } = retry;
  const isGivenUp = alternatives !== null && call.unanswered >= alternatives;
  const kind = isGivenUp && call.furtherNumbers > 0 ? 'other_number' : 'again';
  const next = kind === 'again' ? 'called again' : 'the next number is called';
  const why = `${result}: ${next}, attempt ${rung + 1} of ${attempts}`;
  return until(retry, call, { kind, notBefore, why });
}

const DONE: AfterCall = { kind: 'done' };

function isRetried(call: EndedCall): call is EndedCall & { result: RetryResult } {
  if (call.source === 'derived' && !call.retryDerived) return false;
  return RETRY_RESULTS.some((result) => result === call.result);
}

function until(
  retry: RetryPolicy | undefined,
  { dayOf }: EndedCall,
  next: Exclude<AfterCall, { kind: 'done' }>,
): AfterCall {
  const lastDay = retry?.lastDay ?? null;
  return lastDay !== null && dayOf(next.notBefore) > lastDay ? DONE : next;
}

/** What a claim knows of a person who was called before. */
export interface RetryPlace {
  /** Zones in which the person may be, see `Place`; where several are given, the strictest answer counts. */
  zones: readonly string[];
  offsetAt: OffsetAt;
  /** The date at a moment in the campaign's zone: `2026-12-31`. */
  dayOf: (at: number) => string;
  /** When the person asked to be called again, epoch ms: one attempt more, at any time of day. Default null. */
  callbackAt?: number | null;
  /** The first moment from `from` on (epoch ms) at which hours are open; null: never. Default: always open. */
  nextOpen?: (from: number) => number | null;
}

/**
 * Why a person who was called before is not called again now, by the settings as they are now; null: they may be. To be
 * asked in the claim for every lead with earlier attempts. A hold without an end means that the lead should end, see
 * `isRetryOver`.
 *
 * @param past attempts after which a phone rang or may have rung, in any order, over all numbers of the lead
 * @param now epoch ms
 */
export function retryHold(
  retry: RetryPolicy | undefined,
  past: readonly PastAttempt[],
  place: RetryPlace,
  now: number,
): Hold | null {
  const over = isRetryOver(retry, past, place, now);
  if (over !== null) return { until: null, by: 'retry', why: over };
  if (retry === undefined || past.length === 0) return null;
  const holds = [
    gapHold(retry, past, now),
    delayHold(retry, past, place, now),
    dayHold(retry, past, place, now),
  ];
  const [longest = null] = holds
    .filter((hold) => hold !== null)
    .toSorted((a, b) => (b.until ?? Infinity) - (a.until ?? Infinity));
  if (longest !== null || !retry.otherTimeOfDay || place.callbackAt != null) return longest;
  return partHold(retry, past, place, now);
}

/** Why a person is never called again, by the settings as they are now: the lead ends. Null: that is not so. */
function isRetryOver(
  retry: RetryPolicy | undefined,
  past: readonly PastAttempt[],
  { dayOf, callbackAt = null }: Pick<RetryPlace, 'dayOf' | 'callbackAt'>,
  now: number,
): string | null {
  if (past.length === 0) return null;
  const { attempts = 1, lastDay = null } = retry ?? {};
  if (past.length >= attempts + (callbackAt === null ? 0 : 1)) {
    const times = past.length === 1 ? 'once' : `${past.length} times`;
    return `called ${times} already, and retry.attempts is ${attempts}`;
  }
  return lastDay !== null && dayOf(now) > lastDay ? `the last day was ${lastDay}` : null;
}

function gapHold({ gapMs }: RetryPolicy, past: readonly PastAttempt[], now: number): Hold | null {
  const until = Math.max(...past.map(({ at }) => at)) + gapMs;
  return until > now ? { until, by: 'retry', why: 'sooner than retry.gap after the last' } : null;
}

/** The delay after the last attempt, as it is now: a person who asked to be called again has their own time. */
function delayHold(
  { after, attempts }: RetryPolicy,
  past: readonly PastAttempt[],
  { callbackAt = null }: RetryPlace,
  now: number,
): Hold | null {
  const last = past.reduce((latest, each) => (each.at >= latest.at ? each : latest));
  const result = RETRY_RESULTS.find((each) => each === last.result);
  const delayMs = result && after[result];
  if (callbackAt !== null || delayMs === undefined || last.endedAt === null) return null;
  const until = last.endedAt + delayMs;
  if (until <= now) return null;
  const why = `${result}: called again, attempt ${past.length + 1} of ${attempts}`;
  return { until, by: 'retry', why };
}

/** Longer than any calendar day: the days of a person whose zone is not known, to the list or to this machine. */
const LONGEST_DAY_MS = DAY_MS + HOUR_MS;

function dayHold(
  { perDay }: RetryPolicy,
  past: readonly PastAttempt[],
  { zones, offsetAt }: RetryPlace,
  now: number,
): Hold | null {
  if (perDay === null) return null;
  const clockless = zones.filter((zone) => offsetAt(zone, now) === undefined);
  const ends = zones.map((zone) => {
    const offset = offsetAt(zone, now);
    if (offset === undefined) return -Infinity;
    const today = Math.floor((now + offset) / DAY_MS);
    const isToday = ({ at }: PastAttempt) =>
      Math.floor((at + (offsetAt(zone, at) ?? offset)) / DAY_MS) === today;
    return past.filter(isToday).length < perDay ? -Infinity : nextDay(zone, offsetAt, now);
  });
  const today = Math.max(...ends, -Infinity);
  const isGuessed = zones.length === 0 || clockless.length > 0;
  const guessed = isGuessed ? endOfLongestDay(past, perDay) : -Infinity;
  const until = Math.max(today, guessed);
  if (until <= now) return null;
  if (until === today)
    return { until, by: 'retry', why: `${timesText(perDay)} on this day, as retry.perDay allows` };
  return {
    until,
    by: 'retry',
    why: `${timesText(perDay)} within 25 hours, as retry.perDay allows where ${whyNoClock(clockless)}`,
  };
}

/** When fewer than `perDay` attempts were within the longest day: stricter than any calendar day there is. */
function endOfLongestDay(past: readonly PastAttempt[], perDay: number): number {
  const latestFirst = past.map(({ at }) => at).toSorted((a, b) => b - a);
  return (latestFirst[perDay - 1] ?? -Infinity) + LONGEST_DAY_MS;
}

function whyNoClock(clockless: readonly string[]): string {
  if (clockless.length === 0) return 'the time zone of the person is not known';
  return `this machine's time-zone data does not know ${clockless.join(', ')}`;
}

function timesText(count: number): string {
  return `called ${count === 1 ? 'once' : `${count} times`}`;
}

function partHold(
  { lastDay }: RetryPolicy,
  past: readonly PastAttempt[],
  { zones, offsetAt, dayOf, nextOpen = (from) => from }: RetryPlace,
  now: number,
): Hold | null {
  const clocks = zones.filter((zone) => offsetAt(zone, now) !== undefined);
  const tried = past.map(({ at }) => at);
  const until = nextUntriedPart(tried, { zones: clocks, offsetAt, nextOpen }, now);
  // A part of the day that comes only after the last day is none: the person is called at any time instead.
  if (until === null || until <= now || (lastDay !== null && dayOf(until) > lastDay)) return null;
  return { until, by: 'retry', why: 'called before at this time of day (retry.otherTimeOfDay)' };
}
