import { DAY_MS } from '../time-units.ts';

/**
 * When the service's list of calls is searched for a call whose answer was lost. A list costs a request for each of its
 * pages, so one serves all doubts, and the searches for a doubt that stays are spaced out exponentially.
 */

/** The first search: by then the service should list the call. */
const FIRST_MS = 5_000;
/** From one search for a doubt to the next: no sooner than this, and not before the doubt is three times as old. */
const SOONEST_AGAIN_MS = 15_000;
const GROWTH = 3;
/** A run that has nothing else to do waits this long for the next search. */
const WORTH_WAITING_MS = 45_000;

/** Doubts that began longer ago are not searched for: the list would be long. Three days, to cover a weekend. */
export const SEARCH_BACK_MS = 3 * DAY_MS;

/** The least time from one list that is read for doubts to the next. */
export const BETWEEN_SEARCHES_MS = 15_000;

/**
 * In how many ms a doubt is to be searched for; null: no more. With ten minutes that is at 5, 20, 60, 180 and 540 s.
 *
 * @param ageMs how long the doubt has lasted
 * @param searchedAtMs its age at the last search; null: there was none
 * @param forMs `unknown.reconcileFor`: a doubt that is older is searched for once, and then left
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

/** Whether a run stays for a search that is due in so many ms. */
export function isWorthWaiting(dueInMs: number): boolean {
  return dueInMs <= WORTH_WAITING_MS;
}
