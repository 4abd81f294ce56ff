import type { DispatcherOptions } from './dispatcher-options.ts';

/** When the capacity of the last answer is used up, the service is asked again after this, not sooner. */
const ASK_AGAIN_MS = 2_000;
/** An answer is too old after this, because other programs place calls at the service, too. */
const STALE_MS = 15_000;
/** The operator is told of a full service at most once in this time. */
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
