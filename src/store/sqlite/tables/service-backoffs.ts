import type { Database } from 'better-sqlite3';

/** No service keeps its runners from dialling for longer than this at a time. */
const LONGEST_MS = 3_600_000;

/** The table `service_holds`: services that asked for no more dials for a time (Retry-After). */
export function serviceBackoffTable(db: Database) {
  const select = db.prepare<[string], { until: number; forMs: number }>(
    'SELECT until, for_ms AS forMs FROM service_holds WHERE service = ?',
  );
  const put = db.prepare<[string, number, number]>(
    'INSERT INTO service_holds VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET until = excluded.until, for_ms = excluded.for_ms',
  );

  /** Until when `service` gets no dial, epoch ms; null when it may be dialled. Only within a write transaction. */
  function until(service: string, now: number): number | null {
    const backoff = select.get(service);
    if (backoff === undefined || backoff.until <= now) return null;
    const longest = now + backoff.forMs;
    if (backoff.until <= longest) return backoff.until;
    // The wall clock was set back. Written, or each claim would move the end on.
    put.run(service, longest, backoff.forMs);
    return longest;
  }

  return {
    until,
    /** Of two backoffs the one that ends later counts. */
    begin: (service: string, now: number, askedMs: number): void => {
      const forMs = Math.min(Math.round(askedMs), LONGEST_MS);
      if (now + forMs > (until(service, now) ?? 0)) put.run(service, now + forMs, forMs);
    },
  };
}

export type ServiceBackoffTable = ReturnType<typeof serviceBackoffTable>;
