/** When the calls in progress end, the earliest first: there are thousands at most, so a sorted list is enough. */
export class EndTimes {
  readonly #ends: number[] = [];

  get size(): number {
    return this.#ends.length;
  }

  /** The next end; undefined when no call is in progress. */
  get earliest(): number | undefined {
    return this.#ends[0];
  }

  add(endsAt: number): void {
    const before = this.#ends.findLastIndex((end) => end <= endsAt);
    this.#ends.splice(before + 1, 0, endsAt);
  }

  /** Removes the calls that have ended by `now`. */
  dropUntil(now: number): void {
    const next = this.#ends.findIndex((end) => end > now);
    this.#ends.splice(0, next < 0 ? this.#ends.length : next);
  }
}
