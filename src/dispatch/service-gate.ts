import type { PauseReason } from '../domain/campaign.ts';
import { AdaptiveSlots } from './adaptive-slots.ts';
import { Breaker } from './breaker.ts';
import type { Judgement, Pause } from './answer-policy.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import { createServiceCapacity } from './service-capacity.ts';

/** A dial is claimed only if the rate limiter would send it within this: its permit must not expire in the queue. */
const TURN_WITHIN_MS = 2_000;
/** A lowered limit of slots is told to the operator once in this time. */
const TELL_AGAIN_MS = 60_000;
/** A full service is checked again after this. */
const ROOM_AGAIN_MS = 500;

/** Whether dials may be sent to the service now. */
export type Admission =
  /** `atMost`: how many more, as far as the service is concerned. */
  | { kind: 'open'; atMost: number }
  /** Not for so many ms. */
  | { kind: 'closed'; forMs: number }
  /** Not before a person has looked at the service. */
  | { kind: 'given_up'; pause: Pause };

/**
 * What the service's own answers allow: the limit of slots (`AdaptiveSlots`), the backoff it asked for, and whether it
 * works at all (`Breaker`). On the monotonic clock: setting the wall clock must not stop a campaign.
 */
export class ServiceGate {
  readonly #options: DispatcherOptions;
  readonly #slots: AdaptiveSlots;
  readonly #breaker = new Breaker();
  readonly #room: ReturnType<typeof createServiceCapacity>;
  #backoffUntil = -Infinity;
  #hasRefused = false;
  /** Why the breaker opened, for the person who is asked to look. */
  #lastFailure = '';
  /** What the operator was told last: which limit of slots, and when. */
  #told = { limit: Infinity, at: -Infinity };

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#slots = new AdaptiveSlots(options.campaign.settings.concurrency);
    this.#room = createServiceCapacity(options);
  }

  /** The limit of slots in use: the operator's, or less. */
  get slots(): number {
    return this.#slots.limit(this.#options.clock.monotonic());
  }

  /** @param inFlight dials that are not answered yet */
  async ask(inFlight: number): Promise<Admission> {
    const now = this.#options.clock.monotonic();
    if (this.#breaker.isOpen) return this.#probe(now);
    if (now < this.#backoffUntil) return { kind: 'closed', forMs: this.#backoffUntil - now };
    if (this.#hasRefused) this.#tellSlots(now);
    const room = this.#options.service.roomWithin?.(TURN_WITHIN_MS) ?? Infinity;
    const trial = this.#breaker.isOnTrial ? Math.max(0, 1 - inFlight) : Infinity;
    const left = this.#room.left(inFlight);
    // `closed`, not `open` for none: then the dispatcher checks whether the campaign was paused.
    if (left === 0 && inFlight === 0) return { kind: 'closed', forMs: ROOM_AGAIN_MS };
    return { kind: 'open', atMost: Math.min(room, trial, left) };
  }

  /** The service asked for no request for so many ms; the longer of two backoffs counts. */
  backOff(ms: number): void {
    this.#backoffUntil = Math.max(this.#backoffUntil, this.#options.clock.monotonic() + ms);
  }

  learn({ record, health, backoffMs }: Judgement): void {
    const { clock, notify } = this.#options;
    const now = clock.monotonic();
    if (record.kind === 'placed' || record.kind === 'unknown') this.#room.taken();
    if (backoffMs !== null) {
      this.backOff(backoffMs);
      this.#hasRefused = true;
      if (this.#slots.refused(now, backoffMs)) this.#tellSlots(now);
    }
    if (health !== null && this.#breaker.record(health, now)) {
      notify({ event: 'breaker.opened', detail: record.detail });
      this.#lastFailure = record.detail;
    }
  }

  /** Tells a limit that is lower than the last one told; once a minute while the service goes on refusing. */
  #tellSlots(now: number): void {
    const limit = this.#slots.limit(now);
    const { campaign, notify } = this.#options;
    if (limit === campaign.settings.concurrency) this.#hasRefused = false;
    else if (limit < this.#told.limit || now - this.#told.at >= TELL_AGAIN_MS) {
      this.#told = { limit, at: now };
      notify({ event: 'slots.shrunk', limit });
    }
  }

  /** The breaker is open: a harmless GET decides whether it may close, never a dial. */
  async #probe(now: number): Promise<Admission> {
    const { service, clock, notify } = this.#options;
    if (this.#breaker.hasGivenUp()) return this.#givenUp('breaker');
    if (now < this.#breaker.probeAt) return { kind: 'closed', forMs: this.#breaker.probeAt - now };
    const found = await service.probe();
    this.#breaker.recordProbe(found.ok, clock.monotonic());
    if (found.ok) {
      notify({ event: 'breaker.closed' });
      return { kind: 'closed', forMs: 0 };
    }
    this.#lastFailure = found.why;
    if (found.keyRefused) return this.#givenUp('key');
    if (this.#breaker.hasGivenUp()) return this.#givenUp('breaker');
    return { kind: 'closed', forMs: this.#breaker.probeAt - clock.monotonic() };
  }

  #givenUp(reason: PauseReason): Admission {
    return { kind: 'given_up', pause: { reason, detail: this.#lastFailure } };
  }
}
