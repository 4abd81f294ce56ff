import type { Database } from 'better-sqlite3';
import {
  matchDelivery,
  type DeliveryFacts,
  type DeliveryMatch,
  type MatchCandidate,
} from '../../../domain/delivery-match.ts';
import type {
  Delivery,
  DeliveryDecision,
  DueDelivery,
  Evidence,
  OldBodies,
  OpenDoubt,
  Recorded,
} from '../../port.ts';
import { ATTEMPTS_WITH_SLOT, HAS_SLOT, IN_DOUBT } from './attempt-conditions.ts';
import { attemptId, attemptIdOf, seqOf } from './attempt-rows.ts';
import type { AttemptTable } from './attempts.ts';
import type { CapturedLeadTable } from './captured-leads.ts';
import type { ContestedCallTable } from './contested-calls.ts';
import { bodyHash, inboxBodyStatements } from './inbox-bodies.ts';
import { foundDeliveries } from '../read/inbox-found.ts';

/** The table `inbox`: webhook deliveries, and which attempts they speak of. */
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
  // A delivery that came unsigned before and comes with its signature now counts for what it says.
  const updateSigned = db.prepare(
    `UPDATE inbox SET signed = 1, state = 'received', reason = NULL, decided_at = NULL, try_at = @receivedAt
     WHERE service = @service AND key = @key AND signed = 0 AND body_sha256 IS NULL`,
  );
  // `+ 0`: see claim/intents.ts.
  const selectDue = db.prepare<{ service: string; now: number; limit: number }, DueRow>(
    `SELECT id, received_at AS receivedAt, headers, body, signed FROM inbox
     WHERE service = @service AND try_at <= @now AND try_at IS NOT NULL ORDER BY try_at LIMIT @limit + 0`,
  );
  const selectNext = db
    .prepare<[string], number>(
      'SELECT try_at FROM inbox WHERE service = ? AND try_at IS NOT NULL ORDER BY try_at LIMIT 1',
    )
    .pluck();
  const columns = `seq, campaign_id AS campaignId, key, service, phone, agent, state, call_id AS callId,
    intent_at AS intentAt, coalesce(answered_at, intent_at) AS placedAt, holds_until AS holdsUntil, looks AS polls`;
  const selectByCall = db.prepare<[string, string], CandidateRow>(
    `SELECT ${columns} FROM attempts WHERE service = ? AND call_id = ?`,
  );
  // Few rows at any time: read once for a batch of deliveries.
  const selectInProgress = db.prepare<[], CandidateRow>(
    `SELECT ${columns} FROM ${ATTEMPTS_WITH_SLOT} WHERE ${HAS_SLOT}`,
  );
  const selectDoubts = db.prepare<[string, number], DoubtRow>(
    `SELECT ${attemptIdOf('seq')} AS attemptId, campaign_id AS campaignId, key, phone, state,
       intent_at AS intentAt, unknown_at AS since,
       resolution IS NOT NULL AS resolved
     FROM ${ATTEMPTS_WITH_SLOT} WHERE ${IN_DOUBT} AND service = ? AND intent_at >= ?
     ORDER BY seq DESC LIMIT 1000`,
  );
  const updateDecided = db.prepare(
    `UPDATE inbox SET state = @state, reason = @reason, type = @type, call_id = @callId,
       attempt_key = @attemptKey, attempt_seq = coalesce(@seq, attempt_seq), decided_at = @at, try_at = @tryAt
     WHERE id = @id`,
  );
  const updateTryAt = db.prepare('UPDATE inbox SET try_at = ? WHERE id = ?');
  const updateFoundByNumber = db.prepare('UPDATE attempts SET found_by_number = ? WHERE seq = ?');

  function match(service: string, facts: readonly DeliveryFacts[]): DeliveryMatch[] {
    let inProgress: MatchCandidate[] | undefined;
    return facts.map((each) => {
      const byCall = findByCall(service, each.callId);
      if (byCall === null) inProgress ??= selectInProgress.all().map((row) => toCandidate(row, []));
      return matchDelivery(service, each, byCall, inProgress ?? []);
    });
  }

  function findByCall(service: string, callId: string | null): MatchCandidate | null {
    const row = callId === null ? undefined : selectByCall.get(service, callId);
    if (callId === null || row === undefined) return null;
    return toCandidate(row, tables.contested.rivals(service, callId, row.seq));
  }

  function decide(decision: DeliveryDecision): void {
    const { id, lead, attemptId: attempt } = decision;
    const seq = attempt === null ? null : seqOf(attempt);
    const { at, state, reason, type, callId, attemptKey, tryAt } = decision;
    updateDecided.run({ id, at, state, reason, type, callId, attemptKey, tryAt, seq });
    // A contradiction belongs to no attempt until a person has looked at it.
    if (lead !== null) tables.capturedLeads.keep(id, state === 'contradicted' ? null : seq, lead);
  }

  return {
    put: (delivery: Delivery): boolean => {
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
    reads: {
      dueDeliveries: (query: { service: string; now: number; limit: number }): DueDelivery[] =>
        selectDue.all(query).map((row) => ({
          ...row,
          headers: JSON.parse(row.headers) as Record<string, string>,
          signed: row.signed === 1,
        })),
      nextDeliveryAt: (service: string): number | null => selectNext.get(service) ?? null,
      matchDeliveries: match,
      openDoubts: (service: string, since: number): OpenDoubt[] =>
        selectDoubts.all(service, since).map((row) => ({
          ...row,
          resolved: row.resolved === 1,
        })),
    },
    recordEvidence: (id: string, { callId, at, nextPollAt, byNumber }: Evidence): Recorded => {
      const attempt = tables.attempts.get(id);
      const facts = { at, detail: null, nextPollAt };
      const recorded = tables.attempts.apply(attempt, { type: 'evidence', callId }, facts);
      if (recorded === 'moved' && byNumber) updateFoundByNumber.run(1, attempt.seq);
      return recorded;
    },
    decide: (decisions: readonly DeliveryDecision[]): void => {
      for (const decision of decisions) decide(decision);
    },
    dropBodies: (query: OldBodies) => bodies.drop(query),
    /** Those that had no attempt and have one now. */
    found: foundDeliveries(db),
    wake: (ids: readonly string[], now: number): void => {
      for (const id of ids) updateTryAt.run(now, id);
    },
  };
}

interface DueRow extends Omit<DueDelivery, 'headers' | 'signed'> {
  headers: string;
  signed: 0 | 1;
}

interface DoubtRow extends Omit<OpenDoubt, 'resolved'> {
  resolved: 0 | 1;
}

interface CandidateRow extends Omit<MatchCandidate, 'attemptId' | 'rivals'> {
  seq: number;
}

function toCandidate(
  { seq, ...row }: CandidateRow,
  rivals: MatchCandidate['rivals'],
): MatchCandidate {
  return { ...row, attemptId: attemptId(seq), rivals };
}
