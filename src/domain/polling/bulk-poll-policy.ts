/** Up to so many calls are looked at one by one: a list brings every call since the oldest of them. */
const HANDFUL = 5;
/** A page of a list is taken to hold so many calls; few services give fewer. */
const CALLS_TO_A_PAGE = 50;
/** One list more counts so much for what lists are like. */
const WEIGHT = 0.3;

/**
 * Which due calls one list of calls should stand for. It reaches back to the oldest of them and costs a
 * request a page, so that a single old call must not make it long; and it saves a look only for calls whose
 * state it tells.
 */
export class BulkPollPolicy {
  /** Calls the list brings for each ms that it reaches back; 0 until one was read. */
  #callsPerMs = 0;
  /** Of the calls it was read for, the share of which it told. */
  #toldShare = 1;

  /**
   * @param agesMs of the calls that are due, the youngest first
   * @returns how many of the youngest the list should be read for; 0: look at all of them one by one
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

  /** A list that reached back so far brought so many calls, and told of `told` of the `asked` it was read for. */
  learn({ backMs, calls, asked, told }: ListSeen): void {
    const perMs = calls / Math.max(1, backMs);
    this.#callsPerMs += (perMs - this.#callsPerMs) * (this.#callsPerMs === 0 ? 1 : WEIGHT);
    this.#toldShare += (told / asked - this.#toldShare) * WEIGHT;
  }
}

interface ListSeen {
  backMs: number;
  calls: number;
  asked: number;
  told: number;
}
