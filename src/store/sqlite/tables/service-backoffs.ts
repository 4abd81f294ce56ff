import type { Database } from 'better-sqlite3';

/** No service holds its runners for longer than this. */
const LONGEST_MS = 3_600_000;

/** The table `service_holds`: services that asked to be left alone for a time. */
export function serviceBackoffTable(db: Database) {
  const select = db.prepare<[string], Hold>(
    'SELECT until, for_ms AS forMs FROM service_holds WHERE service = ?',
  );
  const put = db.prepare<[string, number, number]>(
    'INSERT INTO service_holds VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET until = excluded.until, for_ms = excluded.for_ms',
  );

  /** Until when `service` is to be left alone, epoch ms; null when it may be dialled. Only within a write. */
  function until(service: string, now: number): number | null {
    const hold = select.get(service);
    if (hold === undefined || hold.until <= now) return null;
    const longest = now + hold.forMs;
    if (hold.until <= longest) return hold.until;
    // The wall clock was set back. Kept, or each claim would move the end on.
    put.run(service, longest, hold.forMs);
    return longest;
  }

  return {
    until,
    /** The longer of two holds counts. */
    begin(service: string, now: number, askedMs: number): void {
      const forMs = Math.min(Math.round(askedMs), LONGEST_MS);
      if (now + forMs > (until(service, now) ?? 0)) put.run(service, now + forMs, forMs);
    },
  };
}

export type ServiceBackoffTable = ReturnType<typeof serviceBackoffTable>;

interface Hold {
  until: number;
  forMs: number;
}
