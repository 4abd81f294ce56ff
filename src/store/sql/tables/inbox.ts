import { hash } from 'node:crypto';

import { TAKEN_OVER_MS } from '../../../domain/polling/shares.ts';
import { matchDelivery, type MatchCandidate } from '../../../domain/same-call.ts';
import type {
  CapturedLead,
  DeliveryCount,
  DeliveryDecision,
  DeliveryQuery,
  DueDelivery,
  KeptDelivery,
  OldBodies,
  OpenDoubt,
} from '../../port.ts';
import { atMost, type Methods, type Sql } from '../sql.ts';
import {
  attemptIdOf,
  ATTEMPTS_WITH_SLOT,
  HAS_SLOT,
  IN_DOUBT,
  IS_OPEN_CALL,
  seqOf,
} from './attempt-rows.ts';
import type { Tables } from './tables.ts';

/** At most this many bodies are dropped in one transaction, so that the webhook receiver does not wait for long. */
const DROPPED_AT_ONCE = 500;

/** Older versions stored times from services unchecked; times outside of these bounds cannot be written as dates. */
const EARLIEST = Date.UTC(2000, 0);
const LATEST = Date.UTC(2100, 0);

/**
 * The tables `inbox` (webhook deliveries and the attempts that they are about) and `captured_leads` (the fields of a
 * delivery and the attempt that they belong to).
 */
