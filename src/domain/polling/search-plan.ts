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
 *
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
