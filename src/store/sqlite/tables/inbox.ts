import type { Database } from 'better-sqlite3';
import {
  matchDelivery,
  type DeliveryFacts,
  type DeliveryMatch,
  type MatchCandidate,
} from '../../../domain/delivery-match.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { Dialled } from '../../../domain/same-call.ts';
import type {
  Delivery,
  DeliveryDecision,
  DueDelivery,
  Evidence,
  OldBodies,
  OpenDoubt,
  Recorded,
} from '../../port.ts';
import { attemptId, seqOf } from './attempt-rows.ts';
import type { AttemptTable } from './attempts.ts';
import type { CapturedLeadTable } from './captured-leads.ts';
import type { ContestedCallTable } from './contested-calls.ts';
import { bodyHash, inboxBodyStatements } from './inbox-bodies.ts';
import { foundDeliveries } from '../read/inbox-found.ts';

/** The table `inbox`: what services sent, and which attempts it speaks of. */
export function inboxTable(
  db: Database,
  tables: {
    attempts: AttemptTable;
    capturedLeads: CapturedLeadTable;
    contested: ContestedCallTable;
  },
) {
  const insertDelivery = db.prepare(
    `INSERT INTO inbox (id, service, key, received_at, headers, body, signed, try_at)
     VALUES (@id, @service, @key, @receivedAt, @headers, @body, @signed, @receivedAt)
     ON CONFLICT (service, key) DO NOTHING`,
  );
  const updateTimes = db.prepare(
    'UPDATE inbox SET times = times + 1 WHERE service = ? AND key = ? AND body = ?',
  );
  const bodies = inboxBodyStatements(db);
  // Once proved, a delivery that came unproved before counts for what it says.
  const updateSigned = db.prepare(
    `UPDATE inbox SET signed = 1, state = 'received', reason = NULL, decided_at = NULL, try_at = @receivedAt
     WHERE service = @service AND key = @key AND signed = 0 AND body_sha256 IS NULL`,
  );
  // `+ 0`: a bare parameter as the limit would be compiled anew at every use.
  const selectDue = db.prepare<{ service: string; now: number; limit: number }, DueRow>(
    `SELECT id, received_at, headers, body, signed FROM inbox
     WHERE service = @service AND try_at <= @now AND try_at IS NOT NULL ORDER BY try_at LIMIT @limit + 0`,
  );
  const selectNext = db
    .prepare<[string], number>(
      'SELECT try_at FROM inbox WHERE service = ? AND try_at IS NOT NULL ORDER BY try_at LIMIT 1',
    )
    .pluck();
  const columns =
    'seq, campaign_id, key, service, phone, agent, state, call_id, intent_at, answered_at, holds_until, looks';
  const selectByCall = db.prepare<[string, string], CandidateRow>(
    `SELECT ${columns} FROM attempts WHERE service = ? AND call_id = ?`,
  );
  // Few rows at any time: read once for a whole batch of deliveries.
  const selectInProgress = db.prepare<[], CandidateRow>(
    `SELECT ${columns} FROM attempts INDEXED BY attempts_holding
     WHERE slot_until IS NOT NULL`,
  );
  const selectDoubts = db.prepare<[string, number], DoubtRow>(
    `SELECT seq, campaign_id, key, phone, state, intent_at, unknown_at, resolution
     FROM attempts INDEXED BY attempts_holding
     WHERE slot_until IS NOT NULL AND service = ? AND state IN ('unknown', 'unconfirmed') AND intent_at >= ?
     ORDER BY seq DESC LIMIT 1000`,
  );
  const updateDecided = db.prepare(
    `UPDATE inbox SET state = @state, reason = @reason, type = @type, call_id = @callId,
       attempt_key = @attemptKey, attempt_seq = coalesce(@seq, attempt_seq), decided_at = @at, try_at = @tryAt
     WHERE id = @id`,
  );
  const updateTryAt = db.prepare('UPDATE inbox SET try_at = ? WHERE id = ?');
  const updateFoundByNumber = db.prepare('UPDATE attempts SET found_by_number = ? WHERE seq = ?');

  function rivalsOf({ seq, call_id: callId, service }: CandidateRow): Dialled[] {
    return callId === null ? [] : tables.contested.rivals(service, callId, seq);
  }

  function match(service: string, facts: readonly DeliveryFacts[]): DeliveryMatch[] {
    let inProgress: MatchCandidate[] | undefined;
    return facts.map((each) => {
      const row = each.callId === null ? undefined : selectByCall.get(service, each.callId);
      const byCall = row === undefined ? null : { ...toCandidate(row), rivals: rivalsOf(row) };
      if (byCall === null) inProgress ??= selectInProgress.all().map(toCandidate);
      return matchDelivery(service, each, byCall, inProgress ?? []);
    });
  }

  function decide(decision: DeliveryDecision): void {
    const { id, lead, attemptId: attempt } = decision;
    const seq = attempt === null ? null : seqOf(attempt);
    const { at, state, reason, type, callId, attemptKey, tryAt } = decision;
    updateDecided.run({ id, at, state, reason, type, callId, attemptKey, tryAt, seq });
    // What contradicts is nobody's: a person has to look at it.
    if (lead !== null) tables.capturedLeads.keep(id, state === 'contradicted' ? null : seq, lead);
  }

  return {
    put(delivery: Delivery): boolean {
      const row = {
        ...delivery,
        headers: JSON.stringify(delivery.headers),
        signed: delivery.signed ? 1 : 0,
      };
      if (insertDelivery.run(row).changes === 1) return true;
      if (updateTimes.run(row.service, row.key, row.body).changes === 1) {
        if (delivery.signed) updateSigned.run(row);
        return false;
      }
      const sha256 = bodyHash(row.body);
      if (bodies.isRepeated(row.service, row.key, sha256)) return false;
      const key = `${row.key}~${sha256}`;
      if (insertDelivery.run({ ...row, key }).changes === 1) return true;
      if (updateTimes.run(row.service, key, row.body).changes === 0) {
        bodies.isRepeated(row.service, key, sha256);
      }
      return false;
    },
    due: (query: { service: string; now: number; limit: number }): DueDelivery[] =>
      selectDue.all(query).map((row) => ({
        id: row.id,
        receivedAt: row.received_at,
        headers: JSON.parse(row.headers) as Record<string, string>,
        body: row.body,
        signed: row.signed === 1,
      })),
    nextAt: (service: string): number | null => selectNext.get(service) ?? null,
    match,
    doubts: (service: string, since: number): OpenDoubt[] =>
      selectDoubts.all(service, since).map(toDoubt),
    recordEvidence(id: string, { callId, at, nextPollAt, byNumber }: Evidence): Recorded {
      const attempt = tables.attempts.get(id);
      const facts = { at, detail: null, nextPollAt };
      const recorded = tables.attempts.apply(attempt, { type: 'evidence', callId }, facts);
      if (recorded === 'moved' && byNumber) updateFoundByNumber.run(1, attempt.seq);
      return recorded;
    },
    decide(decisions: readonly DeliveryDecision[]): void {
      for (const decision of decisions) decide(decision);
    },
    dropBodies: (query: OldBodies) => bodies.drop(query),
    /** Those without an attempt that have one now. */
    found: foundDeliveries(db),
    wake(ids: readonly string[], now: number): void {
      for (const id of ids) updateTryAt.run(now, id);
    },
  };
}

