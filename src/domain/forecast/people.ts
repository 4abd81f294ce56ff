import type { PastAttempt } from '../calling/retry-hold.ts';

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

/** Up to so many people are simulated one by one; of more, one stands for several. */
const MOST_SINGLE = 10_000;

/** For how many people one is simulated. */
export function weightOf(people: number): number {
  return Math.max(1, Math.ceil(people / MOST_SINGLE));
}

/**
 * People of a list of whom no more is known than how many are where, as if their order were by chance: those of each
 * place are spread evenly over all. @param weight for how many people one stands
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
