import type { Clock } from '../runtime/clock.ts';
import type { Notify } from '../runtime/notice.ts';
import type { VoiceService } from '../service/port.ts';

/** What it said last is used up: ask again after this, not sooner. */
const ASK_AGAIN_MS = 2_000;
/** Others call there, too: what it said is too old after this. */
const STALE_MS = 15_000;
/** That it has no room is told again after this. */
const TELL_AGAIN_MS = 60_000;

/**
 * How many calls the service itself says it would take, where its profile knows how to ask. Asked beside the
 * dials, never waited for: until the first answer nothing is claimed, later what is left of the last one.
 * Times are ms of the monotonic clock.
 */
export class ServiceCapacity {
  readonly #service: Pick<VoiceService, 'freeSlots'>;
  readonly #clock: Clock;
  readonly #notify: Notify;
  /** Its last answer, and when it was asked. */
  #free: { count: number; at: number } | null = null;
  /** Calls that were started since it was asked last: its answer may hold some of them, and does not have to. */
  #taken = 0;
  #isAsking = false;
  #toldAt = -Infinity;

  constructor(service: Pick<VoiceService, 'freeSlots'>, clock: Clock, notify: Notify) {
    this.#service = service;
    this.#clock = clock;
    this.#notify = notify;
  }

  /**
   * @param inFlight dials that are not answered yet
   * @returns how many more may be started; Infinity where nobody can say
   */
  left(inFlight: number): number {
    if (this.#service.freeSlots === undefined) return Infinity;
    const now = this.#clock.monotonic();
    const left = this.#leftOf(inFlight);
    const age = now - (this.#free?.at ?? -Infinity);
    if (!this.#isAsking && age >= (left > 0 ? STALE_MS : ASK_AGAIN_MS)) void this.#ask(now);
    return left;
  }

  /** A dial became a call, or may have. */
  taken(): void {
    this.#taken += 1;
  }

  #leftOf(inFlight: number): number {
    return Math.max(0, (this.#free?.count ?? 0) - this.#taken - inFlight);
  }

  async #ask(at: number): Promise<void> {
    this.#isAsking = true;
    const takenBefore = this.#taken;
    const count = (await this.#service.freeSlots?.()) ?? Infinity;
    this.#isAsking = false;
    this.#taken -= takenBefore;
    this.#free = { count, at };
    if (count > 0 || at - this.#toldAt < TELL_AGAIN_MS) return;
    this.#toldAt = at;
    this.#notify({ event: 'service.full' });
  }
}
