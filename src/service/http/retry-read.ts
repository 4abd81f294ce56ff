import pRetry from 'p-retry';
import type { Options as RetryOptions } from 'p-retry';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';

/** What the pauses between repeated reads need. */
export interface RetryContext {
  clock: Clock;
  random: Random;
  /** Aborts when the service is closed: nothing is repeated then. */
  closing: AbortSignal;
}

export interface RetryPolicy {
  /** At most so many after the first. */
  retries: number;
  /** The first pause is one to two times this, ms; each further one twice that. */
  firstPauseMs: number;
  /**
   * Whether a failure may be over in a moment: the ms that the service asked to wait, null where it asked for
   * nothing, undefined where repeating is of no use. `retries`: how many there were before.
   */
  pauseOf: (error: unknown, retries: number) => number | null | undefined;
}

/**
 * Repeats a read that has just failed, as long as its failures are of the kind that passes. Reads only: a
 * dial is never repeated here. p-retry comes in after the first failure, since few of very many reads fail.
 *
 * @param failure what the first try threw
 * @throws the last failure
 */
export async function retryRead<T>(
  { clock, random, closing }: RetryContext,
  { retries, firstPauseMs, pauseOf }: RetryPolicy,
  failure: unknown,
  again: () => Promise<T>,
): Promise<T> {
  const attempt = (number: number) => {
    if (number === 1) throw failure;
    return again();
  };
  const options: RetryOptions = {
    retries,
    // The pause is ours, on our clock; p-retry's own would be a timer that no test can move.
    minTimeout: 0,
    onFailedAttempt: async ({ error, retriesLeft, retriesConsumed }) => {
      const asked = pauseOf(error, retriesConsumed);
      if (retriesLeft === 0 || asked === undefined) return;
      const own = firstPauseMs * 2 ** retriesConsumed * (1 + random());
      await clock.sleep(Math.max(own, asked ?? 0), closing);
    },
    shouldRetry: ({ error, retriesConsumed }) =>
      pauseOf(error, retriesConsumed) !== undefined && !closing.aborted,
  };
  return pRetry(attempt, options);
}
