/**
 * When a call whose answer was lost is looked for in the service's list of calls. A list costs a request for each of
 * its pages, so one stands for all doubts, and a doubt that stays is looked for ever more seldom.
 */

/** By then the service has written the call down. */
const FIRST_MS = 5_000;
/** From one look for a doubt to the next: no sooner than this, and not before it is three times as old. */
const SOONEST_AGAIN_MS = 15_000;
const GROWTH = 3;
/** A run that has nothing else to do waits so long for the next one. */
const WORTH_WAITING_MS = 45_000;

/** Doubts that began longer ago are not looked for: the list would be long. Three days: a weekend. */
export const SEARCH_BACK_MS = 3 * 86_400_000;

/** From one list read for doubts to the next. */
export const BETWEEN_SEARCHES_MS = 15_000;

/**
 * In how many ms a doubt is to be looked for; null: not any more. With ten minutes that is at 5, 20, 60, 180 and 540 s.
 *
 * @param ageMs how long the doubt has lasted
 * @param searchedAtMs its age when it was looked for last; null: it was not
 * @param forMs `unknown.reconcileFor`: one that is older is looked for once, and then left
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
