import type { DeliveryCount, DeliveryQuery, KeptDelivery } from '../../port.ts';
import { atMost, type Methods, type Sql } from '../sql.ts';
import {
  attemptIdOf,
  ATTEMPTS_WITH_SLOT,
  HAS_SLOT,
  IS_OPEN_CALL,
  seqOf,
} from '../tables/attempt-rows.ts';

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

/** At most this many deliveries are read at a time, so that other work on the database waits only a few ms. */
const AT_A_TIME = 1_000;

/**
 * Finds unmatched deliveries whose attempt is now known. Those of open calls are found at once, others a thousand at a
 * time in turn: other programs on the same account may cause tens of thousands.
 */
export function foundDeliveries(sql: Sql): (service: string, now: number) => string[] {
  const selectOfOpenCalls = sql.values<[{ service: string; now: number }], string>(
    `SELECT inbox.id FROM attempts INDEXED BY attempts_to_poll
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
