import type { Health } from '../../collect/inbox/health-route.ts';
import type { Clock } from '../../runtime/clock.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Store } from '../../store/port.ts';

/** The main loop looks over the campaigns every second; after so long without, it is not slow but stuck. */
export const STUCK_AFTER_MS = 30_000;
/** How often a write to the database is tried; in between, every commit shows whether it works. */
const TRY_EVERY_MS = 10_000;
/**
 * The files on disk are no longer those that were opened, or can no longer be written: only a new start helps. Nothing
 * is tried again, as each try would save another copy of the database.
 */
const LOST = ['STORE_GONE', 'JOURNAL_GONE', 'STORE_IO_FAILED', 'STORE_CORRUPT'];

export function isLost(error: unknown): error is AppError {
  return error instanceof AppError && LOST.includes(error.code);
}

/** Keeps in memory whether the main loop runs and the database can be written. */
export function createPulse(clock: Clock, stopping: AbortSignal) {
  let roundAt = clock.monotonic();
  let storeFails = false;
  /** The watchdog's question: a restart mends a loop that hangs, not a full disk. A stop ends the loop. */
  const goesRound = () => stopping.aborted || clock.monotonic() - roundAt <= STUCK_AFTER_MS;
  const health: Health = () => {
    if (storeFails) return 'store';
    return goesRound() ? null : 'stuck';
  };
  return {
    health,
    goesRound,
    round: (): void => {
      roundAt = clock.monotonic();
    },
    /** To be called after each commit. */
    committed: (failed: boolean): void => {
      storeFails = failed;
    },
    /** Tries every ten seconds whether the database can be written, until `signal` aborts or the database is lost. */
    tryStore: async (
      store: Pick<Store, 'assertWritable'>,
      signal: AbortSignal,
      onLost: (error: AppError) => void,
    ): Promise<void> => {
      while (!signal.aborted) {
        try {
          await store.assertWritable();
          storeFails = false;
        } catch (error) {
          storeFails = true;
          if (isLost(error)) {
            onLost(error);
            return;
          }
        }
        await clock.sleep(TRY_EVERY_MS, signal);
      }
    },
  };
}

export type Pulse = ReturnType<typeof createPulse>;
