import type { HoursAt } from '../calling/calling-hours.ts';
import type { Interval } from '../calling/intervals.ts';
import type { NamedLimits } from '../calling/limits.ts';
import type { RetryPlace } from '../calling/retry-hold.ts';

/** What decides when people at one place may be called. */
export interface Place extends Pick<RetryPlace, 'zones' | 'offsetAt'> {
  caps: readonly NamedLimits[];
  /** The first moment from `from` on at which hours are open, epoch ms; Infinity: never. */
  nextOpen: (from: number) => number;
}

/** What the claim knows of places, by `zoneKey`. */
export interface Planner {
  hoursAt: (zoneKey: string, at: number) => HoursAt;
  capsAt: (zoneKey: string) => { limits: NamedLimits[] } | null;
  clocksAt: (zoneKey: string) => Pick<RetryPlace, 'zones' | 'offsetAt'>;
}

/** Asks about each place once, for all plays. @param startAt no earlier moment is asked for, epoch ms */
export function placesOf(planner: Planner, startAt: number): (zoneKey: string) => Place {
  const known = new Map<string, Place>();
  return (zoneKey) => {
    const found = known.get(zoneKey);
    if (found !== undefined) return found;
    const place = {
      ...planner.clocksAt(zoneKey),
      caps: planner.capsAt(zoneKey)?.limits ?? [],
      nextOpen: openingsFrom((at) => planner.hoursAt(zoneKey, at), startAt),
    };
    known.set(zoneKey, place);
    return place;
  };
}

function openingsFrom(hoursAt: (at: number) => HoursAt, startAt: number): Place['nextOpen'] {
  const all: Interval[] = [];
  let knownTo = startAt;
  // Time goes on in small steps: the same opening is asked for over and over.
  let [after, opens, closes] = [startAt, startAt, startAt];
  return (from) => {
    if (from >= after && from < closes) return Math.max(from, opens);
    while (knownTo < Infinity && (all.at(-1)?.[1] ?? startAt) <= from) {
      const hours = hoursAt(knownTo);
      if (hours.open) all.push([knownTo, hours.until]);
      knownTo = hours.open ? hours.until : (hours.opensAt ?? Infinity);
    }
    const next = all.findLastIndex(([, to]) => to <= from) + 1;
    after = all[next - 1]?.[1] ?? startAt;
    [opens, closes] = all[next] ?? [Infinity, Infinity];
    return Math.max(from, opens);
  };
}
