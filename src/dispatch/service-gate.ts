import type { PauseReason } from '../domain/campaign.ts';
import { AdaptiveSlots } from './adaptive-slots.ts';
import { Breaker } from './breaker.ts';
import type { Judgement, Pause } from './answer-policy.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import { createServiceCapacity } from './service-capacity.ts';

/** A dial is claimed only if the rate limiter would send it within this: its permit must not expire in the queue. */
const TURN_WITHIN_MS = 2_000;
/** The operator is told of a lowered limit of slots at most once in this time. */
const TELL_AGAIN_MS = 60_000;
/** A full service is checked again after this. */
const ROOM_AGAIN_MS = 500;

/** Whether dials may be sent to the service now. */
export type Admission =
  /** `atMost`: how many more dials the service allows. */
  | { kind: 'open'; atMost: number }
  /** No dial for `forMs`. */
  | { kind: 'closed'; forMs: number }
  /** No dial before a person has looked at the service. */
  | { kind: 'given_up'; pause: Pause };

/**
 * What the service's own answers allow: the limit of slots (`AdaptiveSlots`), the backoff it asked for, and whether it
 * works at all (`Breaker`). Times are of the monotonic clock: setting the wall clock must not stop a campaign.
 */
export function createServiceGate({ settings, service, clock, notify }: DispatcherOptions) {
  const slots = new AdaptiveSlots(settings.concurrency);
  settings.onChange(({ concurrency }) => {
    slots.setMost(concurrency, clock.monotonic());
  });
  const breaker = new Breaker();
  const capacity = createServiceCapacity({ service, clock, notify });
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

  /** The breaker is open: a harmless GET decides whether it may close, never a dial. */
  const probe = async (now: number): Promise<Admission> => {
    if (breaker.hasGivenUp()) return givenUp('breaker');
    if (now < breaker.probeAt) return { kind: 'closed', forMs: breaker.probeAt - now };
    const found = await service.probe();
    breaker.recordProbe(found.ok, clock.monotonic());
    if (found.ok) {
      notify({ event: 'breaker.closed' });
      return { kind: 'closed', forMs: 0 };
    }
    lastFailure = found.why;
    if (found.keyRefused) return givenUp('key');
    if (breaker.hasGivenUp()) return givenUp('breaker');
    return { kind: 'closed', forMs: breaker.probeAt - clock.monotonic() };
  };

  return {
    backOff,

    /** The limit of slots in use: the operator's, or less. */
    get slots(): number {
      return slots.limit(clock.monotonic());
    },

    /** @param inFlight dials that are not answered yet */
    ask: async (inFlight: number): Promise<Admission> => {
      const now = clock.monotonic();
      if (breaker.isOpen) return probe(now);
      if (now < backoffUntil) return { kind: 'closed', forMs: backoffUntil - now };
      if (hasRefused) tellSlots(now);
      const room = service.roomWithin?.(TURN_WITHIN_MS) ?? Infinity;
      const trial = breaker.isOnTrial ? Math.max(0, 1 - inFlight) : Infinity;
      const left = capacity.left(inFlight);
      // `closed`, not `open` with `atMost` 0: then the dispatcher checks whether the campaign was paused.
      if (left === 0 && inFlight === 0) return { kind: 'closed', forMs: ROOM_AGAIN_MS };
      return { kind: 'open', atMost: Math.min(room, trial, left) };
    },

    learn: ({ record, health, backoffMs }: Judgement): void => {
      const now = clock.monotonic();
      if (record.kind === 'placed' || record.kind === 'unknown') capacity.taken();
      if (backoffMs !== null) {
        backOff(backoffMs);
        hasRefused = true;
        if (slots.refused(now, backoffMs)) tellSlots(now);
      }
      if (health !== null && breaker.record(health, now)) {
        notify({ event: 'breaker.opened', detail: record.detail });
        lastFailure = record.detail;
      }
    },
  };
}
