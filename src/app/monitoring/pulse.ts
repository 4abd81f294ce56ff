import {
  goesRound,
  healthOf,
  readinessOf,
  type HealthAnswers,
  type Vitals,
} from '../../domain/monitoring/health.ts';
import type { Clock } from '../../runtime/clock.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Store } from '../../store/port.ts';

/** How often it is tried whether the database could be written; between two tries every write tells it, too. */
const TRY_EVERY_MS = 10_000;
/** After these nothing is tried again: each try would save another copy of the database. */
const LOST = ['STORE_GONE', 'JOURNAL_GONE'];

/** Keeps what is known of how a `serve` does. Asking costs nothing: nobody who asks makes it work. */
export function createPulse(clock: Clock, stopping: AbortSignal) {
  let roundAt = clock.monotonic();
  let listening = false;
  let storeFails = false;

  const vitals = (): Vitals => ({
    listening,
    stopping: stopping.aborted,
    sinceRoundMs: clock.monotonic() - roundAt,
    storeFails,
  });
  const health: HealthAnswers = {
    healthz: () => healthOf(vitals()),
    readyz: () => readinessOf(vitals()),
  };
  return {
    health,
    goesRound: () => goesRound(vitals()),
    /** To be called whenever the loop looks over the campaigns. */
    round: (): void => {
      roundAt = clock.monotonic();
    },
    listens: (): void => {
      listening = true;
    },
    /** To be called after each commit. */
    committed: ({ failed }: { failed: boolean }): void => {
      storeFails = failed;
    },
    /** Tries again and again whether the database could be written, until `signal` aborts. */
    tryStore: async (store: Pick<Store, 'assertWritable'>, signal: AbortSignal): Promise<void> => {
      while (!signal.aborted) {
        try {
          await store.assertWritable();
          storeFails = false;
        } catch (error) {
          storeFails = true;
          if (error instanceof AppError && LOST.includes(error.code)) return;
        }
        await clock.sleep(TRY_EVERY_MS, signal);
      }
    },
  };
}

export type Pulse = ReturnType<typeof createPulse>;
