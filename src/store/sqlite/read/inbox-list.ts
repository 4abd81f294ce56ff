import type { DeliveryCount, DeliveryQuery, KeptDelivery } from '../../port.ts';
import { atMost, type Methods } from '../methods.ts';
import type { Sql } from '../sql.ts';
import { attemptIdOf, seqOf } from '../tables/attempt-rows.ts';

/** Lists deliveries for people; reads and writes the table `webhook_tokens`. */
export function inboxListStatements(sql: Sql) {
  const columns = `inbox.id, inbox.service, inbox.key, received_at AS receivedAt, times, signed, inbox.state, reason,
    type, coalesce(inbox.call_id, attempts.call_id) AS callId, ${attemptIdOf('attempt_seq')} AS attemptId, attempts.phone,
    campaigns.name AS campaign, headers, body_sha256 IS NOT NULL AS bodyDropped`;
  const joined = `LEFT JOIN attempts ON attempts.seq = attempt_seq
     LEFT JOIN campaigns ON campaigns.id = attempts.campaign_id`;
  const encoded = { json: ['headers'], flags: ['signed', 'bodyDropped'] } as const;
  const selectOf = sql.rows<[seqs: string], KeptDelivery>(
    `SELECT ${columns} FROM (SELECT value AS wanted FROM json_each(?)) AS asked CROSS JOIN inbox INDEXED BY inbox_of_attempt
       ON attempt_seq = asked.wanted ${joined} ORDER BY received_at, inbox.id`,
    encoded,
  );
  const selectNewest = sql.rows<[Required<DeliveryQuery>], KeptDelivery>(
    `SELECT ${columns} FROM inbox INDEXED BY inbox_newest ${joined}
     WHERE (@state IS NULL OR inbox.state = @state) AND (@service IS NULL OR inbox.service = @service)
       AND (@after IS NULL OR (received_at, inbox.rowid) <
         (SELECT last.received_at, last.rowid FROM inbox AS last WHERE last.id = @after))
       AND received_at <= coalesce((SELECT last.received_at FROM inbox AS last WHERE last.id = @after), 9e15)
     ORDER BY received_at DESC, inbox.rowid DESC LIMIT @limit`,
    encoded,
  );
  const again =
    "UPDATE inbox SET state = 'received', reason = NULL, decided_at = NULL, try_at = @now";
  const updateOne = sql.run<[{ id: string; now: number }]>(
    `${again} WHERE id = @id AND body_sha256 IS NULL`,
  );
  const updateState = sql.run<[{ state: string; service: string | null; now: number }]>(
    `${again} WHERE state = @state AND service = coalesce(@service, service) AND body_sha256 IS NULL`,
  );
  const insertToken = sql.run<[service: string, token: string, at: number]>(
    'INSERT INTO webhook_tokens VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const selectToken = sql.value<[service: string], string>(
    'SELECT token FROM webhook_tokens WHERE service = ?',
  );

  return {
    reads: {
      listDeliveries: (query) => selectNewest({ after: null, ...query }),
      deliveriesOf: (ids) => selectOf(JSON.stringify(atMost(ids, 'deliveriesOf').map(seqOf))),
      findDelivery: sql.row<[id: string], KeptDelivery & { body: Buffer }>(
        `SELECT ${columns}, body FROM inbox ${joined} WHERE inbox.id = ?`,
        encoded,
      ),
      countDeliveries: sql.rows<[], DeliveryCount>(
        'SELECT service, state, count(*) AS count FROM inbox GROUP BY service, state ORDER BY service, state',
      ),
    } satisfies Partial<Methods>,
    writes: {
      replayDeliveries: (query, now) => {
        if ('state' in query) return updateState({ service: null, ...query, now });
        return query.ids.reduce((sum, id) => sum + updateOne({ id, now }), 0);
      },
    } satisfies Partial<Methods>,
    token: (service: string, fresh: string, now: number): string => {
      insertToken(service, fresh, now);
      return selectToken(service) ?? fresh;
    },
    knownToken: selectToken,
  };
}
