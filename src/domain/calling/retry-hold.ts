import type { LeadResult } from '../lead.ts';
import { DAY_MS, HOUR_MS } from '../time-units.ts';
import type { OffsetAt } from './local-days.ts';
import type { Hold } from './policy.ts';
import { RETRY_RESULTS, type RetryPolicy, type RetryResult } from './retry.ts';

/** An earlier attempt of a person that counts. */
export interface PastAttempt {
  /** When it began, epoch ms. */
  at: number;
  /** Null while it is not known. */
  result: LeadResult | null;
  /** Epoch ms; null while the call is open, or nobody knows when it ended. */
  endedAt: number | null;
  /** An operator has let the person be called again since: `attempts` does not count it. Default false. */
  isBeforeRetry?: boolean;
}

export function countedOf(past: readonly PastAttempt[]): readonly PastAttempt[] {
  return past.filter(({ isBeforeRetry }) => isBeforeRetry !== true);
}

/** What a claim knows about a person who was called before. */
export interface RetryPlace {
  /** Zones in which the person may be, see `Place`; where several are given, the strictest answer counts. */
  zones: readonly string[];
  offsetAt: OffsetAt;
  /** The date at a moment in the campaign's zone: `2026-12-31`. */
  dayOf: (at: number) => string;
  /** When the person asked to be called again, epoch ms: one attempt more, at any time of day. Default null. */
  callbackAt?: number | null;
  /** The last call was to a number that does not exist, so that the person's next one is called. Default: it was not. */
  isNextNumber?: () => boolean;
  /** The first moment from `from` on (epoch ms) at which hours are open; null: never. Default: always open. */
  nextOpen?: (from: number) => number | null;
}

/**
 * Why a person who was called before is not called again now, by the settings as they are now; null: they may be. The
 * claim asks this for every lead with earlier attempts. A hold without an end means that the lead should end.
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
    gapHold(retry, past, place, now),
    delayHold(retry, past, place, now),
    dayHold(retry, past, place, now),
  ];
  const [longest = null] = holds
    .filter((hold) => hold !== null)
    .toSorted((a, b) => (b.until ?? Infinity) - (a.until ?? Infinity));
  if (longest !== null || !retry.otherTimeOfDay || place.callbackAt != null) return longest;
  return partHold(retry, past, place, now);
}

/** Why a person is never called again, so that the lead ends; null: that is not so. */
function isRetryOver(
  retry: RetryPolicy | undefined,
  past: readonly PastAttempt[],
  { dayOf, callbackAt = null, isNextNumber = () => false }: RetryPlace,
  now: number,
): string | null {
  if (past.length === 0) return null;
  const { attempts = 1, lastDay = null } = retry ?? {};
  const { length: made } = countedOf(past);
  if (made >= attempts + (callbackAt === null ? 0 : 1)) {
    const times = made === 1 ? 'once' : `${made} times`;
    return `called ${times} already, and retry.attempts is ${attempts}`;
  }
  if (lastDay !== null && dayOf(now) > lastDay) return `the last day was ${lastDay}`;
  if (made === 0) return null;
  const result = retriedResult(past);
  const isRetried = result === undefined || retry?.after[result] !== undefined;
  if (isRetried || callbackAt !== null || isNextNumber()) return null;
  return `nobody is called again after ${result} any more`;
}

/** The result of the last attempt, if it is one that may be retried. */
function retriedResult(past: readonly PastAttempt[]): RetryResult | undefined {
  const { result } = lastOf(past);
  return RETRY_RESULTS.find((each) => each === result);
}

function lastOf(past: readonly PastAttempt[]): PastAttempt {
  return past.reduce((latest, each) => (each.at >= latest.at ? each : latest));
}

/** A person who asked to be called again has their own time. */
function gapHold(
  { gapMs }: RetryPolicy,
  past: readonly PastAttempt[],
  { callbackAt = null }: RetryPlace,
  now: number,
): Hold | null {
  if (callbackAt !== null) return null;
  const until = Math.max(...past.map(({ at }) => at)) + gapMs;
  return until > now ? { until, by: 'retry', why: 'sooner than retry.gap after the last' } : null;
}

