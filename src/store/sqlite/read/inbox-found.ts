import type { Sql } from '../sql.ts';
import { ATTEMPTS_WITH_SLOT, HAS_SLOT, IS_OPEN_CALL } from '../tables/attempt-conditions.ts';

/** At most this many deliveries are read at a time, so that other work on the database waits only a few ms. */
const AT_A_TIME = 1_000;

/**
 * Finds unmatched deliveries whose attempt is known by now. Those of open calls are found at once; all others are
 * checked a thousand at a time, in turn, as other programs that use the same account may cause tens of thousands.
 */
export function foundDeliveries(sql: Sql): (service: string, now: number) => string[] {
  const selectOfOpenCalls = sql.values<[{ service: string; now: number }], string>(
    `SELECT inbox.id FROM attempts INDEXED BY attempts_to_look_at
       CROSS JOIN inbox INDEXED BY inbox_unmatched
       WHERE attempts.service = @service AND ${IS_OPEN_CALL}
         AND inbox.service = @service AND inbox.call_id = attempts.call_id
         AND inbox.state = 'unmatched' AND try_at > @now LIMIT ${AT_A_TIME}`,
  );
  const selectInTurn = sql.tuples<
    [{ service: string; after: number }],
    [id: string, tryAt: number, isFound: 0 | 1]
  >(
    `SELECT id, try_at,
         EXISTS (SELECT 1 FROM attempts WHERE service = @service AND call_id = inbox.call_id)
         OR coalesce(attempt_key, '') IN (SELECT key FROM ${ATTEMPTS_WITH_SLOT}
              WHERE ${HAS_SLOT} AND service = @service AND state <> 'placed')
       FROM inbox INDEXED BY inbox_to_do
       WHERE service = @service AND try_at > @after AND try_at IS NOT NULL AND state = 'unmatched'
       ORDER BY try_at LIMIT ${AT_A_TIME}`,
  );
  /** By service: the `try_at` up to which unmatched deliveries have been checked. */
  const readUpTo = new Map<string, number>();

  return (service, now) => {
    const before = Math.max(now, readUpTo.get(service) ?? 0);
    const rows = selectInTurn({ service, after: before });
    const last = rows.at(-1)?.[1];
    // Continue at the time of the last row, because further deliveries may have the same time.
    const next = last === undefined ? 0 : Math.max(last - 1, before + 1);
    readUpTo.set(service, rows.length < AT_A_TIME ? 0 : next);
    const found = rows.filter(([, , isFound]) => isFound === 1).map(([id]) => id);
    return [...new Set([...selectOfOpenCalls({ service, now }), ...found])];
  };
}
