import { DAY_MS } from '../time-units.ts';

/**
 * When the service's list of calls is searched for a call whose answer was lost. A list costs a request per page, so
 * one list is searched for all doubts at once, and the searches for one doubt are spaced out exponentially.
 */

/** The age of a doubt at its first search: by then the service should list the call. */
const FIRST_MS = 5_000;
/** The next search for a doubt is not sooner than this, and not before the doubt is `GROWTH` times as old. */
const SOONEST_AGAIN_MS = 15_000;
const GROWTH = 3;
/** A run that has nothing else to do waits at most this long for the next search. */
const WORTH_WAITING_MS = 45_000;

/** Older doubts are not searched for, as the list would be long. Three days cover a weekend. */
export const SEARCH_BACK_MS = 3 * DAY_MS;

/** The least time between two lists that are read to search for doubts. */
export const BETWEEN_SEARCHES_MS = 15_000;

/**
 * How many ms until the next search for a doubt; null: no further search. If `forMs` is ten minutes, searches are made
 * at the ages 5, 20, 60, 180 and 540 s.
 * @param ageMs the age of the doubt
 * @param searchedAtMs the age of the doubt at its last search; null: it was never searched for
 * @param forMs `unknown.reconcileFor`: an older doubt that was never searched for is searched for once
 */
export function nextSearchIn(
  ageMs: number,
  searchedAtMs: number | null,
  forMs: number,
): number | null {
  const at =
    searchedAtMs === null
      ? Math.min(FIRST_MS, forMs / 2)
      : Math.max(searchedAtMs * GROWTH, searchedAtMs + SOONEST_AGAIN_MS);
  if (searchedAtMs !== null && at > forMs) return null;
  return Math.max(0, at - ageMs);
}

/** True if a run should stay for a search that is due in `dueInMs`. */
export function isWorthWaiting(dueInMs: number): boolean {
  return dueInMs <= WORTH_WAITING_MS;
}

/** Up to this many due calls are polled one by one: a list also contains all other calls since the oldest of them. */
const HANDFUL = 5;
/** The assumed number of calls on a page of a list; few services give fewer. */
const CALLS_TO_A_PAGE = 50;
/** The least time between two lists that are read in place of polls. */
export const LIST_EVERY_MS = 1_250;
/** Lists replace all polls where they show the state of so large a share of the calls. */
const NEARLY_ALL = 0.8;
/** Weight of the newest list in the moving averages below (EWMA). */
const WEIGHT = 0.3;

/**
 * Decides for which due calls one list of calls should replace the single polls. The list reaches back to the oldest of
 * them and costs one request per page, so a single old call must not make the list long; and a list saves a poll only
 * for calls whose state it shows.
 */
export class BulkPollPolicy {
  /** Average number of calls on a list per ms that the list reaches back; 0 until a list was read. */
  #callsPerMs = 0;
  /** Average share of the wanted calls whose state a list showed. */
  #toldShare = 1;

  /**
   * @param agesMs the ages of the calls that are due, the youngest first
   * @returns for how many of the youngest calls a list should be read; 0: poll all calls one by one
   */
  worth(agesMs: readonly number[]): number {
    let best = 0;
    let most = 0;
    for (const [index, ageMs] of agesMs.entries()) {
      const calls = index + 1;
      const pages = Math.max(1, Math.ceil((ageMs * this.#callsPerMs) / CALLS_TO_A_PAGE));
      const saved = calls * this.#toldShare - pages;
      if (calls > HANDFUL && saved > most) [best, most] = [calls, saved];
    }
    return best;
  }

  /** Whether lists that are read all the time cost less than polls of so many calls. */
  isWorthAlways(calls: number): boolean {
    return calls > HANDFUL && this.#toldShare >= NEARLY_ALL;
  }

  /** Learns from a list that reached back `backMs`, had `calls` calls, and showed `told` of the `asked` calls. */
  learn(list: { backMs: number; calls: number; asked: number; told: number }): void {
    const { backMs, calls, asked, told } = list;
    const perMs = calls / Math.max(1, backMs);
    this.#callsPerMs += (perMs - this.#callsPerMs) * (this.#callsPerMs === 0 ? 1 : WEIGHT);
    this.#toldShare += (told / asked - this.#toldShare) * WEIGHT;
  }
}
