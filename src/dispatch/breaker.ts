/** Opens on this many failures in a row ... */
const FAILURES_IN_A_ROW = 5;
/** ... or when half of this many last answers were failures. */
const WINDOW = 20;
const FIRST_PROBE_AFTER_MS = 5_000;
const LONGEST_PROBE_GAP_MS = 60_000;
/** No dial went well for this long: the campaign is paused and a person is needed. */
const GIVE_UP_AFTER_MS = 10 * 60_000;

/**
 * Stops dialling while the service fails: transport errors, timeouts, 5xx. Each such dial costs a lead its
 * certainty, so the service is tried again with a harmless GET, never with a dial. A good GET proves less
 * than a good dial: after it one dial at a time is tried, and the first that fails opens the breaker again,
 * for longer. Refusals do not open it. Times are ms of one clock, the monotonic one.
 */
export class Breaker {
  #state: 'closed' | 'open' | 'trial' = 'closed';
  #recent: boolean[] = [];
  /** When it opened first, without a good dial since. */
  #troubleSince: number | null = null;
  #hasGivenUp = false;
  #probeAt = 0;
  #probeGapMs = FIRST_PROBE_AFTER_MS;

  /** What a dial said. @returns true when this answer opened it */
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

  /** What the harmless GET said. */
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

  /** After a good GET, until a dial has gone well: one dial at a time. */
  get isOnTrial(): boolean {
    return this.#state === 'trial';
  }

  /** When to try the GET. */
  get probeAt(): number {
    return this.#probeAt;
  }

  /** True when the last try failed and ten minutes have passed since the first. */
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
