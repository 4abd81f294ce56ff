import type { DispatcherOptions } from './dispatcher-options.ts';

/** When the capacity of the last answer is used up, the service is asked again after this, or when a call has ended. */
const ASK_AGAIN_MS = 2_000;
/** ... but not sooner than this. */
const FREED_AGAIN_MS = 200;
/** An answer is too old after this, because other programs place calls at the service, too. */
const STALE_MS = 15_000;
/** A full service is told at most once in this time. */
const TELL_AGAIN_MS = 60_000;

/**
 * How many more calls the service itself says it would take, if its profile describes how to ask. The service is asked
 * in the background: nothing is claimed before the first answer, and then at most what is left of the last answer.
 * Times are ms of the monotonic clock.
 */
export function createServiceCapacity({
  service,
  clock,
  notify,
  onAnswer,
}: Pick<DispatcherOptions, 'service' | 'clock' | 'notify'> & { onAnswer: () => void }) {
  /** The service's last answer, and when it was asked. */
  let free = { count: 0, at: -Infinity };
  /** Calls started since the last question: its answer may or may not count them, so they are subtracted. */
  let taken = 0;
  let isAsking = false;
  /** A call has ended since the last question. */
  let isFreed = false;
  let toldAt = -Infinity;

  const ask = async (at: number) => {
    isAsking = true;
    isFreed = false;
    const takenBefore = taken;
    const count = (await service.freeSlots?.()) ?? Infinity;
    isAsking = false;
    taken -= takenBefore;
    free = { count, at };
    onAnswer();
    if (count > 0 || at - toldAt < TELL_AGAIN_MS) return;
    toldAt = at;
    notify({ event: 'service.full' });
  };

  return {
    /**
     * @param inFlight dials that are not answered yet
     * @returns how many more may be started; Infinity where the service cannot be asked
     */
    left: (inFlight: number): number => {
      if (service.freeSlots === undefined) return Infinity;
      const now = clock.monotonic();
      const left = Math.max(0, free.count - taken - inFlight);
      const isDue = now - free.at >= (left > 0 ? STALE_MS : ASK_AGAIN_MS);
      if (!isAsking && (isDue || (left === 0 && isFreed && now - free.at >= FREED_AGAIN_MS)))
        void ask(now);
      return left;
    },
    freed: (): void => {
      isFreed = true;
    },
    /** To be called when a dial has started a call, or may have started one. */
    taken: (): void => {
      taken += 1;
    },
  };
}

/** A service where no call of ours is in progress for so long, ms, is asked for few calls at first. */
const COLD_AFTER_MS = 60_000;
/** Where nothing began or ended for so long, none is: that a call in doubt is over may never be told. */
const SURELY_COLD_MS = 3_600_000;

/**
 * Fills the slots evenly over `ramp`, as some services lose calls that begin all at once: 30 % "no answer" in the first
 * half minute of each start of 50, none later (github.com/livekit/livekit/issues/4374). It counts dials, not slots, as
 * calls of an earlier run may hold those. Times are ms of the monotonic clock.
 */
export class Ramp {
  readonly #ms: number;
  #from = -Infinity;
  #begun = 0;
  /** Calls of this run in progress, and when the last one began or ended. */
  #open = 0;
  #lastAt = -Infinity;

