/** Up to so many due calls are polled one by one: a list also carries every other call since the oldest of them. */
const HANDFUL = 5;
/** The assumed number of calls on a page of a list; few services give fewer. */
const CALLS_TO_A_PAGE = 50;
/** Weight of the newest list in the moving averages below (EWMA). */
const WEIGHT = 0.3;

/**
 * Decides which due calls one list of calls should replace the polls of. The list reaches back to the oldest of them
 * and costs one request a page, so a single old call must not make it long; and it saves a poll only for calls whose
 * state it tells.
 */
export class BulkPollPolicy {
  /** Calls on the list for each ms that it reaches back, averaged; 0 until one was read. */
  #callsPerMs = 0;
  /** The share of calls it was read for whose state it told, averaged. */
  #toldShare = 1;

  /**
   * @param agesMs of the calls that are due, the youngest first
   * @returns how many of the youngest the list should be read for; 0: poll all of them one by one
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

  /** A list that reached back `backMs` brought `calls` calls, and told of `told` of the `asked` calls it was read for. */
  learn(list: { backMs: number; calls: number; asked: number; told: number }): void {
    const { backMs, calls, asked, told } = list;
    const perMs = calls / Math.max(1, backMs);
    this.#callsPerMs += (perMs - this.#callsPerMs) * (this.#callsPerMs === 0 ? 1 : WEIGHT);
    this.#toldShare += (told / asked - this.#toldShare) * WEIGHT;
  }
}
