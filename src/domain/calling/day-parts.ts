import { DAY_MS, HOUR_MS } from '../time-units.ts';
import type { OffsetAt } from './calling-hours.ts';

/** Parts of a person's day begin at these hours of the wall clock: night and morning, afternoon, evening. */
const PARTS_FROM = [0, 12 * HOUR_MS, 17 * HOUR_MS];
/** How far ahead a part of the day is looked for that was not tried: hours repeat every week. */
const AHEAD_DAYS = 7;

interface Clocks {
  /** Zones in which the person may be. */
  zones: readonly string[];
  offsetAt: OffsetAt;
}

/**
 * The first moment from `now` on at which calls are allowed and which is, in every zone, in another part of the day than
 * all moments in `tried`. Null: hours allow no such part, or no zone is known. Times are epoch ms.
 *
 * @param nextOpen the first moment from `from` on at which hours are open; null: never
 */
export function nextUntriedPart(
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
export function nextDay(zone: string, offsetAt: OffsetAt, now: number): number {
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
