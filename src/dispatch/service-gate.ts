import type { PauseReason } from '../domain/campaign.ts';
import type { Answered, Judgement, Pause } from './answer-policy.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import { AdaptiveSlots, createServiceCapacity, Ramp } from './service-capacity.ts';

/** A dial is claimed only if the rate limiter would send it within this: its permit must not expire in the queue. */
const TURN_WITHIN_MS = 2_000;
/** A lowered limit of slots is told at most once in this time. */
const TELL_AGAIN_MS = 60_000;
/** Slots that are freed while the service wants to be left alone longer than this are not waited for. */
const SHUT_MS = 2_000;
/** A full service is checked again after this. */
const ROOM_AGAIN_MS = 500;
/** A run must not end because it waits for a service that fails: only shorter waits are told to it. */
const LONGEST_CLOSED_MS = 60_000;

/** Whether dials may be sent to the service now. */
type Admission =
  /** `atMost`: how many more dials the service allows. */
  | { kind: 'open'; atMost: number }
  /** No dial for `forMs`. */
  | { kind: 'closed'; forMs: number }
  /** No dial before a person has looked at the service. */
  | { kind: 'given_up'; pause: Pause };

/**
 * What the service's own answers allow: the limit of slots (`AdaptiveSlots`), the backoff it asked for, whether it works
 * at all (`Breaker`), and how many dials may wait for their answers (`DialWindow`). Times are of the monotonic clock:
 * setting the wall clock must not stop a campaign.
 * @param onAnswer called when the service has said how many calls it would take
 */
