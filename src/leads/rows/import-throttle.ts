import { isHeard } from '../../domain/heartbeat.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/port.ts';

/** Rows in a transaction while no runner is at work: the most that the store takes at once. */
const ROWS_ALONE = 1_000;

/**
 * Rows in a transaction while a runner is at work: they take about as long as one of the runner's own commits, in
 * whatever order their numbers come.
 */
const ROWS_BESIDE = 40;

/** SQLite has no queue for writers: a waiting process retries every few ms, and must then find the database free. */
const REST_MS = 10;

const ASK_AGAIN_MS = 1_000;

/**
 * Leaves most of the database's time to the runners of all its campaigns; without a runner, the import takes all of it.
 * Without this throttle, the slowest 1 % of a runner's commits during an import take 978 ms instead of 45 ms, on a
 * machine with other work.
 */
export async function importThrottle(store: Store, clock: Clock) {
  let beside = await anyRunner(store, clock);
  let askedAt = clock.monotonic();
  return {
    /** How many rows the next transaction writes. */
    rows: () => (beside ? ROWS_BESIDE : ROWS_ALONE),
    /** To be awaited after each transaction. */
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
