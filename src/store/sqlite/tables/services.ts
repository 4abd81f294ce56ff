import type { Sql } from '../sql.ts';

/** The longest backoff that one answer can cause, ms. */
const LONGEST_MS = 3_600_000;

/**
 * The tables `proven_services` (fingerprints of services that have answered one dial as their profile expects) and
 * `service_holds` (services that asked for no dials until a time, by Retry-After).
 */
export function serviceTables(sql: Sql) {
  const insertProven = sql.run<[fingerprint: string, at: number]>(
    'INSERT INTO proven_services VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const selectProven = sql.value<[fingerprint: string], 1>(
    'SELECT 1 FROM proven_services WHERE fingerprint = ?',
  );
  const selectBackoff = sql.row<[service: string], { until: number; forMs: number }>(
    'SELECT until, for_ms AS forMs FROM service_holds WHERE service = ?',
  );
  const putBackoff = sql.run<[service: string, until: number, forMs: number]>(
    'INSERT INTO service_holds VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET until = excluded.until, for_ms = excluded.for_ms',
  );

  /** When `service` may be dialled again, epoch ms; null: now. */
  function backoffEnd(service: string, now: number): number | null {
    const backoff = selectBackoff(service);
    if (backoff === undefined || backoff.until <= now) return null;
    // Never longer than the service asked, also after the wall clock was set back.
    return Math.min(backoff.until, now + backoff.forMs);
  }

  /** The same for the claim. Call only within a write transaction. */
  function backoffUntil(service: string, now: number): number | null {
    const end = backoffEnd(service, now);
    const backoff = end === null ? undefined : selectBackoff(service);
    // The wall clock was set back. The new end is stored, because each claim would otherwise move the end further.
    if (end !== null && backoff !== undefined && end < backoff.until)
      putBackoff(service, end, backoff.forMs);
    return end;
  }

  return {
    isProven: (fingerprint: string): boolean => selectProven(fingerprint) === 1,
    prove: insertProven,
    backoffEnd,
    backoffUntil,
    /** Of two backoffs the one that ends later counts. */
    backOff: (service: string, now: number, askedMs: number): void => {
      const forMs = Math.min(Math.round(askedMs), LONGEST_MS);
      if (now + forMs > (backoffUntil(service, now) ?? 0)) putBackoff(service, now + forMs, forMs);
    },
  };
}
