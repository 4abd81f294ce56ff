import { hash } from 'node:crypto';
import { matchDelivery, type MatchCandidate } from '../../../domain/same-call.ts';
import type {
  CapturedLead,
  DeliveryDecision,
  DueDelivery,
  OldBodies,
  OpenDoubt,
} from '../../port.ts';
import type { Methods, Sql } from '../sql.ts';
import { foundDeliveries } from '../read/inbox-list.ts';
import { attemptIdOf, ATTEMPTS_WITH_SLOT, HAS_SLOT, IN_DOUBT, seqOf } from './attempt-rows.ts';
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
  const insertDelivery = sql.run(
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
  const selectNext = sql.value<[service: string], number>(
    'SELECT try_at FROM inbox WHERE service = ? AND try_at IS NOT NULL ORDER BY try_at LIMIT 1',
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
  const updateTryAt = sql.run<[tryAt: number, id: string]>(
    'UPDATE inbox SET try_at = ? WHERE id = ?',
  );
  const updateFoundByNumber = sql.run('UPDATE attempts SET found_by_number = ? WHERE seq = ?');
  const selectOld = sql.rows<[OldBodies & { until: number }], { id: string; received_at: number }>(
    `SELECT id, received_at FROM inbox INDEXED BY inbox_newest
     WHERE received_at >= @from AND received_at < @until AND service = @service AND try_at IS NULL
       AND received_at < iif(state IN ('applied', 'hint', 'ignored'), @before, @uselessBefore)
       AND body_sha256 IS NULL
     ORDER BY received_at LIMIT ${DROPPED_AT_ONCE}`,
  );
  const selectBody = sql.value<[id: string], Buffer>('SELECT body FROM inbox WHERE id = ?');
  const dropBody = sql.run<[sha256: string, id: string]>(
    "UPDATE inbox SET body = x'', headers = '{}', body_sha256 = ? WHERE id = ?",
  );

  const upsertLead = sql.run(
    `INSERT INTO captured_leads (delivery_id, attempt_seq, lead_row, captured_at, signed, fields)
     VALUES (@id, @seq, (SELECT lead_row FROM attempts WHERE seq = @seq), @capturedAt, @signed, @fields)
     ON CONFLICT (delivery_id) DO UPDATE SET attempt_seq = coalesce(excluded.attempt_seq, attempt_seq),
       lead_row = coalesce(excluded.lead_row, lead_row), signed = max(signed, excluded.signed)`,
  );
  const selectLeads = sql.rows<
    [{ campaignId: string; after: number; limit: number }],
    CapturedLead
  >(
    `SELECT CAST(captured_leads.rowid AS TEXT) AS cursor, ${attemptIdOf('attempts.seq')} AS attemptId, attempts.phone,
       attempts.call_id AS callId, attempts.service, captured_leads.signed, fields,
       iif(captured_at BETWEEN ${EARLIEST} AND ${LATEST}, captured_at, received_at) AS capturedAt
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
        if (insertDelivery(row) === 1) return true;
        if (updateTimes(row.service, row.key, row.body) === 1) {
          if (delivery.signed) updateSigned(row);
          return false;
        }
        const sha256 = hash('sha256', row.body);
        if (updateTimesOfDropped(row.service, row.key, sha256) === 1) return false;
        const key = `${row.key}~${sha256}`;
        if (insertDelivery({ ...row, key }) === 1) return true;
        if (updateTimes(row.service, key, row.body) === 0) {
          updateTimesOfDropped(row.service, key, sha256);
        }
        return false;
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
        for (const { id } of old) dropBody(hash('sha256', selectBody(id) ?? Buffer.of()), id);
        return old.length < DROPPED_AT_ONCE ? null : (old.at(-1)?.received_at ?? null);
      },
    } satisfies Partial<Methods>,
    reads: {
      capturedLeads: (campaignId, after, limit) =>
        selectLeads({ campaignId, after: Number(after ?? 0), limit }),
      // `+ 0`: see claim/intents.ts.
      dueDeliveries: sql.rows<[{ service: string; now: number; limit: number }], DueDelivery>(
        `SELECT id, received_at AS receivedAt, headers, body, signed FROM inbox
     WHERE service = @service AND try_at <= @now AND try_at IS NOT NULL ORDER BY try_at LIMIT @limit + 0`,
        { json: ['headers'], flags: ['signed'] },
      ),
      nextDeliveryAt: (service) => selectNext(service) ?? null,
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
    wake: (ids: readonly string[], now: number): void => {
      for (const id of ids) updateTryAt(now, id);
    },
  };
}
