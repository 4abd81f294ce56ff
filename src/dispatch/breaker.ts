/** After this many failed dials, each sent after a good read, nothing is dialled for minutes ... */
const DIALS_TO_REST = 2;
/** ... and after this many a person has to look: reads do not show what is wrong. */
const DIALS_TO_GIVE_UP = 3;
const FIRST_REST_MS = 2 * 60_000;
const LONGEST_REST_MS = 32 * 60_000;
const FIRST_READ_GAP_MS = 5_000;
const LONGEST_READ_GAP_MS = 60_000;
/** While half of this many last answers are failures, one dial at a time is sent. */
const WINDOW = 20;
/** The breaker may give up after this long without a call that the service took. */
const GIVE_UP_AFTER_MS = 10 * 60_000;

/** `placed`: the service took the call; `lost`: the person is in doubt; `unsent`: nobody more is in doubt. */
export type DialEnd = 'placed' | 'lost' | 'unsent';

/**
 * A circuit breaker: after one failure (lost answer, 5xx, no connection, a poll that failed) the next request is a
 * harmless read, and no dial is sent until one has succeeded. A good read proves less than a good dial: after it, one
 * dial at a time is sent (`trial`) until the service takes a call. Refusals do not open it. Times are ms of the
 * monotonic clock.
 */
export class Breaker {
  #state: 'closed' | 'open' | 'trial' = 'closed';
  /** Failures among the last answers. */
  #recent: boolean[] = [];
  /** Failed dials since the service last took a call; those that were in flight together count once. */
  #failedDials = 0;
  /** When a read or a second dial first failed since the service last took a call; null: neither has. */
  #troubleSince: number | null = null;
  #readAt = 0;
  #readGapMs = FIRST_READ_GAP_MS;
  #restMs = FIRST_REST_MS;

  /** Something has failed that does not count as a failed dial: a read comes next. */
  suspect(now: number): void {
    if (this.#state !== 'open') this.#open(now);
  }

  /** Counts the answer to a dial. @returns how long nothing is dialled although reads succeed, ms; 0: no rest begins */
  record(end: DialEnd, now: number): number {
    this.#recent = [...this.#recent, end !== 'placed'].slice(-WINDOW);
    if (end === 'placed') {
      if (!this.#recent.includes(true)) this.#restMs = FIRST_REST_MS;
      if (this.#state === 'trial' && !this.#isBad()) this.#close();
      return 0;
    }
    if (this.#state !== 'trial') {
      if (end === 'lost') this.#failedDials = Math.max(1, this.#failedDials);
      this.suspect(now);
      return 0;
    }
    if (end === 'unsent') {
      this.recordRead(false, now);
      return 0;
    }
    this.#failedDials += 1;
    this.#open(now);
    if (this.#failedDials < DIALS_TO_REST) return 0;
    this.#troubleSince ??= now;
    const restMs = this.#restMs;
    this.#readAt = now + restMs;
    this.#restMs = Math.min(2 * restMs, LONGEST_REST_MS);
    return restMs;
  }

  /** Records whether the harmless read has succeeded. */
  recordRead(ok: boolean, now: number): void {
    if (ok) {
      this.#state = 'trial';
      this.#readGapMs = FIRST_READ_GAP_MS;
      return;
    }
    // The failures so far were the outage's: they say nothing of the time after it.
    this.#recent = [];
    this.#troubleSince ??= now;
    this.#open(now + this.#readGapMs);
    this.#readGapMs = Math.min(this.#readGapMs * 2, LONGEST_READ_GAP_MS);
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** After a good read and until the service has taken a call, one dial at a time may be sent. */
  get isOnTrial(): boolean {
    return this.#state === 'trial';
  }

  /** When the next read is due. */
  get readAt(): number {
    return this.#readAt;
  }

  /** True when dials fail although reads succeed: waiting does not help. */
  get failsForGood(): boolean {
    return this.#failedDials >= DIALS_TO_GIVE_UP;
  }

  /** True when the service has taken no call for ten minutes of trouble. */
  lasts(now: number): boolean {
    return this.#troubleSince !== null && now - this.#troubleSince >= GIVE_UP_AFTER_MS;
  }

  #open(readAt: number): void {
    this.#state = 'open';
    this.#readAt = readAt;
  }

  #close(): void {
    this.#state = 'closed';
    this.#failedDials = 0;
    this.#troubleSince = null;
  }

  #isBad(): boolean {
    return this.#recent.length === WINDOW && this.#recent.filter(Boolean).length * 2 >= WINDOW;
  }
}
