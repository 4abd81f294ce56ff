import type { DispatcherOptions } from './dispatcher-options.ts';

/** When the capacity of the last answer is used up, the service is asked again after this, not sooner. */
const ASK_AGAIN_MS = 2_000;
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
}: Pick<DispatcherOptions, 'service' | 'clock' | 'notify'>) {
  /** The service's last answer, and when it was asked. */
  let free = { count: 0, at: -Infinity };
  /** Calls started since the last question: its answer may or may not count them, so they are subtracted. */
  let taken = 0;
  let isAsking = false;
  let toldAt = -Infinity;

  const ask = async (at: number) => {
    isAsking = true;
    const takenBefore = taken;
    const count = (await service.freeSlots?.()) ?? Infinity;
    isAsking = false;
    taken -= takenBefore;
    free = { count, at };
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
      if (!isAsking && now - free.at >= (left > 0 ? STALE_MS : ASK_AGAIN_MS)) void ask(now);
      return left;
    },
    /** To be called when a dial has started a call, or may have started one. */
    taken: (): void => {
      taken += 1;
    },
  };
}

/** A burst of refusals lowers the limit to this share, or by one for each refused dial if that lowers it more. */
const DECREASE_TO = 0.7;
/** After the backoff the limit returns within this time to the number of calls that the service did take. */
const REGROW_MS = 1_000;
/** The limit stays there for this long: each further refusal would cost another Retry-After for all dials. */
const STEADY_MS = 8_000;
/** Then the limit rises to the operator's limit within this time, unless the service refuses again. */
const EXPLORE_MS = 1_000;

/**
 * How many slots are used of those the operator allows: fewer after a refusal (429, capacity), all of them
 * nine seconds after the backoff. Multiplicative decrease, additive increase (AIMD); the increase goes by time,
 * not by answered calls, as how long a person talks says nothing about the service. Times are ms of the
 * monotonic clock.
 */
export class AdaptiveSlots {
  #most: number;
  /** The last burst of refusals: the limit before it, how many dials it refused, and when its backoff ends. */
  #burst: { inUse: number; refused: number; until: number } | null = null;

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
    if (this.#burst !== null && now - this.#burst.until > STEADY_MS) {
      // It rises already: from here on, without a jump.
      const isLower = this.limit(now) < this.#most;
      const risesFrom = { inUse: this.limit(now), refused: 0, until: now - STEADY_MS };
      this.#burst = isLower ? risesFrom : null;
    }
    this.#most = most;
  }

  get most(): number {
    return this.#most;
  }

  /** @returns how many slots to use now, from 1 to the operator's limit */
  limit(now: number): number {
    if (this.#burst === null) return this.#most;
    const { inUse, refused, until } = this.#burst;
    const taken = Math.max(1, inUse - refused);
    const low = Math.max(1, Math.min(taken, inUse * DECREASE_TO));
    const since = Math.max(0, now - until);
    const regrown = taken - (taken - low) * (1 - share(since, REGROW_MS));
    const explored = (this.#most - taken) * share(since - STEADY_MS, EXPLORE_MS);
    return Math.min(this.#most, Math.floor(regrown + explored));
  }

  /**
   * The service refused a dial. Refusals of dials that were in flight together are one burst: all that come
   * before its backoff ends.
   *
   * @param backoffMs how long the service asked to get no request
   * @returns true when it was the first of its burst
   */
  refused(now: number, backoffMs: number): boolean {
    const until = now + backoffMs;
    const burst = this.#burst;
    if (burst !== null && now < burst.until) {
      burst.refused += 1;
      burst.until = Math.max(burst.until, until);
      return false;
    }
    this.#burst = { inUse: this.limit(now), refused: 1, until };
    return true;
  }
}

/** The share of `ofMs` that has passed, limited to 0 to 1. */
function share(sinceMs: number, ofMs: number): number {
  return Math.min(1, Math.max(0, sinceMs / ofMs));
}