/** A person who asked to be called again has their own time. */
function delayHold(
  { after, attempts }: RetryPolicy,
  past: readonly PastAttempt[],
  { callbackAt = null }: RetryPlace,
  now: number,
): Hold | null {
  const { endedAt } = lastOf(past);
  const result = retriedResult(past);
  const delayMs = result && after[result];
  if (callbackAt !== null || delayMs === undefined || endedAt === null) return null;
  const until = endedAt + delayMs;
  if (until <= now) return null;
  const why = `${result}: called again, attempt ${countedOf(past).length + 1} of ${attempts}`;
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

/** Parts of a person's day begin at these hours of the wall clock: night and morning, afternoon, evening. */
const PARTS_FROM = [0, 12 * HOUR_MS, 17 * HOUR_MS];
/** How far ahead an untried part of the day is searched for: hours repeat every week. */
const AHEAD_DAYS = 7;

interface Clocks {
  /** Zones in which the person may be. */
  zones: readonly string[];
  offsetAt: OffsetAt;
}

/**
 * The first moment from `now` on at which calls are allowed and which is, in every zone, in another part of the day
 * than all moments in `tried`. Null: hours allow no such part, or no zone is known. Times are epoch ms.
 * @param nextOpen the first moment from `from` on at which hours are open; null: never
 */
function nextUntriedPart(
  tried: readonly number[],
  { zones, offsetAt, nextOpen }: Clocks & { nextOpen: (from: number) => number | null },
  now: number,
): number | null {
  if (zones.length === 0) return null;
  const seen = zones.map((zone) => new Set(tried.map((at) => partAt(zone, offsetAt, at))));
  const bounds = boundsAfter(now, { zones, offsetAt });
  for (const [i, from] of bounds.slice(0, -1).entries()) {
    const isTried = zones.some((zone, z) => seen[z]?.has(partAt(zone, offsetAt, from)));
    if (isTried) continue;
    const open = nextOpen(from);
    if (open === null) return null;
    if (open < (bounds[i + 1] ?? from)) return open;
  }
  return null;
}

/**
 * The first moment of the next day in a zone; where the clocks are changed in between, perhaps an hour sooner, never
 * later. Always later than `now`.
 */
function nextDay(zone: string, offsetAt: OffsetAt, now: number): number {
  const midnight = (dayOf(zone, offsetAt, now) + 1) * DAY_MS;
  const at = atWallClock(zone, offsetAt, now, midnight);
  // A day that a zone leaves out at the date line: the offset of `now` gives a moment that is always later.
  return at > now ? at : midnight - offsetOf(zone, offsetAt, now);
}

/** `now`, and all moments of the next days at which a part of the day begins in one of the zones, ascending. */
function boundsAfter(now: number, { zones, offsetAt }: Clocks): number[] {
  const bounds = zones.flatMap((zone) => {
    const today = dayOf(zone, offsetAt, now);
    return Array.from({ length: AHEAD_DAYS + 1 }, (_, days) =>
      PARTS_FROM.map((from) => atWallClock(zone, offsetAt, now, (today + days) * DAY_MS + from)),
    ).flat();
  });
  const later = bounds.filter((at) => at > now);
  return [now, ...new Set(later.toSorted((a, b) => a - b))];
}

function atWallClock(zone: string, offsetAt: OffsetAt, now: number, wall: number): number {
  const at = wall - offsetOf(zone, offsetAt, now);
  return wall - offsetOf(zone, offsetAt, at);
}

function dayOf(zone: string, offsetAt: OffsetAt, at: number): number {
  return Math.floor((at + offsetOf(zone, offsetAt, at)) / DAY_MS);
}

function partAt(zone: string, offsetAt: OffsetAt, at: number): number {
  const wall = at + offsetOf(zone, offsetAt, at);
  const ofDay = wall - Math.floor(wall / DAY_MS) * DAY_MS;
  return PARTS_FROM.findLastIndex((from) => from <= ofDay);
}

/** The callers have made sure that the zone is known. */
function offsetOf(zone: string, offsetAt: OffsetAt, at: number): number {
  return offsetAt(zone, at) ?? 0;
}
