import type { Clock } from '../runtime/clock.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import type { Notify } from '../runtime/notice.ts';
import type { Claim, ClaimRequest, Store } from './port.ts';

/** For so long the store waits for another program to release its lock on the database. */
export const LONGEST_LOCK_MS = 10 * 60_000;
const TRY_AGAIN_MS = 1_000;
/** After so long without a refusal the next one counts as another lock. */
const NEW_LOCK_AFTER_MS = 30_000;

export interface PatienceOptions {
  clock: Clock;
  notify: Notify;
  /** Once it aborts, a locked database is an error at once. */
  stop: AbortSignal;
}

/**
 * The same store for a run: what cannot be written because another program has locked the database waits in memory
 * and is written once the lock is released; claims give no leads meanwhile.
 *
 * Its methods may throw AppError `STORE_LOCKED_TOO_LONG` (exit 5), after ten minutes of one lock.
 */
export function patientStore(store: Store, options: PatienceOptions): Store {
  const lock = new Lock(store.location, options);

  async function claim(request: ClaimRequest): Promise<Claim> {
    try {
      return await store.claim(request);
    } catch (error) {
      lock.refused(error);
      return { intents: [], shortfall: 'store_locked', askAgainAt: null };
    }
  }

  return new Proxy(store, {
    get: (target, name) => {
      const known: unknown = Reflect.get(target, name);
      if (name === 'claim') return claim;
      if (typeof known !== 'function' || name === 'close') return known;
      return (...args: unknown[]) => lock.outwait(() => Reflect.apply(known, target, args));
    },
  });
}

/** How long the database has been locked, as far as refused writes show. */
class Lock {
  readonly #location: string;
  readonly #options: PatienceOptions;
  /** On the monotonic clock. */
  #since = 0;
  #lastRefusal = -Infinity;

  constructor(location: string, options: PatienceOptions) {
    this.#location = location;
    this.#options = options;
  }

  async outwait(work: () => unknown): Promise<unknown> {
    const { clock, stop } = this.#options;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        this.refused(error);
        if (stop.aborted) throw error;
        await clock.sleep(TRY_AGAIN_MS, stop);
      }
    }
  }

  /** Counts a refusal. @throws the error itself where no lock is its reason, and when one has lasted too long */
  refused(error: unknown): void {
    if (!(error instanceof AppError) || error.code !== 'STORE_LOCKED') throw error;
    const { clock, notify } = this.#options;
    const now = clock.monotonic();
    if (now - this.#lastRefusal > NEW_LOCK_AFTER_MS) {
      this.#since = now;
      notify({ event: 'store.locked' });
    }
    this.#lastRefusal = now;
    if (now - this.#since >= LONGEST_LOCK_MS) throw tooLong(this.#location, error);
  }
}

function tooLong(location: string, cause: AppError): AppError {
  return new AppError(
    'STORE_LOCKED_TOO_LONG',
    `The database ${location} was locked by another program for ten minutes.`,
    {
      hint: 'Close the program that holds it, then run again: nobody is called twice, and analytics that were not kept are read again.',
      exitCode: EXIT.person,
      cause,
    },
  );
}
