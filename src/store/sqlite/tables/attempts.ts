import {
  transition,
  type AttemptEvent,
  type AttemptState,
  type Transition,
} from '../../../domain/attempt.ts';
import type { PastAttempt } from '../../../domain/calling/retry-hold.ts';
import { leadAfter, type LeadState } from '../../../domain/lead.ts';
import type { Dialled } from '../../../domain/same-call.ts';
import type { Recorded } from '../../port.ts';
import type { Sql } from '../sql.ts';
import { COUNTS, MAY_HAVE_RUNG } from './attempt-conditions.ts';
import { attemptId, attemptRows, seqOf, type AttemptRow, type Facts } from './attempt-rows.ts';
import type { CampaignTable } from './campaigns.ts';
import type { LeadNumberTable } from './lead-numbers.ts';
import type { LeadTable } from './leads.ts';
import type { NightTable } from './nights/nights.ts';
import { retryStatements } from './retries.ts';

/** The table `attempts`, with the only function that applies events to its rows, and the table `contested_calls`. */
export function attemptTable(
  sql: Sql,
  tables: {
    campaigns: CampaignTable;
    leads: LeadTable;
    nights: NightTable;
    numbers: LeadNumberTable;
  },
) {
  const selectByCall = sql.value<[service: string, callId: string], number>(
    'SELECT seq FROM attempts WHERE service = ? AND call_id = ?',
  );
  const rows = attemptRows(sql);
  const retries = retryStatements(sql, tables);
  const updateAnswered = sql.run(
    `UPDATE attempts SET answered_at = coalesce(answered_at, ?), accepted = max(accepted, ?)
     WHERE seq = ?`,
  );
  const updatePoll = sql.run(
    `UPDATE attempts SET next_look_at = ?, looks = looks + 1, unreadable = coalesce(?, unreadable),
       detail = coalesce(?, detail) WHERE seq = ? AND state IN ('placed', 'ended')`,
  );
  const selectHadNoNumber = sql.value<[leadRow: number], 0 | 1>(
    `SELECT state = 'rejected' OR result IS 'invalid_number' FROM attempts
     WHERE lead_row = ? AND ${COUNTS} ORDER BY ordinal DESC LIMIT 1`,
  );
  const selectOthers = sql.row<[OtherAttempts], { open: number; lead: LeadState | null }>(
    `SELECT
       EXISTS (SELECT 1 FROM attempts WHERE lead_row = @row AND seq <> @seq
         AND ${COUNTS} AND (state = 'intent' OR state = 'unknown' OR state = 'placed' OR state = 'ended')) AS open,
       (SELECT state FROM leads WHERE row = @row AND EXISTS (SELECT 1 FROM attempts
         WHERE lead_row = @row AND ordinal > @ordinal AND ${COUNTS})) AS lead`,
  );

  /** Decides by `transition`, writes attempt and lead, and records a contradiction in the history. */
  function apply(attempt: AttemptRow, event: AttemptEvent, facts: Facts): Recorded {
    const decided = decide(attempt, event);
    if (decided.kind !== 'move' && facts.answered === true) {
      updateAnswered(facts.at, facts.accepted === true ? 1 : 0, attempt.seq);
    }
    if (decided.kind === 'stay') return 'stayed';
    if (decided.kind === 'conflict') {
      tables.campaigns.addContradiction(attempt.campaign_id, facts.at, {
        attempt: attemptId(attempt.seq),
        why: decided.why,
        event,
        detail: facts.detail,
      });
      return 'conflict';
    }
    move(attempt, decided.to, event, facts);
    return 'moved';
  }

  function decide(attempt: AttemptRow, event: AttemptEvent): Transition {
    // If this attempt has the call id already, the unique index on call ids ensures that no other attempt has it.
    if ('callId' in event && event.callId !== attempt.call_id) {
      const holder = holderOf(attempt, event.callId);
      if (holder !== null) {
        return { kind: 'conflict', why: `call ${event.callId} is attempt ${holder} already` };
      }
    }
    return transition({ state: attempt.state, callId: attempt.call_id }, event);
  }

  /** The other attempt that has this call, or null. */
  function holderOf(
    { seq, service }: Pick<AttemptRow, 'seq' | 'service'>,
    callId: string,
  ): string | null {
    const holder = selectByCall(service, callId);
    return holder === undefined || holder === seq ? null : attemptId(holder);
  }

  function move(attempt: AttemptRow, to: AttemptState, event: AttemptEvent, facts: Facts): void {
    if (!rows.move(attempt, to, event, facts))
      throw new Error(`attempt ${attempt.seq} was not ${attempt.state} any more`);
    tables.nights.count(attempt, to, facts);
    moveLead(attempt, to, facts);
  }

  function moveLead(attempt: AttemptRow, to: AttemptState, facts: Facts): void {
    const after = leadAfter(to);
    const { lead_row: row } = attempt;
    if (to === 'released') tables.leads.countSpent(row);
    if (facts.wasTaken === true) tables.leads.countNotCalled(row);
    // The lead is `calling` before and after, unless late evidence takes it out of `waiting` or `done`.
    if (after.state === 'calling' && leadAfter(attempt.state).state === 'calling') return;
    if (isDecidedByAnother(attempt, after.state, to === 'settled')) return;
    if (after.state === 'calling') {
      tables.leads.markCalling(row);
    } else if (after.state === 'waiting') {
      letWait(attempt, facts.notBefore ?? 0, facts.detail ?? '', facts.at);
    } else if (after.result === 'of_the_call') {
      if (facts.outcome === undefined) throw new Error('a settled call needs its outcome');
      retries.settle(attempt, facts.outcome, facts.at);
    } else if (facts.invalidNumber !== true || !retries.callNextNumber(attempt, facts.at)) {
      tables.leads.end(row, { result: after.result, source: 'callsheet', reason: facts.detail });
    }
  }

  /** The lead waits again, unless another of its calls has ended it meanwhile. */
  function letWait(attempt: AttemptRow, notBefore: number, reason: string, at: number): void {
    if (retries.endIfReached(attempt, at)) return;
    tables.leads.markWaiting(notBefore, reason, attempt.lead_row);
  }

  /** True when another attempt of the lead decides its state: one that is still open, or a later one that counts. */
  function isDecidedByAnother(
    { lead_row: row, seq, ordinal }: AttemptRow,
    to: LeadState,
    isEvidence: boolean,
  ): boolean {
    const { open, lead } = selectOthers({ row, seq, ordinal }) ?? { open: 0, lead: null };
    if (open === 1) return to !== 'calling';
    // Late evidence of an earlier call does not reopen a lead that its last attempt has ended.
    if (lead === 'done') return true;
    // Analytics end a lead that waits for another call; an attempt without a result leaves the lead waiting.
    return lead === 'waiting' && to !== 'calling' && !isEvidence;
  }

  return {
    get: rows.get,
    apply,
    holderOf,
    /**
     * The attempts of a lead, without attempt `seq`, after which a phone rang or may have rung, in the order they began;
     * for `retryHold`.
     */
    past: sql.rows<[leadRow: number, seq: number | null], PastAttempt>(
      `SELECT max(intent_at, coalesce(begins_at, 0)) AS at, result, ended_at AS endedAt FROM attempts
       WHERE lead_row = ? AND seq IS NOT ? AND ${MAY_HAVE_RUNG} ORDER BY seq`,
    ),
    /** True when the last attempt of a lead was to a number that does not exist. */
    hadNoNumber: (leadRow: number): boolean => selectHadNoNumber(leadRow) === 1,
    /** Lets the lead wait again because a person says so, unless another of its attempts decides its state. */
    letWait: (attempt: AttemptRow, reason: string, at: number): void => {
      if (!isDecidedByAnother(attempt, 'waiting', false)) letWait(attempt, 0, reason, at);
    },
    postponePoll: (
      id: string,
      nextPollAt: number,
      detail: string | null,
      raw: string | null,
    ): void => {
      updatePoll(nextPollAt, raw, detail, seqOf(id));
    },
    /** Records that this dial was answered with a call id that another attempt has. */
    contest: sql.run<[service: string, callId: string, seq: number, at: number]>(
      'INSERT INTO contested_calls (service, call_id, attempt_seq, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    /** Key, number and agent of other dials (other keys) that were answered with the call id of attempt `seq`. */
    rivals: sql.rows<[service: string, callId: string, seq: number], Dialled>(
      `SELECT attempts.key, attempts.phone, attempts.agent FROM contested_calls
     JOIN attempts ON attempts.seq = attempt_seq
     WHERE contested_calls.service = ? AND contested_calls.call_id = ?
       AND attempts.key <> (SELECT key FROM attempts WHERE seq = ?)`,
    ),
  };
}

/** Names one attempt; a query with these parameters is about the lead's other attempts. */
type OtherAttempts = Record<'row' | 'seq' | 'ordinal', number>;
