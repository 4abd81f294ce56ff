import type { Analytics } from '../../../domain/analytics.ts';
import type { AttemptEvent, AttemptState } from '../../../domain/attempt.ts';
import type { AskedCallback } from '../../../domain/calling/callback.ts';
import type { LeadResult, ResultSource } from '../../../domain/lead.ts';
import type { Resolution } from '../../../domain/resolution.ts';
import type { Sql } from '../sql.ts';

/** Facts that come with an event; each is stored if the attempt's new state keeps it. */
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
  /** For `released`: true when the service had accepted the call and ended it without ringing. */
  wasTaken?: boolean;
  /** For `rejected`: true when the service said that no phone has this number. */
  invalidNumber?: boolean;
  /** For `settled`: the result of the call, and what decides whether the person is called again. */
  outcome?: CallOutcome;
  /** For `settled`: what the service says of the length and the cost of the call. */
  call?: Pick<Analytics, 'durationMs' | 'cost' | 'costCurrency'>;
}

/** `callback`: the person asked to be called again. `retryDerived`: a derived result may be retried; default false. `late`: see PollRecord. */
export interface CallOutcome {
  result: LeadResult;
  source: ResultSource;
  callback?: AskedCallback | undefined;
  retryDerived?: boolean | undefined;
  late?: boolean | undefined;
}

/** The columns of an attempt that decisions need. */
export interface AttemptRow {
  seq: number;
  campaign_id: string;
  lead_row: number;
  ordinal: number;
  service: string;
  /** Null: it is from before nights were kept. */
  night: string | null;
  intent_at: number;
  state: AttemptState;
  call_id: string | null;
  detail: string | null;
  next_look_at: number | null;
  /** How a person has settled it while it was in doubt. */
  resolution: Resolution | null;
}

/** Assignments for a dial that was sent again `@at` under its key: a call that this places begins only then. */
export const DIALLED_AGAIN = `begins_at = max(coalesce(begins_at, 0), @at),
  holds_until = max(holds_until, @until), slot_until = max(slot_until, @until)`;

/** Reads one row of the table `attempts`, and writes its move to another state. */
export function attemptRows(sql: Sql) {
  const selectAttempt = sql.row<[seq: number], AttemptRow>(
    `SELECT seq, campaign_id, lead_row, ordinal, service, night, intent_at, state, call_id, detail, next_look_at,
       resolution
     FROM attempts WHERE seq = ?`,
  );
  // The WHERE has the expected state: if another process has moved the attempt, no row changes.
  const updateState = sql.run(
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
  return {
    get: (id: string): AttemptRow => {
      const row = selectAttempt(seqOf(id));
      if (row === undefined) throw new Error(`no attempt has the id ${id}`);
      return row;
    },
    /** Guarded: false when the attempt was no longer in the state that was read. */
    move(attempt: AttemptRow, to: AttemptState, event: AttemptEvent, facts: Facts): boolean {
      const { seq, state: from } = attempt;
      const { at, outcome } = facts;
      const isOpen = to === 'placed' || to === 'ended';
      const changed = updateState({
        seq,
        from,
        to,
        at,
        detail: facts.detail ?? (isOpen ? attempt.detail : null),
        nextPollAt: isOpen ? (facts.nextPollAt ?? attempt.next_look_at ?? at) : null,
        callId: 'callId' in event ? event.callId : null,
        result: outcome?.result ?? null,
        source: outcome?.source ?? null,
        answered: facts.answered === true ? 1 : 0,
        accepted: facts.accepted === true ? 1 : 0,
      });
      return changed === 1;
    },
  };
}

/** The id by which an attempt is known outside of this adapter. */
export function attemptId(seq: number): string {
  return `a${seq}`;
}

/** An SQL expression for the id of an attempt whose sequence number is in `column`. */
export function attemptIdOf(column: string): string {
  return `'a' || ${column}`;
}

/** The sequence number of an attempt's id. */
export function seqOf(id: string): number {
  return Number(id.slice(1));
}
