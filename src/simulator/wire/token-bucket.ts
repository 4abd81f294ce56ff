import type { Clock } from '../../runtime/clock.ts';

/** Rate limiter (token bucket): `rate` requests per second, and a burst of at most one second's worth. */
export class TokenBucket {
  readonly #rate: number;
  readonly #size: number;
  readonly #clock: Clock;
  #tokens: number;
  #filledAt: number;

  /** @param rate requests per second, above 0 */
  constructor(rate: number, clock: Clock) {
    this.#rate = rate;
    this.#size = Math.max(1, rate);
    this.#clock = clock;
    this.#tokens = this.#size;
    this.#filledAt = clock.monotonic();
  }

  /** Takes a token, or says how many ms to wait for one. */
  take(): number {
    const now = this.#clock.monotonic();
    const gained = ((now - this.#filledAt) / 1_000) * this.#rate;
    this.#tokens = Math.min(this.#size, this.#tokens + gained);
    this.#filledAt = now;
    if (this.#tokens < 1) return ((1 - this.#tokens) / this.#rate) * 1_000;
    this.#tokens -= 1;
    return 0;
  }
}