interface DueRow {
  id: string;
  received_at: number;
  headers: string;
  body: Buffer;
  signed: 0 | 1;
}

interface DoubtRow {
  seq: number;
  campaign_id: string;
  key: string;
  phone: E164;
  state: OpenDoubt['state'];
  intent_at: number;
  unknown_at: number | null;
  resolution: string | null;
}

function toDoubt(row: DoubtRow): OpenDoubt {
  return {
    attemptId: attemptId(row.seq),
    campaignId: row.campaign_id,
    key: row.key,
    phone: row.phone,
    state: row.state,
    intentAt: row.intent_at,
    since: row.unknown_at,
    resolved: row.resolution !== null,
  };
}

interface CandidateRow {
  seq: number;
  campaign_id: string;
  key: string;
  service: string;
  phone: string;
  agent: string;
  state: MatchCandidate['state'];
  call_id: string | null;
  intent_at: number;
  answered_at: number | null;
  holds_until: number;
  looks: number;
}

function toCandidate(row: CandidateRow): MatchCandidate {
  return {
    attemptId: attemptId(row.seq),
    campaignId: row.campaign_id,
    key: row.key,
    service: row.service,
    phone: row.phone,
    agent: row.agent,
    rivals: [],
    state: row.state,
    callId: row.call_id,
    intentAt: row.intent_at,
    placedAt: row.answered_at ?? row.intent_at,
    holdsUntil: row.holds_until,
    polls: row.looks,
  };
}
