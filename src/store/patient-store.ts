import type { Clock } from '../runtime/clock.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import type { Notify } from '../runtime/log.ts';
import type { Claim, ClaimRequest, Store } from './port.ts';

/** How long the store waits for another program to release its lock on the database, or for its server. */
export const LONGEST_LOCK_MS = 10 * 60_000;
const TRY_AGAIN_MS = 1_000;
/** A refused write counts as a new lock when the previous refusal is longer ago than this. */
const NEW_LOCK_AFTER_MS = 30_000;

export interface PatienceOptions {
  clock: Clock;
  notify: Notify;
  /** Once this signal has aborted, a locked database or a server that is away is an error at once. */
  stop: AbortSignal;
}

/** Wrapped stores with the store inside. */
const impatient = new WeakMap<Store, Store>();

/**
 * Wraps a store: what fails because another program has locked the database, or because its server is away, is repeated
 * until the lock ends or the server is back; claims give no leads until then. Its methods may throw AppError
 * `STORE_LOCKED_TOO_LONG` and `STORE_AWAY_TOO_LONG` (exit 5) after ten minutes of it.
 */
export function patientStore(given: Store, options: PatienceOptions): Store {
  const store = impatient.get(given) ?? given;
  const lock = lockOf(store.name, options);

  async function claim(request: ClaimRequest): Promise<Claim> {
    try {
      const claimed = await store.claim(request);
      lock.released();
      return claimed;
    } catch (error) {
      lock.refused(error);
      return { intents: [], shortfall: 'store_locked', askAgainAt: null, settings: null };
    }
  }

  /** Only its opening waits: what was read of it is written elsewhere already, and would be written twice. */
  const snapshot: Store['snapshot'] = async (id, use) => {
    let isOpen = false;
    const ended = await lock.outwait(async () => {
      try {
        const value = await store.snapshot(id, (opened) => {
          isOpen = true;
          return use(opened);
        });
        return { value };
      } catch (error) {
        if (!isOpen) throw error;
        return { error };
      }
    });
    if ('error' in ended) throw ended.error;
    return ended.value;
  };

  const patient = new Proxy(store, {
    get: (target, name) => {
      const known: unknown = Reflect.get(target, name);
      if (name === 'claim') return claim;
      if (name === 'snapshot') return snapshot;
      // Reading pages waits for no lock.
      if (typeof known !== 'function' || name === 'close' || name === 'pages') return known;
      return (...args: unknown[]) =>
        lock.outwait<unknown>(() => Reflect.apply(known, target, args));
    },
  });
  impatient.set(patient, store);
  return patient;
}

/** What is waited for, and what is said of it. */
const WAITED_FOR: Readonly<
  Record<string, { event: 'store.locked' | 'store.away'; tooLong: TooLong }>
> = {
  STORE_LOCKED: { event: 'store.locked', tooLong: lockedTooLong },
  STORE_AWAY: { event: 'store.away', tooLong: awayTooLong },
};
type TooLong = (name: string, cause: AppError) => AppError;

/** Measures how long the database has been locked or away, from the first refused write or opening on. */
export function lockOf(name: string, { clock, notify, stop }: PatienceOptions) {
  /** Time of the first refusal of this lock, on the monotonic clock, ms; null: the database is not locked. */
  let since: number | null = null;
  let lastRefusal = -Infinity;
  let lastEvent: string | undefined;
  /** Shared by all refused writes: Node warns when more than ten listen to one signal. */
  let pause: Promise<void> | null = null;

  /** Records a refused write. @throws the error itself when it is not waited for, or another after ten minutes of it */
  function refused(error: unknown): void {
    const waited = error instanceof AppError ? WAITED_FOR[error.code] : undefined;
    if (waited === undefined) throw error;
    const now = clock.monotonic();
    // Many short locks count as one.
    const isNew = now - lastRefusal > NEW_LOCK_AFTER_MS;
    if (isNew || lastEvent !== waited.event) notify({ event: waited.event });
    since = isNew ? now : (since ?? now);
    lastRefusal = now;
    lastEvent = waited.event;
    if (now - since >= LONGEST_LOCK_MS) throw waited.tooLong(name, error as AppError);
  }

  /** Records that a write has succeeded. Reads succeed during a lock, too, and prove nothing. */
  function released(): void {
    since = null;
  }

  async function outwait<T>(work: () => T | Promise<T>): Promise<T> {
    for (let wasRefused = false; ; wasRefused = true) {
      try {
        const done = await work();
        if (wasRefused) released();
        return done;
      } catch (error) {
        refused(error);
        if (stop.aborted) throw error;
        pause ??= clock.sleep(TRY_AGAIN_MS, stop).finally(() => (pause = null));
        await pause;
      }
    }
  }

  return { refused, released, outwait };
}

function lockedTooLong(name: string, cause: AppError): AppError {
  return new AppError(
    'STORE_LOCKED_TOO_LONG',
    `The database ${name} was locked by another program for ten minutes.`,
    {
      hint: 'Close the program that holds it, then run again: nobody is called twice, and analytics that were not kept are read again.',
      exitCode: EXIT.person,
      cause,
    },
  );
}

function awayTooLong(name: string, cause: AppError): AppError {
  return new AppError(
    'STORE_AWAY_TOO_LONG',
    `The server of the database ${name} did not answer for ten minutes.`,
    {
      hint: 'Start the server or mend the way to it, then run again: nobody is called twice, and analytics that were not kept are read again.',
      exitCode: EXIT.person,
      cause,
    },
  );
}
