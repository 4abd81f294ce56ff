import type { Sql } from '../sql.ts';

/** The database's record of the time may lag behind the newest claim by up to this, ms: not every claim writes it. */
const RECORDED_EVERY_MS = 1_000;

/**
 * A clock that only goes forward: the wall clock, plus the sum of what it was set back by. Within a process the
 * monotonic clock shows a set-back. The next process sees a set-back only when the wall clock reads less than the
 * newest recorded time, which is not so after a pause longer than the set-back.
 */
export function forwardClock(sql: Sql) {
  const read = sql.value<[key: string], number>(
    'SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?',
  );
  const write = sql.run<[key: string, value: string]>(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  let last: { forward: number; monotonic: number } | undefined;

  /**
   * @param now the wall clock, epoch ms
   * @param monotonic the monotonic clock of this process, ms
   * @returns epoch ms, later than `now` by what the wall clock was set back by
   */
  return function at(now: number, monotonic: number): number {
    const setBackMs = read('clock_set_back_ms') ?? 0;
    const recorded = read('steady_time') ?? 0;
    const passed =
      last === undefined ? recorded : last.forward + Math.floor(monotonic - last.monotonic);
    const forward = Math.max(now + setBackMs, recorded, passed);
    if (forward > now + setBackMs) write('clock_set_back_ms', String(forward - now));
    if (forward - recorded >= RECORDED_EVERY_MS) write('steady_time', String(forward));
    last = { forward, monotonic };
    return forward;
  };
}
