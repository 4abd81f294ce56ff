/** A refusal takes three tenths of the slots, or one for each dial that was refused where that is more. */
const DECREASE_TO = 0.7;
/** From what the decrease left to what the service took before, once it may be dialled again. */
const REGROW_MS = 1_000;
/** So long no more than that is asked for: every try too many costs a Retry-After for all. */
const STEADY_MS = 8_000;
/** Then up to all that the operator allows, in this time, unless it refuses again. */
const EXPLORE_MS = 1_000;

/**
 * How many slots are used of those the operator allows: fewer after a refusal (429, capacity), all of them
 * nine seconds after the service may be dialled again. Multiplicative decrease and additive increase, by time
 * and not by calls: how long a person talks says nothing about the service. Times are ms of one clock, the
 * monotonic one.
 */
export class AdaptiveSlots {
  readonly #most: number;
  /** The last burst of refusals: what was in use before it, how many dials it refused, until when it holds. */
  #burst: { inUse: number; refused: number; until: number } | null = null;

  /** @param most the operator's concurrency, never exceeded */
  constructor(most: number) {
    this.#most = most;
  }

  /** 1 to the operator's limit. */
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
   * The service takes no more calls for now. Dials that were in flight together are refused together: one
   * burst, until the service may be dialled again.
   *
   * @param backoffMs how long it wants to be left alone
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

/** 0 before, 1 after, and evenly in between. */
function share(sinceMs: number, ofMs: number): number {
  return Math.min(1, Math.max(0, sinceMs / ofMs));
}