export function inboxTable(sql: Sql, { attempts }: Tables) {
  const insertDelivery = sql.runLater(
    `INSERT INTO inbox (id, service, key, received_at, headers, body, signed, try_at)
     VALUES (@id, @service, @key, @receivedAt, @headers, @body, @signed, @receivedAt)
     ON CONFLICT (service, key) DO NOTHING`,
  );
  const updateTimes = sql.run<[service: string, key: string, body: Uint8Array]>(
    'UPDATE inbox SET times = times + 1 WHERE service = ? AND key = ? AND body = ?',
  );
  // A delivery that is repeated after its body was dropped is counted, too.
  const updateTimesOfDropped = sql.run<[service: string, key: string, sha256: string]>(
    'UPDATE inbox SET times = times + 1 WHERE service = ? AND key = ? AND body_sha256 = ?',
  );
  // A delivery that came unsigned before, and now comes signed, is processed again as a signed one.
  const updateSigned = sql.run(
    `UPDATE inbox SET signed = 1, state = 'received', reason = NULL, decided_at = NULL, try_at = @receivedAt
     WHERE service = @service AND key = @key AND signed = 0 AND body_sha256 IS NULL`,
  );
  const isOwn = 'substr(id, 1, length(@receiver)) = @receiver';
  // `+ 0`: see claim/intents.ts.
  const selectDue = sql.rows<
    [{ service: string; now: number; limit: number; receiver: string }],
    DueDelivery
  >(
    `SELECT id, received_at AS receivedAt, headers, body, signed FROM inbox
     WHERE service = @service AND try_at <= @now AND try_at IS NOT NULL
       AND (${isOwn} OR received_at <= @now - ${TAKEN_OVER_MS})
     ORDER BY try_at LIMIT @limit + 0`,
    { json: ['headers'], flags: ['signed'] },
  );
  const selectNext = sql.value<[{ service: string; receiver: string; until: number }], number>(
    `SELECT try_at FROM inbox WHERE service = @service AND try_at <= @until AND try_at IS NOT NULL AND ${isOwn}
     ORDER BY try_at LIMIT 1`,
  );
  const columns = `${attemptIdOf('seq')} AS attemptId, campaign_id AS campaignId, key, service, phone, agent, state,
    call_id AS callId, intent_at AS intentAt, coalesce(answered_at, intent_at) AS placedAt, holds_until AS holdsUntil,
    polls`;
  const selectByCall = sql.row<[service: string, callId: string], Omit<MatchCandidate, 'rivals'>>(
    `SELECT ${columns} FROM attempts WHERE service = ? AND call_id = ?`,
  );
  // Few rows at any time: read once for a batch of deliveries.
  const selectInProgress = sql.rows<[], Omit<MatchCandidate, 'rivals'>>(
    `SELECT ${columns} FROM ${ATTEMPTS_WITH_SLOT} WHERE ${HAS_SLOT}`,
  );
  const updateDecided = sql.run(
    `UPDATE inbox SET state = @state, reason = @reason, type = @type, call_id = @callId,
       attempt_key = @attemptKey, attempt_seq = coalesce(@seq, attempt_seq), decided_at = @at, try_at = @tryAt
     WHERE id = @id`,
  );
  // Another process may have decided it since it was found.
  const updateTryAt = sql.run<[{ now: number; id: string }]>(
    "UPDATE inbox SET try_at = @now WHERE id = @id AND state = 'unmatched' AND try_at > @now",
  );
  const updateFoundByNumber = sql.run('UPDATE attempts SET found_by_number = ? WHERE seq = ?');
  const selectOld = sql.rows<[OldBodies & { until: number }], { id: string; received_at: number }>(
    `SELECT id, received_at FROM inbox INDEXED BY inbox_newest
     WHERE received_at >= @from AND received_at < @until AND service = @service AND try_at IS NULL
       AND received_at < CASE WHEN state IN ('applied', 'hint', 'ignored') THEN @before ELSE @uselessBefore END
       AND body_sha256 IS NULL
     ORDER BY received_at LIMIT ${DROPPED_AT_ONCE}`,
  );
  const selectBody = sql.value<[id: string], Buffer>('SELECT body FROM inbox WHERE id = ?');
  const dropBody = sql.run<[empty: Buffer, sha256: string, id: string]>(
    "UPDATE inbox SET body = ?, headers = '{}', body_sha256 = ? WHERE id = ?",
  );

  const upsertLead = sql.run(
    `INSERT INTO captured_leads (delivery_id, attempt_seq, lead_row, captured_at, signed, fields)
     VALUES (@id, @seq, (SELECT lead_row FROM attempts WHERE seq = @seq), @capturedAt, @signed, @fields)
     ON CONFLICT (delivery_id) DO UPDATE SET attempt_seq = coalesce(excluded.attempt_seq, captured_leads.attempt_seq),
       lead_row = coalesce(excluded.lead_row, captured_leads.lead_row), signed = max(captured_leads.signed, excluded.signed)`,
  );
  const selectLeads = sql.rows<
    [{ campaignId: string; after: number; limit: number }],
    CapturedLead
  >(
    `SELECT CAST(captured_leads.rowid AS TEXT) AS cursor, ${attemptIdOf('attempts.seq')} AS attemptId, attempts.phone,
       attempts.call_id AS callId, attempts.service, captured_leads.signed, fields,
       CASE WHEN captured_at BETWEEN ${EARLIEST} AND ${LATEST} THEN captured_at ELSE received_at END AS capturedAt
     FROM captured_leads JOIN attempts ON attempts.seq = captured_leads.attempt_seq
       JOIN inbox ON inbox.id = delivery_id
     WHERE captured_leads.rowid > @after AND attempts.campaign_id = @campaignId
     ORDER BY captured_leads.rowid LIMIT @limit + 0`,
    { json: ['fields'], flags: ['signed'] },
  );

  function findByCall(service: string, callId: string | null): MatchCandidate | null {
    const row = callId === null ? undefined : selectByCall(service, callId);
    if (callId === null || row === undefined) return null;
    return { ...row, rivals: attempts.rivals(service, callId, seqOf(row.attemptId)) };
  }

  function decide(decision: DeliveryDecision): void {
    const { id, lead, attemptId: attempt } = decision;
    const seq = attempt === null ? null : seqOf(attempt);
    const { at, state, reason, type, callId, attemptKey, tryAt } = decision;
    updateDecided({ id, at, state, reason, type, callId, attemptKey, tryAt, seq });
    if (lead === null) return;
    upsertLead({
      id,
      // A contradiction belongs to no attempt until a person has looked at it.
      seq: state === 'contradicted' ? null : seq,
      capturedAt: lead.capturedAt,
      signed: lead.signed ? 1 : 0,
      fields: JSON.stringify(lead.fields),
    });
  }

  return {
    keeps: {
      inboxPut: (delivery) => {
        const row = {
          ...delivery,
          headers: JSON.stringify(delivery.headers),
          signed: delivery.signed ? 1 : 0,
        };
        const added = insertDelivery(row);
        return () => {
          if (added() === 1) return true;
          if (updateTimes(row.service, row.key, row.body) === 1) {
            if (delivery.signed) updateSigned(row);
            return false;
          }
          const sha256 = hash('sha256', row.body);
          if (updateTimesOfDropped(row.service, row.key, sha256) === 1) return false;
          const key = `${row.key}~${sha256}`;
          if (insertDelivery({ ...row, key })() === 1) return true;
          if (updateTimes(row.service, key, row.body) === 0) {
            updateTimesOfDropped(row.service, key, sha256);
          }
          return false;
        };
      },
      recordEvidence: (id, { callId, at, nextPollAt, byNumber }) => {
        const attempt = attempts.get(id);
        const facts = { at, detail: null, nextPollAt };
        const recorded = attempts.apply(attempt, { type: 'evidence', callId }, facts);
        if (recorded === 'moved' && byNumber) updateFoundByNumber(1, attempt.seq);
        return recorded;
      },
      decideDeliveries: (decisions) => {
        for (const decision of decisions) decide(decision);
      },
    } satisfies Partial<Methods>,
    writes: {
      dropBodies: (query) => {
        const until = Math.max(query.before, query.uselessBefore);
        const old = selectOld({ ...query, until });
        for (const { id } of old)
          dropBody(Buffer.of(), hash('sha256', selectBody(id) ?? Buffer.of()), id);
        return old.length < DROPPED_AT_ONCE ? null : (old.at(-1)?.received_at ?? null);
      },
    } satisfies Partial<Methods>,
    reads: {
      capturedLeads: (campaignId, after, limit) =>
        selectLeads({ campaignId, after: Number(after ?? 0), limit }),
      dueDeliveries: ({ receiver = '', ...query }) => selectDue({ ...query, receiver }),
      nextDeliveryAt: (service, receiver = '', until = Infinity) =>
        selectNext({ service, receiver, until }) ?? null,
      matchDeliveries: (service, facts) => {
        let inProgress: MatchCandidate[] | undefined;
        return facts.map((each) => {
          const byCall = findByCall(service, each.callId);
          if (byCall === null)
            inProgress ??= selectInProgress().map((row) => ({ ...row, rivals: [] }));
          return matchDelivery(service, each, byCall, inProgress ?? []);
        });
      },
      openDoubts: sql.rows<[service: string, since: number], OpenDoubt>(
        `SELECT ${attemptIdOf('seq')} AS attemptId, campaign_id AS campaignId, key, phone, agent, state,
       intent_at AS intentAt, unknown_at AS since,
       resolution IS NOT NULL AS resolved
     FROM ${ATTEMPTS_WITH_SLOT} WHERE ${IN_DOUBT} AND service = ? AND intent_at >= ?
     ORDER BY seq DESC LIMIT 1000`,
        { flags: ['resolved'] },
      ),
    } satisfies Partial<Methods>,
    found: foundDeliveries(sql),
    /** @returns how many were woken */
    wake: (ids: readonly string[], now: number): number =>
      ids.reduce((woken, id) => woken + updateTryAt({ now, id }), 0),
  };
}

