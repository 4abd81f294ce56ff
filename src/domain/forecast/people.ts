import type { HoursAt } from '../calling/calling-hours.ts';
import type { NamedLimits } from '../calling/limits.ts';
import type { Interval } from '../calling/local-days.ts';
import type { PastAttempt, RetryPlace } from '../calling/retry-hold.ts';

/** A person who waits to be called. Times are epoch ms. */
export interface WaitingPerson {
  /** See `zoneKey` of domain/calling. */
  zoneKey: string;
  /** Not due before; 0: at any time. */
  notBefore: number;
  /** When the person asked to be called again; null: they did not. */
  callbackAt: number | null;
  /** Earlier attempts of this campaign after which the phone rang or may have rung. */
  past: readonly PastAttempt[];
}

/** Up to this many people are simulated one by one; above it, one stands for several. */
const MOST_SINGLE = 10_000;

/** How many people one simulated person stands for. */
export function weightOf(people: number): number {
  return Math.max(1, Math.ceil(people / MOST_SINGLE));
}

/**
 * People of a list whose places alone are known, as if they came in random order: those of each place are spread
 * evenly.
 * @param weight how many people one stands for
 */
export function spreadPeople(
  places: Iterable<readonly [zoneKey: string, people: number]>,
  weight: number,
): WaitingPerson[] {
  let owed = 0;
  return [...places]
    .flatMap(([zoneKey, people]) => {
      owed += people / weight;
      const count = Math.round(owed);
      owed -= count;
      return Array.from({ length: count }, (_, n) => ({ zoneKey, at: (n + 0.5) / count }));
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ zoneKey }) => ({ zoneKey, notBefore: 0, callbackAt: null, past: [] }));
}

export interface Place extends Pick<RetryPlace, 'zones' | 'offsetAt'> {
  caps: readonly NamedLimits[];
  /** The first moment from `from` on at which hours are open, epoch ms; Infinity: never. */
  nextOpen: (from: number) => number;
}

interface Planner {
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
  // Time passes in small steps, so the same opening is asked for again and again.
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
