import {
  transition,
  type AttemptEvent,
  type AttemptState,
  type Transition,
} from '../../../domain/attempt.ts';
import type { PastAttempt } from '../../../domain/calling/retry-hold.ts';
import { ASKED } from '../../../domain/calling/retry.ts';
import { standingOf, type LeadAttempt, type LeadNow } from '../../../domain/calling/standing.ts';
import { leadAfter, type LeadResult, type ResultSource } from '../../../domain/lead.ts';
import type { Dialled } from '../../../domain/same-call.ts';
import type { Recorded } from '../../port.ts';
import type { Sql } from '../sql.ts';
import {
  attemptId,
  attemptRows,
  COUNTS,
  IS_BEFORE_RETRY,
  MAY_HAVE_RUNG,
  seqOf,
  type AttemptRow,
  type Facts,
} from './attempt-rows.ts';
import type { CampaignTable } from './campaigns.ts';
import type { LeadEnd } from './lead-ends.ts';
import type { LeadNumberTable } from './lead-numbers.ts';
import type { LeadTable } from './leads.ts';
import type { NightTable } from './nights/nights.ts';
import { retryStatements, type SettledCall } from './retries.ts';

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
  const selectByCall = sql.value<[seq: number, callId: string], number>(
    'SELECT seq FROM attempts WHERE service = (SELECT service FROM attempts WHERE seq = ?) AND call_id = ?',
  );
  const rows = attemptRows(sql);
  const retries = retryStatements(sql, tables);
  const updateAnswered = sql.later(
    `UPDATE attempts SET answered_at = coalesce(answered_at, ?), accepted = max(accepted, ?)
     WHERE seq = ?`,
  );
  const updatePoll = sql.later(
    `UPDATE attempts SET next_poll_at = ?, polls = polls + 1, unreadable = coalesce(?, unreadable),
       detail = coalesce(?, detail) WHERE seq = ? AND state IN ('placed', 'ended')`,
  );
  const selectHadNoNumber = sql.value<[leadRow: number], 0 | 1>(
    `SELECT state = 'rejected' OR result IS NOT DISTINCT FROM 'invalid_number' FROM attempts
     WHERE lead_row = ? AND ${COUNTS} ORDER BY ordinal DESC LIMIT 1`,
  );
  const selectLead = sql.row<[leadRow: number], LeadNow & LeadEnd>(
    `SELECT state, result, result_source AS source, nullif(CASE WHEN state = 'calling' THEN was_done ELSE reason END, '') AS reason,
       callback_at AS callbackAt, state = 'calling' AND was_done IS NOT NULL AS wasDone FROM leads WHERE row = ?`,
    { flags: ['wasDone'] },
  );
  const selectAll = sql.rows<[leadRow: number], CallOfLead>(
    `SELECT seq, state, result, result_source AS source, resolution, detail FROM attempts
     WHERE lead_row = ? ORDER BY ordinal, seq`,
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
  function holderOf({ seq }: Pick<AttemptRow, 'seq'>, callId: string): string | null {
    const holder = selectByCall(seq, callId);
    return holder === undefined || holder === seq ? null : attemptId(holder);
  }

  function move(attempt: AttemptRow, to: AttemptState, event: AttemptEvent, facts: Facts): void {
    rows.move(attempt, to, event, facts);
    const { lead_row: row, seq } = attempt;
    // The lead is `calling` before and after, unless late evidence takes it out of `waiting` or `done`.
    const isOpen = (state: AttemptState) => leadAfter(state).state === 'calling';
    const stands = !isOpen(to) || !isOpen(attempt.state);
    if (stands)
      sql.ahead(() => {
        selectLead(row);
        selectAll(row);
        retries.read(seq, row, facts);
      });
    tables.nights.count(attempt, to, facts);
    if (to === 'released') tables.leads.countSpent(row);
    if (facts.wasTaken === true) tables.leads.countNotCalled(row);
    if (stands) stand(row, seq, facts);
  }

  /** Lets a lead stand as `standingOf` says; `facts` are about the attempt that has changed. */
  function stand(row: number, changed: number | null, facts: Facts): void {
    const lead = selectLead(row);
    if (lead === undefined) throw new Error(`no lead has the row ${row}`);
    const standing = standingOf(lead, selectAll(row), changed);
    if (standing.kind === 'stays' && changed !== null) tables.leads.keepFound(changed, row);
    if (standing.kind === 'calling') {
      // A late result of the last call dials nobody again.
      const wasDone = standing.wasDone || (lead.wasDone && facts.outcome?.late === true);
      if (lead.state !== 'calling' || wasDone !== lead.wasDone)
        tables.leads.markCalling(wasDone ? 1 : 0, row);
    }
    if (standing.kind === 'over')
      tables.leads.end(row, lead.wasDone ? { ...lead, ...NO_CALL } : lead);
    if (standing.kind !== 'open') return;
    const { otherwise: last } = standing;
    const told = (one: CallOfLead) => {
      const isNews = one.seq === changed && facts.outcome !== undefined;
      return { seq: one.seq, outcome: isNews ? facts.outcome : one } as SettledCall;
    };
    const reached = standing.reached && told(standing.reached);
    const end = { row, reached, at: facts.at };
    if (typeof last === 'string') {
      if (retries.endIfReached(end) || last === 'stays') return;
      tables.leads.markWaiting(facts.notBefore ?? 0, facts.detail ?? '', row);
    } else if (lead.callbackAt !== null && last.seq !== changed) {
      if (!retries.endIfReached(end)) tables.leads.markWaiting(lead.callbackAt, ASKED, row);
    } else if (last.state === 'settled') {
      retries.settle(end, told(last), lead);
    } else {
      const isNews = last.seq === changed;
      if (isNews && facts.invalidNumber === true && retries.callNextNumber(end, last.seq)) return;
      const reason = isNews ? facts.detail : last.detail;
      tables.leads.end(row, { result: last.state as LeadResult, source: 'callsheet', reason });
    }
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
      `SELECT max(intent_at, coalesce(begins_at, 0)) AS at, result, ended_at AS endedAt, ${IS_BEFORE_RETRY} AS isBeforeRetry
       FROM attempts WHERE lead_row = ? AND seq IS DISTINCT FROM ? AND ${MAY_HAVE_RUNG} ORDER BY seq`,
      { flags: ['isBeforeRetry'] },
    ),
    /** True when the last attempt of a lead was to a number that does not exist. */
    hadNoNumber: (leadRow: number): boolean => selectHadNoNumber(leadRow) === 1,
    /** For a change that no event brings; null: the lead itself was let wait again. */
    stand,
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

/** The end of a lead that was done, until the best of its attempts is known. */
const NO_CALL = { result: 'cancelled', source: 'callsheet' } as const;

/** An attempt of a lead; `result` and `source` are set if it is settled. */
interface CallOfLead extends LeadAttempt {
  source: ResultSource | null;
  detail: string | null;
}