export function createServiceGate(options: DispatcherOptions, onAnswer: () => void) {
  const { campaign, settings, service, clock, notify } = options;
  const { readsFirst = false, patientUntil = null } = options;
  const slots = new AdaptiveSlots(settings.concurrency);
  settings.onChange(({ concurrency }) => slots.setMost(concurrency, clock.monotonic()));
  const breaker = new Breaker();
  const window = new DialWindow();
  if (readsFirst) breaker.suspect(clock.monotonic());
  const capacity = createServiceCapacity({ service, clock, notify, onAnswer });
  const ramp = new Ramp(campaign.settings.rampMs ?? 0);
  let backoffUntil = -Infinity;
  let hasRefused = false;
  /** Why the breaker opened, for the person who is asked to look. */
  let lastFailure = '';
  /** The limit of slots that was last reported to the operator, and when. */
  let told = { limit: Infinity, at: -Infinity };

  /** Nothing is dialled for `ms`, as the service asked; of two backoffs the one that ends later counts. */
  const backOff = (ms: number) => {
    backoffUntil = Math.max(backoffUntil, clock.monotonic() + ms);
  };

  /** Reports a limit that is lower than the last reported one; once a minute while the service goes on refusing. */
  const tellSlots = (now: number) => {
    const limit = slots.limit(now);
    if (limit === slots.most) hasRefused = false;
    else if (limit < told.limit || now - told.at >= TELL_AGAIN_MS) {
      told = { limit, at: now };
      notify({ event: 'slots.shrunk', limit });
    }
  };

  const givenUp = (reason: PauseReason): Admission => {
    return { kind: 'given_up', pause: { reason, detail: lastFailure } };
  };
  const closed = (until: number): Admission => {
    const forMs = Math.min(LONGEST_CLOSED_MS, Math.max(0, until - clock.monotonic()));
    return { kind: 'closed', forMs };
  };

  /** What the operator was told of the trouble that lasts. */
  let toldTrouble: 'nothing' | 'opened' | 'lasts' = 'nothing';
  const tellOpened = (restMs = 0) => {
    const opened = { event: 'breaker.opened', detail: lastFailure } as const;
    if (restMs > 0) notify({ ...opened, restMs });
    else if (toldTrouble === 'nothing') notify(opened);
    if (toldTrouble === 'nothing') toldTrouble = 'opened';
  };

  /** The breaker is open: a harmless GET decides whether a dial may be tried, never a dial. */
  const probe = async (now: number): Promise<Admission> => {
    if (breaker.failsForGood) return givenUp('breaker');
    if (now < breaker.readAt) return closed(breaker.readAt);
    const found = await service.probe();
    breaker.recordRead(found.ok, clock.monotonic());
    if (found.ok) return closed(0);
    lastFailure = found.why;
    if (found.keyRefused) return givenUp('key');
    tellOpened();
    if (breaker.lasts(clock.monotonic())) {
      if (clock.now() >= (patientUntil ?? 0)) return givenUp('breaker');
      if (toldTrouble !== 'lasts') notify({ event: 'breaker.lasts', detail: lastFailure });
      toldTrouble = 'lasts';
    }
    return closed(breaker.readAt);
  };

  return {
    backOff,

    /** The limit of slots in use: the operator's, or less. */
    get slots(): number {
      return slots.limit(clock.monotonic());
    },

    /** No dial will be sent for a while, so free slots are of no use. */
    get isShut(): boolean {
      return breaker.isOpen || backoffUntil - clock.monotonic() > SHUT_MS;
    },

    /** A call has ended. */
    slotFreed: (): void => {
      const now = clock.monotonic();
      slots.freed(now);
      ramp.ended(now);
      capacity.freed();
    },

    /** Something other than a dial has failed: a poll, or a list of calls. */
    suspect: (detail: string): void => {
      if (breaker.isOpen || breaker.isOnTrial) return;
      lastFailure = detail;
      breaker.suspect(clock.monotonic());
      window.shrink();
    },

    /** @param inFlight dials that are not answered yet */
    ask: async (inFlight: number): Promise<Admission> => {
      const now = clock.monotonic();
      if (now < backoffUntil) return { kind: 'closed', forMs: backoffUntil - now };
      // Dials that were sent before the failure are answered first: they say nothing of the time after the read.
      if (breaker.isOpen) return inFlight > 0 ? closed(now + ROOM_AGAIN_MS) : probe(now);
      if (hasRefused) tellSlots(now);
      const room = service.roomWithin?.(TURN_WITHIN_MS, 'dial') ?? Infinity;
      const mayWait = Math.max(0, (breaker.isOnTrial ? 1 : window.at(now)) - inFlight);
      const left = Math.min(capacity.left(inFlight), ramp.left(now, slots.limit(now), inFlight));
      // `closed`, not `open` with `atMost` 0: then the dispatcher checks whether the campaign was paused.
      if (left === 0 && inFlight === 0) return { kind: 'closed', forMs: ROOM_AGAIN_MS };
      return { kind: 'open', atMost: Math.min(room, mayWait, left) };
    },

    /** @param held slots of the campaign that are held after a refusal; 0: it was none */
    learn: ({ record, health, backoffMs, tookMs }: Answered, held: number): void => {
      const now = clock.monotonic();
      if (record.kind === 'placed' || record.kind === 'unknown') {
        capacity.taken();
        ramp.began(now);
      }
      if (record.kind === 'placed') slots.placed();
      if (backoffMs !== null) {
        backOff(backoffMs);
        // A rate that is too high says nothing of the slots.
        if (service.isTooFast?.() !== true) {
          hasRefused = true;
          if (slots.refused(now, backoffMs, held)) tellSlots(now);
        }
      }
      if (health === 'good' || backoffMs !== null) window.answered(now, tookMs);
      const end = endOf(record, health);
      // A 2xx without a call id may be the page of a proxy in front of a service that is down.
      if (end === null && record.kind === 'unknown') breaker.suspect(now);
      if (end === null) return;
      if (end !== 'placed') {
        lastFailure = record.detail;
        window.shrink();
      }
      const restMs = breaker.record(end, now);
      if (restMs > 0 && !breaker.failsForGood) tellOpened(restMs);
      if (end !== 'placed' || breaker.isOpen || breaker.isOnTrial) return;
      if (toldTrouble !== 'nothing') notify({ event: 'breaker.closed' });
      toldTrouble = 'nothing';
    },
  };
}

/**
 * What an answer is to the breaker; null: it does not count. That a dial is rejected shows that the service answers, not
 * that it calls; a replay that fails leaves nobody in doubt who was not before.
 */
function endOf(record: Judgement['record'], health: Judgement['health']): DialEnd | null {
  if (health !== 'failure') return record.kind === 'placed' ? 'placed' : null;
  const isHarmless = record.kind !== 'unknown' || record.replay !== undefined;
  return isHarmless ? 'unsent' : 'lost';
}

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
type DialEnd = 'placed' | 'lost' | 'unsent';

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
