/** Up to this many due calls are polled one by one: a list also contains all other calls since the oldest of them. */
const HANDFUL = 5;
/** The assumed number of calls on a page of a list; few services give fewer. */
const CALLS_TO_A_PAGE = 50;
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

  /** Learns from a list that reached back `backMs`, had `calls` calls, and showed `told` of the `asked` calls. */
  learn(list: { backMs: number; calls: number; asked: number; told: number }): void {
    const { backMs, calls, asked, told } = list;
    const perMs = calls / Math.max(1, backMs);
    this.#callsPerMs += (perMs - this.#callsPerMs) * (this.#callsPerMs === 0 ? 1 : WEIGHT);
    this.#toldShare += (told / asked - this.#toldShare) * WEIGHT;
  }
}
