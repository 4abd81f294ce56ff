/** An answer shows that the service works for this long ... */
const FRESH_MS = 2_000;
/** ... or for this many times as long as its answers take, where that is longer. */
const FRESH_ANSWERS = 3;
/** How much of the longest answer time is still believed after another answer. */
const REMEMBERED = 0.9;

/**
 * How many dials may be without an answer at once: one after a silence, then one more for each answer (slow start), so
 * that a service that begins to fail during a silence has one dial to lose and not one for each free slot. Times are
 * ms of the monotonic clock.
 */
export class DialWindow {
  #size = 1;
  #answeredAt = -Infinity;
  #answerMs = 0;

  /** @param tookMs from the claim of the dial to its answer */
  answered(now: number, tookMs: number): void {
    this.#size = this.at(now) + 1;
    this.#answeredAt = now;
    this.#answerMs = Math.max(tookMs, this.#answerMs * REMEMBERED);
  }

  /** Something has failed: begin with one again. */
  shrink(): void {
    this.#size = 1;
  }

  at(now: number): number {
    const freshMs = Math.max(FRESH_MS, this.#answerMs * FRESH_ANSWERS);
    if (now - this.#answeredAt > freshMs) this.#size = 1;
    return this.#size;
  }
}
