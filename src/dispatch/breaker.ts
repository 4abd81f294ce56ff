/** Opens on this many failures in a row ... */
const FAILURES_IN_A_ROW = 5;
/** ... or when half of this many last answers were failures. */
const WINDOW = 20;
const FIRST_PROBE_AFTER_MS = 5_000;
const LONGEST_PROBE_GAP_MS = 60_000;
/** Open for this long: the campaign is paused and a person is needed. */
const GIVE_UP_AFTER_MS = 10 * 60_000;

/**
 * Stops dialling while the service fails: transport errors, timeouts, 5xx. Each such dial costs a lead its
 * certainty, so the service is tried again with a harmless GET, never with a dial. Refusals do not open it.
 */
export class Breaker {
  #recent: boolean[] = [];
  #openSince: number | null = null;
  #probeAt = 0;
  #probeGapMs = FIRST_PROBE_AFTER_MS;

  /** @returns true when this answer opened it */
  record(answer: 'good' | 'failure', now: number): boolean {
    this.#recent.push(answer === 'failure');
    if (this.#recent.length > WINDOW) this.#recent.shift();
    if (this.isOpen || !this.#isBad()) return false;
    this.#openSince = now;
    this.#probeGapMs = FIRST_PROBE_AFTER_MS;
    this.#probeAt = now + this.#probeGapMs;
    return true;
  }

  /** What the harmless GET said. */
  recordProbe(ok: boolean, now: number): void {
    if (ok) {
      this.#openSince = null;
      this.#recent = [];
      return;
    }
    this.#probeGapMs = Math.min(this.#probeGapMs * 2, LONGEST_PROBE_GAP_MS);
    this.#probeAt = now + this.#probeGapMs;
  }

  get isOpen(): boolean {
    return this.#openSince !== null;
  }

  /** When to try the GET, epoch ms. */
  get probeAt(): number {
    return this.#probeAt;
  }

  hasGivenUp(now: number): boolean {
    return this.#openSince !== null && now - this.#openSince >= GIVE_UP_AFTER_MS;
  }

  #isBad(): boolean {
    const last = this.#recent.slice(-FAILURES_IN_A_ROW);
    if (last.length === FAILURES_IN_A_ROW && last.every(Boolean)) return true;
    return this.#recent.length === WINDOW && this.#recent.filter(Boolean).length * 2 >= WINDOW;
  }
}
