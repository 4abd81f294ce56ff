import pRetry from 'p-retry';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';

/** What the pauses between two tries need. */
export interface RetryContext {
  clock: Clock;
  random: Random;
  /** Aborts when the service is closed: no retry begins after that. */
  closing: AbortSignal;
}

export interface RetryPolicy<T> {
  /** Retries after the first try, at most. */
  retries: number;
  /** The first pause is one to two times this, in ms; each further pause is twice as long. */
  firstPauseMs: number;
  /**
   * False: this failure is not worth another try. `retries`: how many were made. Default: every failure is worth one.
   */
  isWorthRetrying?: (failure: TransientFailure<T>, retries: number) => boolean;
}

/** A read failed in a way that may be over in a moment: no answer, 429 or 5xx. */
export class TransientFailure<T> extends Error {
  /** What the caller gets when no retry succeeds. */
  readonly outcome: T;
  /** What Retry-After asks for, in ms; null: nothing. */
  readonly waitMs: number | null;

  constructor(outcome: T, waitMs: number | null = null) {
    super('a read failed');
    this.outcome = outcome;
    this.waitMs = waitMs;
  }
}

/**
 * Runs a read, and retries it while it throws `TransientFailure`, with exponential backoff and jitter. For reads only:
 * a retried dial could be a second call.
 *
 * @returns the last failure if no try succeeded
 * @throws anything else that `read` throws, at once
 */
export async function retryRead<T, F>(
  { clock, random, closing }: RetryContext,
  { retries, firstPauseMs, isWorthRetrying = () => true }: RetryPolicy<F>,
  read: () => Promise<T>,
): Promise<T | TransientFailure<F>> {
  const isRetried = (error: unknown, made: number): error is TransientFailure<F> =>
    error instanceof TransientFailure && isWorthRetrying(error as TransientFailure<F>, made);
  try {
    return await pRetry(read, {
      retries,
      // The pause is made below, on our own clock, because tests cannot control p-retry's timer.
      minTimeout: 0,
      onFailedAttempt: async ({ error, retriesLeft, retriesConsumed }) => {
        if (retriesLeft === 0 || !isRetried(error, retriesConsumed)) return;
        const backoffMs = firstPauseMs * 2 ** retriesConsumed * (1 + random());
        await clock.sleep(Math.max(backoffMs, error.waitMs ?? 0), closing);
      },
      shouldRetry: ({ error, retriesConsumed }) =>
        isRetried(error, retriesConsumed) && !closing.aborted,
    });
  } catch (error) {
    if (error instanceof TransientFailure) return error as TransientFailure<F>;
    throw error;
  }
}
