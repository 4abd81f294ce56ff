import type { Database } from 'better-sqlite3';
import { attemptIdOf } from '../tables/attempt-rows.ts';
import type { DeliveryCount, DeliveryQuery, DeliveryState, KeptDelivery } from '../../port.ts';

/** Deliveries as people see them; the table `webhook_tokens`. */
export function inboxListStatements(db: Database) {
  const columns = `inbox.id, inbox.service, inbox.key, received_at AS receivedAt, times, signed, inbox.state, reason,
    type, coalesce(inbox.call_id, attempts.call_id) AS callId, ${attemptIdOf('attempt_seq')} AS attemptId, attempts.phone,
    campaigns.name AS campaign, headers, body_sha256 IS NOT NULL AS bodyDropped`;
  const joined = `LEFT JOIN attempts ON attempts.seq = attempt_seq
     LEFT JOIN campaigns ON campaigns.id = attempts.campaign_id`;
  const selectNewest = db.prepare<[DeliveryQuery], KeptRow>(
    `SELECT ${columns} FROM inbox INDEXED BY inbox_newest ${joined}
     WHERE (@state IS NULL OR inbox.state = @state) AND (@service IS NULL OR inbox.service = @service)
     ORDER BY received_at DESC LIMIT @limit`,
  );
  const selectOne = db.prepare<[string], KeptRow & { body: Buffer }>(
    `SELECT ${columns}, body FROM inbox ${joined} WHERE inbox.id = ?`,
  );
  const selectCounts = db.prepare<[], DeliveryCount>(
    'SELECT service, state, count(*) AS count FROM inbox GROUP BY service, state ORDER BY service, state',
  );
  const again =
    "UPDATE inbox SET state = 'received', reason = NULL, decided_at = NULL, try_at = @now";
  const updateOne = db.prepare<{ id: string; now: number }>(
    `${again} WHERE id = @id AND body_sha256 IS NULL`,
  );
  const updateState = db.prepare<{ state: string; now: number }>(
    `${again} WHERE state = @state AND body_sha256 IS NULL`,
  );
  const insertToken = db.prepare(
    'INSERT INTO webhook_tokens VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const selectToken = db
    .prepare<[string], string>('SELECT token FROM webhook_tokens WHERE service = ?')
    .pluck();

  return {
    reads: {
      listDeliveries: (query: DeliveryQuery): KeptDelivery[] => selectNewest.all(query).map(toKept),
      findDelivery: (id: string): (KeptDelivery & { body: Uint8Array }) | undefined => {
        const row = selectOne.get(id);
        return row === undefined ? undefined : { ...toKept(row), body: row.body };
      },
      countDeliveries: (): DeliveryCount[] => selectCounts.all(),
    },
    replayDeliveries: (
      query: { ids: readonly string[] } | { state: DeliveryState },
      now: number,
    ): number => {
      if ('state' in query) return updateState.run({ state: query.state, now }).changes;
      return query.ids.reduce((sum, id) => sum + updateOne.run({ id, now }).changes, 0);
    },
    token: (service: string, fresh: string, now: number): string => {
      insertToken.run(service, fresh, now);
      return selectToken.get(service) ?? fresh;
    },
    knownToken: (service: string): string | undefined => selectToken.get(service),
  };
}

interface KeptRow extends Omit<KeptDelivery, 'signed' | 'headers' | 'bodyDropped'> {
  signed: 0 | 1;
  headers: string;
  bodyDropped: 0 | 1;
}

function toKept(row: KeptRow): KeptDelivery {
  return {
    ...row,
    signed: row.signed === 1,
    headers: JSON.parse(row.headers) as Record<string, string>,
    bodyDropped: row.bodyDropped === 1,
  };
}