  /** @param ms 0: all at once */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /**
   * @param inFlight dials that are not answered yet
   * @returns how many more dials may be sent of `slots`; Infinity: the ramp is over
   */
  left(now: number, slots: number, inFlight: number): number {
    const coldAfterMs = this.#open === 0 ? COLD_AFTER_MS : SURELY_COLD_MS;
    if (inFlight === 0 && now - this.#lastAt >= coldAfterMs) {
      this.#from = now;
      this.#begun = 0;
      this.#open = 0;
    }
    const sinceMs = now - this.#from;
    if (sinceMs >= this.#ms) return Infinity;
    const due = 1 + Math.floor((slots * sinceMs) / this.#ms);
    return Math.max(0, due - this.#begun - inFlight);
  }

  /** A dial has started a call, or may have started one. */
  began(now: number): void {
    this.#begun += 1;
    this.#open += 1;
    this.#lastAt = now;
  }

  /** A call has ended. */
  ended(now: number): void {
    this.#open = Math.max(0, this.#open - 1);
    this.#lastAt = now;
  }
}

/** The limit stays for so long at what the service took before one more slot is tried, ... */
const FIRST_STEADY_MS = 2_000;
/** ... after each try in vain for twice as long, up to this, ... */
const USUAL_STEADY_MS = 16_000;
/** ... or for so many times as long as each slot has waited for the end of its backoff, but no longer than that. */
const [STEADY_TO_LOST, LONGEST_STEADY_MS] = [64, 300_000];
/** How many more are tried doubles in this time, as long as the service refuses none. */
const DOUBLES_MS = 1_000;

interface Burst {
  /** Slots that the service took beside the dials that it refused, and the fewest that these may leave. */
  taken: number;
  least: number;
  /** Slots that were held at its last refusal. */
  held: number;
  until: number;
  /** For how long slots that were freed wait for that, ms, together; null: not counted, as it was no try in vain. */
  lostMs: number | null;
  /** How long the limit stays then, ms, unless that loss needs more. */
  steadyMs: number;
}

/**
 * How many slots are used of those the operator allows: after a refusal (429, capacity) as many as the service took.
 * Later one more is tried, then more. A refusal of these costs a Retry-After for all dials, which short calls feel and
 * long ones do not: the next try comes when that is less than 2 % of the time. The increase goes by time, not by answered
 * calls, as how long a person talks says nothing about the service. Times are ms of the monotonic clock.
 */
export class AdaptiveSlots {
  #most: number;
  /** The last burst of refusals. */
  #burst: Burst | null = null;
  /** Calls that ended, and in whose place no other was taken yet: the service took them, too. */
  #ended = 0;

  /** @param most the operator's concurrency, never exceeded */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * The operator allows another number of slots. What the service took and refused stays known: a limit that is held
   * lower by that grows towards the new number from where it is, any other is the new number at once.
   *
   * @param most as in the constructor
   */
  setMost(most: number, now: number): void {
    if (this.#tried(now) > 0 && this.limit(now) === this.#most) this.#burst = null;
    this.#most = most;
  }

  get most(): number {
    return this.#most;
  }

  /** @returns how many slots to use now, from 1 to the operator's limit */
  limit(now: number): number {
    if (this.#burst === null) return this.#most;
    return Math.min(this.#most, this.#burst.taken + this.#tried(now));
  }

  /** The service has taken a call. */
  placed(): void {
    this.#ended = Math.max(0, this.#ended - 1);
  }

  /** A call has ended. */
  freed(now: number): void {
    this.#ended += 1;
    const burst = this.#burst;
    if (burst !== null && burst.lostMs !== null) burst.lostMs += Math.max(0, burst.until - now);
  }

  /**
   * The service refused a dial. Refusals of dials that were in flight together are one burst: all that come
   * before its backoff ends.
   *
   * @param backoffMs how long the service asked to get no request
   * @param held slots of the campaign that are held without the refused dial
   * @returns true when it was the first of its burst
   */
  refused(now: number, backoffMs: number, held: number): boolean {
    const until = now + backoffMs;
    const burst = this.#burst;
    if (burst !== null && now < burst.until) {
      // Calls that ended meanwhile hold no slot either: one fewer for each refusal at most.
      if (held < burst.held) {
        burst.taken = Math.max(burst.least, burst.taken - 1);
        // Refusals that are recorded together all find what the last of them leaves.
        burst.held -= 1;
      } else burst.held = held;
      burst.until = Math.max(burst.until, until);
      return false;
    }
    const limit = this.limit(now);
    // The service took so many until more were tried.
    const least = burst !== null && this.#tried(now) > 0 ? Math.min(limit, burst.taken) : 1;
    const taken = Math.max(least, Math.min(limit - 1, held + this.#ended));
    this.#ended = 0;
    const isInVain = burst !== null && least === taken && least === burst.taken;
    const steadyMs = isInVain ? Math.min(2 * burst.steadyMs, USUAL_STEADY_MS) : FIRST_STEADY_MS;
    this.#burst = { taken, least, held, until, lostMs: isInVain ? 0 : null, steadyMs };
    return true;
  }

  /** How many slots are tried beyond those that the service took. */
  #tried(now: number): number {
    if (this.#burst === null) return 0;
    const { until, steadyMs, taken } = this.#burst;
    const lostMs = this.#burst.lostMs ?? 0;
    const forLost = Math.min(LONGEST_STEADY_MS, (STEADY_TO_LOST * lostMs) / taken);
    const sinceMs = now - until - Math.max(steadyMs, forLost);
    return sinceMs < 0 ? 0 : 2 ** Math.floor(sinceMs / DOUBLES_MS);
  }
}
