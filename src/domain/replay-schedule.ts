/**
 * When a dial whose answer was lost is replayed, that is, sent once more under the same idempotency key. Only for
 * services that promise at most one call per key.
 */

/** Time from the lost answer, or from the last replay that failed, to the next replay; short, as a run waits for it. */
const GAPS_MS = [1_000, 5_000, 20_000, 60_000];

/** The most replays of a dial; a doubt that they do not settle is searched for like any other doubt. */
export const MOST_REPLAYS = GAPS_MS.length;

/** Safety margin, as the promised time begins when the service receives the key, by the service's clock. */
const MARGIN_MS = 60_000;

/**
 * @param replays the number of replays so far
 * @param since when the last answer was lost, epoch ms
 * @returns when the next replay is due, epoch ms; null: there is no further replay
 */
export function replayDueAt(replays: number, since: number): number | null {
  const gap = GAPS_MS[replays];
  return gap === undefined ? null : since + gap;
}

/**
 * The time of the earliest intent whose key the service certainly still knows, in ms of a clock that is never set back.
 *
 * @param forMs how long the service promises to know a key
 */
export function oldestReplayable(forMs: number, now: number): number {
  return now - forMs + MARGIN_MS;
}
