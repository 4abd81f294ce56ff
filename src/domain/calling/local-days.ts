import { DAY_MS, MINUTE_MS } from '../time-units.ts';
import { WEEKDAYS, type DayWindows, type Weekday } from './policy.ts';

/** The offset of a zone from UTC at a moment (epoch ms), ms, positive in the east; undefined: the zone is not known. */
export type OffsetAt = (zone: string, at: number) => number | undefined;

/** A span of time `[from, to)`, epoch ms. */
export type Interval = readonly [from: number, to: number];

/** Intervals in ascending order, those that touch or overlap made one. */
export function joined(intervals: readonly Interval[]): Interval[] {
  const all: [number, number][] = [];
  for (const [from, to] of intervals.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/** What lies in both; each list is ascending and without overlaps. */
export function intersection(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  const both: Interval[] = [];
  for (let i = 0, j = 0; ;) {
    const [one, other] = [a[i], b[j]];
    if (one === undefined || other === undefined) return both;
    const from = Math.max(one[0], other[0]);
    const to = Math.min(one[1], other[1]);
    if (from < to) both.push([from, to]);
    if (one[1] < other[1]) i += 1;
    else j += 1;
  }
}

/** A day of the calendar as the number of days since 1970-01-01. */
export type LocalDay = number;

/** The day that a clock in the zone shows at a moment; undefined: the zone is not known. */
export function dayIn(zone: string, at: number, offsetAt: OffsetAt): LocalDay | undefined {
  const offset = offsetAt(zone, at);
  return offset === undefined ? undefined : Math.floor((at + offset) / DAY_MS);
}

/** `2026-01-05`. */
export function dateOf(day: LocalDay): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function weekdayOf(day: LocalDay): Weekday {
  // Day 0, 1970-01-01, was a Thursday.
  return WEEKDAYS[(((day + 3) % 7) + 7) % 7] ?? 'mon';
}

/** The windows of one day as times on the wall, written as epoch ms as if the wall were in UTC. */
export function wallWindows(day: LocalDay, windows: DayWindows): Interval[] {
  return windows.map(([from, to]) => [
    day * DAY_MS + from * MINUTE_MS,
    day * DAY_MS + to * MINUTE_MS,
  ]);
}

/**
 * When a window on the wall is open in a zone. Where clocks are changed, the safe side counts: a window opens at the
 * later and closes at the earlier of the moments that its time may mean. Windows that touch have to be joined before:
 * what goes on over midnight neither closes nor opens there, even where the clocks are changed at midnight.
 */
export function openOn([from, to]: Interval, zone: string, offsetAt: OffsetAt): Interval[] {
  const opens = momentsOf(from, zone, offsetAt)?.later;
  const closes = momentsOf(to, zone, offsetAt)?.earlier;
  const isOpen = opens !== undefined && closes !== undefined && opens < closes;
  return isOpen ? [[opens, closes]] : [];
}

/**
 * The first and the last moment that a time on the wall may mean: they differ where the clock shows the time twice, or
 * skips it; then by the offset before the change and the one after it, as Temporal's `earlier` and `later` do. Where
 * the clock is changed more than once within two days, no moment before the first or after the last shows that time.
 * @param wall the time on the wall, as epoch ms if the wall were in UTC
 */
export function momentsOf(
  wall: number,
  zone: string,
  offsetAt: OffsetAt,
): { earlier: number; later: number } | undefined {
  const offsets = offsetsAround(wall, zone, offsetAt);
  if (offsets === undefined) return undefined;
  const all = offsets.map((offset) => wall - offset);
  const [first = wall, second] = all;
  if (second === undefined) return { earlier: first, later: first };
  const shown = all.filter((at) => at + (offsetAt(zone, at) ?? 0) === wall);
  const isSafe = all.length === 2 && shown.length > 0;
  const found = isSafe ? shown : all;
  return { earlier: Math.min(...found), later: Math.max(...found) };
}

/** Clocks are changed at full quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
/**
 * Clocks change by three hours at most and for half an hour at least: these moments show a change that is soon taken
 * back.
 */
const NEARBY_MS = Array.from({ length: 13 }, (_, n) => (n - 6) * 2 * QUARTER_MS);

/** The offsets of a zone around a time on its wall, in order; undefined: the zone is not known. */
function offsetsAround(wall: number, zone: string, offsetAt: OffsetAt): number[] | undefined {
  const offset = offsetAt(zone, wall - DAY_MS);
  if (offset === undefined) return undefined;
  const isTheSame = (moment: number) => offsetAt(zone, moment) === offset;
  const at = wall - offset;
  if (isTheSame(wall + DAY_MS) && NEARBY_MS.every((ms) => isTheSame(at + ms))) return [offset];
  const offsets = [offset];
  for (let moment = wall - DAY_MS; moment <= wall + DAY_MS; moment += QUARTER_MS) {
    const next = offsetAt(zone, moment) ?? offset;
    if (next !== offsets.at(-1)) offsets.push(next);
  }
  return offsets;
}
