/** At most one decrease in this long: one burst of refusals is one signal. */
const DECREASE_EVERY_MS = 1_000;
const DECREASE_TO = 0.7;

/**
 * How many slots are used of those the operator allows: fewer after a refusal (429, capacity), one more for
 * every round of placed calls. Additive increase, multiplicative decrease, as Netflix/concurrency-limits
 * does it for clients; call length is no sign of congestion, so latency-based limits do not apply.
 */
export class AdaptiveSlots {
  readonly #most: number;
  #inUse: number;
  #decreasedAt = -Infinity;

  /** @param most the operator's concurrency, never exceeded */
  constructor(most: number) {
    this.#most = most;
    this.#inUse = most;
  }

  get limit(): number {
    return Math.floor(this.#inUse);
  }

  placed(): void {
    this.#inUse = Math.min(this.#most, this.#inUse + 1 / this.#inUse);
  }

  /** @returns true when it shrank */
  refused(now: number): boolean {
    if (now - this.#decreasedAt < DECREASE_EVERY_MS) return false;
    this.#decreasedAt = now;
    this.#inUse = Math.max(1, this.#inUse * DECREASE_TO);
    return true;
  }
}
