import type { CallsAskedFor } from '../calling/caps.ts';
import type { HoursAt } from '../calling/calling-hours.ts';
import type { NamedLimits } from '../calling/limits.ts';
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

/** What the planner of the claim says of places. */
export interface Planner {
  hoursAt: (zoneKey: string, at: number) => HoursAt;
  capsAt: (zoneKey: string) => { limits: NamedLimits[]; ask: CallsAskedFor } | null;
  clocksAt: (zoneKey: string) => Pick<RetryPlace, 'zones' | 'offsetAt'>;
}

/** Up to so many people are simulated one by one; of more, one stands for several. */
export const MOST_SINGLE = 10_000;

/** For how many people one is simulated. */
export function weightOf(people: number): number {
  return Math.max(1, Math.ceil(people / MOST_SINGLE));
}

/**
 * Slots and lengths for people of whom each stands for `weight`: as many are called in the same time as without, however
 * many slots there are.
 */
export function scaledSlots(slots: number, weight: number): { slots: number; slower: number } {
  const scaled = Math.max(1, Math.ceil(slots / weight));
  return { slots: scaled, slower: (scaled * weight) / slots };
}

/**
 * People of a list of whom no more is known than how many are where, as if their order were by chance: those of each
 * place are spread evenly over all.
 *
 * @param weight for how many people one stands
 * @param share the share of them that is called, 0 to 1
 */
export function spreadPeople(
  places: Iterable<readonly [zoneKey: string, people: number]>,
  weight: number,
  share: number,
): WaitingPerson[] {
  const all: { zoneKey: string; at: number }[] = [];
  let owed = 0;
  for (const [zoneKey, people] of places) {
    owed += (people * share) / weight;
    const count = Math.round(owed);
    owed -= count;
    for (let n = 0; n < count; n++) all.push({ zoneKey, at: (n + 0.5) / count });
  }
  return all
    .toSorted((a, b) => a.at - b.at)
    .map(({ zoneKey }) => ({ zoneKey, notBefore: 0, callbackAt: null, past: [] }));
}
