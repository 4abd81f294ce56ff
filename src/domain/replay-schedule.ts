/**
 * When a dial whose answer was lost is sent once more, at services that promise to answer one idempotency key
 * with one call. Never anywhere else.
 */

/** From the loss, and from each answer that settled nothing, to the next try. Short: a run waits for them. */
const GAPS_MS = [1_000, 5_000, 20_000, 60_000];

/** So many tries; what they do not settle is looked for as any other doubt. */
export const MOST_REPLAYS = GAPS_MS.length;

/** Its promise counts from when it got the key: a request needs its time, and two clocks may differ in speed. */
const MARGIN_MS = 60_000;

/**
 * @param repeats how many there were
 * @param since when the last answer was lost, epoch ms
 * @returns when the next one is due, epoch ms; null: there is none
 */
export function replayDueAt(repeats: number, since: number): number | null {
  const gap = GAPS_MS[repeats];
  return gap === undefined ? null : since + gap;
}

/**
 * The earliest intent whose key the service still knows for sure, epoch ms of a clock that nobody sets back.
 *
 * @param forMs how long it promises to know a key
 */
export function oldestReplayable(forMs: number, now: number): number {
  return now - forMs + MARGIN_MS;
}
