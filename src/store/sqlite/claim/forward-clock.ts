import type { Database } from 'better-sqlite3';

/** The next process finds a time that is older than the last claim by less than this, ms. */
const KEPT_FOR_MS = 1_000;

/**
 * A clock that only goes forward: the wall clock, plus all that it was set back by. A process sees by its
 * monotonic clock that it was; the next process only where the wall clock reads less than the newest time that is
 * kept here: after a pause longer than what the clock was set back by, that cannot be seen.
 */
export function forwardClock(db: Database) {
  const read = db
    .prepare<[string], number>('SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?')
    .pluck();
  const keep = db.prepare<[string, string]>(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  let last: { steady: number; monotonic: number } | undefined;

  /**
   * @param now the wall clock, epoch ms
   * @param monotonic the monotonic clock of this process, ms
   * @returns epoch ms, later than `now` by what the wall clock was set back by
   */
  return function at(now: number, monotonic: number): number {
    const setBackMs = read.get('clock_set_back_ms') ?? 0;
    const kept = read.get('steady_time') ?? 0;
    const passed = last === undefined ? kept : last.steady + Math.floor(monotonic - last.monotonic);
    const steady = Math.max(now + setBackMs, kept, passed);
    if (steady > now + setBackMs) keep.run('clock_set_back_ms', String(steady - now));
    if (steady - kept >= KEPT_FOR_MS) keep.run('steady_time', String(steady));
    last = { steady, monotonic };
    return steady;
  };
}
