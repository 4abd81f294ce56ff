/**
 * When a dial whose answer was lost is replayed: sent once more under the same idempotency key. Only at services that
 * promise one call for one key.
 */

/** From the loss, and from each replay that settled nothing, to the next one. Short, as a run waits for them. */
const GAPS_MS = [1_000, 5_000, 20_000, 60_000];

/** How many replays; what they do not settle is searched for like any other doubt. */
export const MOST_REPLAYS = GAPS_MS.length;

/** Subtracted from the promise, which counts from when the service got the key, by its own clock. */
const MARGIN_MS = 60_000;

/**
 * @param replays how many there were
 * @param since when the last answer was lost, epoch ms
 * @returns when the next one is due, epoch ms; null: there is none
 */
export function replayDueAt(replays: number, since: number): number | null {
  const gap = GAPS_MS[replays];
  return gap === undefined ? null : since + gap;
}

/**
 * The earliest intent whose key the service surely still knows, ms of a clock that is never set back.
 *
 * @param forMs how long it promises to know a key
 */
export function oldestReplayable(forMs: number, now: number): number {
  return now - forMs + MARGIN_MS;
}