/** Lists deliveries for people; reads and writes the table `webhook_tokens`. */
export function inboxListStatements(sql: Sql) {
  const columns = `inbox.id, inbox.service, inbox.key, received_at AS receivedAt, times, signed, inbox.state, reason,
    type, coalesce(inbox.call_id, attempts.call_id) AS callId, ${attemptIdOf('attempt_seq')} AS attemptId, attempts.phone,
    campaigns.name AS campaign, headers, body_sha256 IS NOT NULL AS bodyDropped`;
  const joined = `LEFT JOIN attempts ON attempts.seq = attempt_seq
     LEFT JOIN campaigns ON campaigns.id = attempts.campaign_id`;
  const encoded = { json: ['headers'], flags: ['signed', 'bodyDropped'] } as const;
  const selectOf = sql.rows<[seqs: string], KeptDelivery>(
    `SELECT ${columns} FROM (SELECT CAST(value AS BIGINT) AS wanted FROM json_each(?)) AS asked CROSS JOIN inbox INDEXED BY inbox_of_attempt
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
function foundDeliveries(sql: Sql): (service: string, now: number) => string[] {
  const selectOfOpenCalls = sql.values<[{ service: string; now: number }], string>(
    `SELECT inbox.id FROM attempts INDEXED BY attempts_to_poll
       CROSS JOIN inbox INDEXED BY inbox_unmatched ON true
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
       ORDER BY try_at, inbox.rowid LIMIT ${AT_A_TIME}`,
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
