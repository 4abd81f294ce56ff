import { isHeard } from '../../domain/heartbeat.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/port.ts';

/** The store takes no more rows at once. */
const ROWS_ALONE = 1_000;

/** Beside a runner: so many rows are written in about the time of one commit of its own, in whatever order their numbers come. */
const ROWS_BESIDE = 40;

/** SQLite has no queue for writers: who waits looks again every few ms, and must find the database free. */
const REST_MS = 10;

const ASK_AGAIN_MS = 1_000;

/**
 * Leaves most of the time to runners, of whatever campaign in this database, and takes all of it where there are none.
 * Without it 1 % of a runner's commits beside an import take 978 ms instead of 45 ms, on a machine with other work.
 */
export async function importThrottle(store: Store, clock: Clock) {
  let beside = await anyRunner(store, clock);
  let askedAt = clock.monotonic();
  return {
    /** How many rows the next transaction writes. */
    rows: () => (beside ? ROWS_BESIDE : ROWS_ALONE),
    /** To be waited for after each transaction. */
    rest: async () => {
      if (clock.monotonic() - askedAt >= ASK_AGAIN_MS) {
        beside = await anyRunner(store, clock);
        askedAt = clock.monotonic();
      }
      if (beside) await clock.sleep(REST_MS);
    },
  };
}

async function anyRunner(store: Store, clock: Clock): Promise<boolean> {
  for (const { id, state } of await store.listCampaigns()) {
    if (state === 'draft') continue;
    const runners = await store.runners(id);
    if (runners.some((runner) => isHeard(runner, clock.now()))) return true;
  }
  return false;
}
