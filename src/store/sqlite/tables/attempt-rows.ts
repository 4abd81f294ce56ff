import type { Database } from 'better-sqlite3';
import type { AttemptEvent, AttemptState } from '../../../domain/attempt.ts';
import type { LeadResult, ResultSource } from '../../../domain/lead.ts';

/** What goes along with an event, as far as its new state keeps it. */
export interface Facts {
  at: number;
  detail: string | null;
  /** True when this is the service's own answer to the dial. */
  answered?: boolean;
  /** True when that answer was a 2xx without a usable call id. */
  accepted?: boolean;
  /** For `placed` and `ended`: when the next poll is due, epoch ms. */
  nextPollAt?: number;
  /** For `released`: when the lead may be claimed again, epoch ms. */
  notBefore?: number;
  /** For `released`: true when the service had taken the call, and ended it without ringing. */
  wasTaken?: boolean;
  /** For `settled`: what the lead becomes. */
  outcome?: { result: LeadResult; source: ResultSource };
}

/** What a decision about an attempt needs. */
export interface AttemptRow {
  seq: number;
  campaign_id: string;
  lead_row: number;
  ordinal: number;
  service: string;
  state: AttemptState;
  call_id: string | null;
  detail: string | null;
  next_look_at: number | null;
}

/** Reads one row of the table `attempts`, and writes its move to another state. */
export function attemptRows(db: Database) {
  // As arrays here and below, and bound by position: better-sqlite3 makes of a row a dictionary and looks
  // each name up in it, which takes longer than the statement itself.
  const selectAttempt = db
    .prepare<[number], AttemptColumns>(
      `SELECT seq, campaign_id, lead_row, ordinal, service, state, call_id, detail, next_look_at
       FROM attempts WHERE seq = ?`,
    )
    .raw();
  // The precondition is in the WHERE: where somebody else has moved the attempt, this changes no row.
  const updateState = db.prepare(
    `UPDATE attempts SET state = @to, detail = @detail, next_look_at = @nextPollAt,
       call_id = coalesce(@callId, call_id), released = iif(@to = 'released', seq, 0),
       slot_until = iif(@to IN ('intent', 'placed', 'unknown', 'unconfirmed'), holds_until, NULL),
       answered_at = coalesce(answered_at, iif(@answered, @at, NULL)), accepted = max(accepted, @accepted),
       result = coalesce(@result, result), result_source = coalesce(@source, result_source),
       unknown_at = iif(@to = 'unknown', @at, unknown_at),
       ended_at = CASE WHEN @to IN ('ended', 'settled', 'no_result') THEN coalesce(ended_at, @at) ELSE ended_at END,
       settled_at = CASE WHEN @to = 'settled' THEN @at END
     WHERE seq = @seq AND state = @from`,
  );
  // The two moves of a call that goes well have statements of their own: SQLite writes the indexes of every column
  // that a statement sets.
  const updatePlaced = db.prepare(
    `UPDATE attempts SET state = 'placed', detail = ?, next_look_at = ?, call_id = ?,
       answered_at = coalesce(?, answered_at) WHERE seq = ? AND state = 'intent'`,
  );
  const updateSettled = db.prepare(
    `UPDATE attempts SET state = 'settled', detail = ?, next_look_at = NULL, slot_until = NULL,
       ended_at = coalesce(ended_at, ?), settled_at = ?, result = ?, result_source = ?
     WHERE seq = ? AND state = 'placed'`,
  );
  return {
    get: (id: string): AttemptRow => {
      const row = selectAttempt.get(seqOf(id));
      if (row === undefined) throw new Error(`no attempt has the id ${id}`);
      return toAttemptRow(row);
    },
    /** Guarded: false when the attempt was not in its state any more. */
    move: (attempt: AttemptRow, to: AttemptState, event: AttemptEvent, facts: Facts): boolean => {
      return write(attempt, to, event, facts).changes === 1;
    },
  };

  function write(attempt: AttemptRow, to: AttemptState, event: AttemptEvent, facts: Facts) {
    const { seq, state: from } = attempt;
    const { at, outcome } = facts;
    const isOpen = to === 'placed' || to === 'ended';
    const callId = 'callId' in event ? event.callId : null;
    const detail = facts.detail ?? (isOpen ? attempt.detail : null);
    const nextPollAt = isOpen ? (facts.nextPollAt ?? attempt.next_look_at ?? at) : null;
    const answered = facts.answered === true;
    const result = outcome?.result ?? null;
    const source = outcome?.source ?? null;
    if (from === 'intent' && to === 'placed') {
      return updatePlaced.run(detail, nextPollAt, callId, answered ? at : null, seq);
    }
    if (from === 'placed' && to === 'settled') {
      return updateSettled.run(detail, at, at, result, source, seq);
    }
    return updateState.run({
      ...{ seq, from, to, at, detail, nextPollAt, callId, result, source },
      answered: answered ? 1 : 0,
      accepted: facts.accepted === true ? 1 : 0,
    });
  }
}

/** An attempt's id outside of this adapter. */
export function attemptId(seq: number): string {
  return `a${seq}`;
}

/** The same in SQL, of a column that has the sequence number. */
export function attemptIdOf(column: string): string {
  return `'a' || ${column}`;
}

/** The sequence number of an attempt's id. */
export function seqOf(id: string): number {
  return Number(id.slice(1));
}

type AttemptColumns = [
  seq: number,
  campaignId: string,
  leadRow: number,
  ordinal: number,
  service: string,
  state: AttemptState,
  callId: string | null,
  detail: string | null,
  nextPollAt: number | null,
];

function toAttemptRow([
  seq,
  campaign_id,
  lead_row,
  ordinal,
  service,
  state,
  call_id,
  detail,
  next_look_at,
]: AttemptColumns): AttemptRow {
  return { seq, campaign_id, lead_row, ordinal, service, state, call_id, detail, next_look_at };
}
