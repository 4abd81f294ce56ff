import type { DispatcherOptions } from './dispatcher-options.ts';

/** When the capacity of the last answer is used up, the service is asked again after this, not sooner. */
const ASK_AGAIN_MS = 2_000;
/** An answer is too old after this: others place calls at the service, too. */
const STALE_MS = 15_000;
/** A full service is told to the operator once in this time. */
const TELL_AGAIN_MS = 60_000;

/**
 * How many more calls the service itself says it would take, where its profile knows how to ask. Asked in the
 * background: nothing is claimed before the first answer, and then as many as are left of the last one. Times are ms
 * of the monotonic clock.
 */
export class ServiceCapacity {
  readonly #options: Pick<DispatcherOptions, 'service' | 'clock' | 'notify'>;
  /** Its last answer, and when it was asked. */
  #free: { count: number; at: number } | null = null;
  /** Calls started since the last question: its answer may or may not count them, so they are subtracted. */
  #taken = 0;
  #isAsking = false;
  #toldAt = -Infinity;

  constructor(options: Pick<DispatcherOptions, 'service' | 'clock' | 'notify'>) {
    this.#options = options;
  }

  /**
   * @param inFlight dials that are not answered yet
   * @returns how many more may be started; Infinity where the service cannot be asked
   */
  left(inFlight: number): number {
    const { service, clock } = this.#options;
    if (service.freeSlots === undefined) return Infinity;
    const now = clock.monotonic();
    const left = Math.max(0, (this.#free?.count ?? 0) - this.#taken - inFlight);
    const age = now - (this.#free?.at ?? -Infinity);
    if (!this.#isAsking && age >= (left > 0 ? STALE_MS : ASK_AGAIN_MS)) void this.#ask(now);
    return left;
  }

  /** To be called when a dial became a call, or may have. */
  taken(): void {
    this.#taken += 1;
  }

  async #ask(at: number): Promise<void> {
    this.#isAsking = true;
    const takenBefore = this.#taken;
    const count = (await this.#options.service.freeSlots?.()) ?? Infinity;
    this.#isAsking = false;
    this.#taken -= takenBefore;
    this.#free = { count, at };
    if (count > 0 || at - this.#toldAt < TELL_AGAIN_MS) return;
    this.#toldAt = at;
    this.#options.notify({ event: 'service.full' });
  }
}
