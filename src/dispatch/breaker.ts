/** Opens on this many failures in a row ... */
const FAILURES_IN_A_ROW = 5;
/** ... or when half of this many last answers were failures. */
const WINDOW = 20;
const FIRST_PROBE_AFTER_MS = 5_000;
const LONGEST_PROBE_GAP_MS = 60_000;
/** After this long without a successful dial the campaign is paused, and a person has to look. */
const GIVE_UP_AFTER_MS = 10 * 60_000;

/**
 * A circuit breaker: stops dialling while the service fails (transport errors, timeouts, 5xx). Each failed dial
 * leaves a lead in doubt, so an open breaker probes with a harmless GET, never with a dial. A good GET proves less
 * than a good dial, so it only half-opens the breaker (`trial`): one dial at a time, and the first that fails
 * opens it again with twice the wait. Refusals do not open it. Times are ms of the monotonic clock.
 */
export class Breaker {
  #state: 'closed' | 'open' | 'trial' = 'closed';
  #recent: boolean[] = [];
  /** When the breaker first opened since the last successful dial; null: it has not opened. */
  #troubleSince: number | null = null;
  #hasGivenUp = false;
  #probeAt = 0;
  #probeGapMs = FIRST_PROBE_AFTER_MS;

  /** Counts the answer to a dial. @returns true when this answer opened the breaker */
  record(answer: 'good' | 'failure', now: number): boolean {
    this.#recent.push(answer === 'failure');
    if (this.#recent.length > WINDOW) this.#recent.shift();
    if (this.#state === 'open') return false;
    if (this.#state === 'trial') {
      if (answer === 'good') {
        this.#close();
        return false;
      }
      this.#widenGap();
    } else if (!this.#isBad()) return false;
    this.#open(now);
    return true;
  }

  /** Records the result of the harmless GET. */
  recordProbe(ok: boolean, now: number): void {
    if (ok) {
      this.#state = 'trial';
      return;
    }
    this.#widenGap();
    this.#open(now);
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Half open: after a good GET and until a dial has succeeded, one dial at a time may be sent. */
  get isOnTrial(): boolean {
    return this.#state === 'trial';
  }

  /** When the next GET is due. */
  get probeAt(): number {
    return this.#probeAt;
  }

  /** True when the last failure came ten minutes or more after the breaker first opened. */
  hasGivenUp(): boolean {
    return this.#hasGivenUp;
  }

  #open(now: number): void {
    this.#state = 'open';
    this.#troubleSince ??= now;
    this.#hasGivenUp = now - this.#troubleSince >= GIVE_UP_AFTER_MS;
    this.#probeAt = now + this.#probeGapMs;
  }

  #close(): void {
    this.#state = 'closed';
    this.#recent = [];
    this.#troubleSince = null;
    this.#probeGapMs = FIRST_PROBE_AFTER_MS;
  }

  #widenGap(): void {
    this.#probeGapMs = Math.min(this.#probeGapMs * 2, LONGEST_PROBE_GAP_MS);
  }

  #isBad(): boolean {
    const last = this.#recent.slice(-FAILURES_IN_A_ROW);
    if (last.length === FAILURES_IN_A_ROW && last.every(Boolean)) return true;
    return this.#recent.length === WINDOW && this.#recent.filter(Boolean).length * 2 >= WINDOW;
  }
}
