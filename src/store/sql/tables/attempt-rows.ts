import type { AttemptEvent, AttemptState } from '../../../domain/attempt.ts';
import { CALLABLE_AGAIN, type AskedCallback } from '../../../domain/calling/retry.ts';
import { BEST_FIRST } from '../../../domain/calling/standing.ts';
import type { Analytics, LeadResult, ResultSource } from '../../../domain/lead.ts';
import type { Resolution } from '../../../domain/resolution.ts';
import { DAY_MS } from '../../../domain/time-units.ts';
import type { Sql } from '../sql.ts';

/**
 * Reads attempts that hold a slot or are in doubt through their index, which has few rows at any time. The statement
 * must also have a condition that implies that `slot_until` is set.
 */
export const ATTEMPTS_WITH_SLOT = 'attempts INDEXED BY attempts_holding';

/** The attempt may hold a slot: its state is intent, placed, unknown or unconfirmed. */
export const HAS_SLOT = 'attempts.slot_until IS NOT NULL';

/** The attempt holds a slot at the parameter `now`: a call is, or may be, in progress. */
export const HOLDS_SLOT = 'attempts.slot_until > @now';

/** It is not known whether the call was made. */
export const IN_DOUBT = `attempts.state IN ('unknown', 'unconfirmed') AND ${HAS_SLOT}`;

/** In doubt, and no person has resolved it. */
export const UNRESOLVED = `${IN_DOUBT} AND attempts.resolution IS NULL`;

/** The service has taken the call, and its analytics are still to come. */
export const IS_OPEN_CALL = 'attempts.next_poll_at IS NOT NULL';

/** The attempt counts for its lead, as it was not released; `state` is a column of the innermost table. */
export const COUNTS = "state <> 'released'";

/**
 * The phone rang or may have rung. This excludes attempts that were released, that the service refused or never rang,
 * and that a person has resolved as not placed.
 */
export const MAY_HAVE_RUNG = `attempts.state <> 'released' AND attempts.state <> 'rejected'
  AND attempts.result IS DISTINCT FROM 'invalid_number'
  AND (attempts.state <> 'unconfirmed' OR attempts.resolution IS DISTINCT FROM 'not_placed')`;

/** A call of the lead may still get another end, so that the lead waits again. */
export const MAY_TURN_OUT = `EXISTS (SELECT 1 FROM attempts
  WHERE lead_row = leads.row AND attempts.state IN ('unconfirmed', 'no_result', 'rejected'))`;

/** An operator has let the lead be called again since the attempt, so that `retry.attempts` does not count it. */
export const IS_BEFORE_RETRY = `attempts.seq <= coalesce((SELECT retried_after FROM leads
  WHERE leads.row = attempts.lead_row), 0)`;

/** The lead is done, and nobody was reached: an operator may let it be called again. */
export const MAY_BE_RETRIED = `state = 'done' AND (${CALLABLE_AGAIN.map((result) => `result = '${result}'`).join(' OR ')})`;

/** The attempt has an end that may become its lead's result; one that a person resolved as not placed has none. */
export const HAS_END = `(attempts.state = 'settled' OR attempts.state = 'rejected' OR attempts.state = 'no_result'
  OR attempts.state = 'unconfirmed' AND attempts.resolution IS DISTINCT FROM 'not_placed')`;

/**
 * The place of an attempt in `BEST_FIRST`, in a table or under an alias. Attempts that are still open come before all
 * others, those that a person resolved as not placed come last.
 */
export function bestRank(table: string): string {
  const ranks = BEST_FIRST.map((result, i) => `WHEN '${result}' THEN ${i}`).join(' ');
  return `CASE WHEN ${table}.state = 'unconfirmed' AND ${table}.resolution = 'not_placed' THEN ${BEST_FIRST.length}
    ELSE CASE coalesce(${table}.result, ${table}.state) ${ranks} ELSE -1 END END`;
}

/** The length of a `dial_period` of `attempts`, ms. */
export const DIAL_PERIOD_MS = 28 * DAY_MS;

/** The newest and the oldest period in which a number was dialled; NULL: none was. */
export const NEWEST_PERIOD = 'SELECT max(dial_period) FROM attempts INDEXED BY attempts_of_phone';
const OLDEST_PERIOD = 'SELECT min(dial_period) FROM attempts INDEXED BY attempts_of_phone';

export const PERIODS = `(WITH RECURSIVE period (n) AS (${NEWEST_PERIOD} UNION ALL
    SELECT n - 1 FROM period WHERE n > (${OLDEST_PERIOD})) SELECT n FROM period) AS period`;

export const ATTEMPTS_OF_PERIOD =
  'attempts INDEXED BY attempts_of_phone ON attempts.dial_period = period.n';

/** Attempts of one number, of all times, once `attempts.phone` is compared. */
export const ATTEMPTS_BY_PHONE = `${PERIODS}
  CROSS JOIN ${ATTEMPTS_OF_PERIOD}`;

/** Counts the slots held at a time (epoch ms): by one campaign, or at one service over all campaigns. */
export function slotCounter(sql: Sql, by: 'campaign_id' | 'service') {
  const count = sql.value<[id: string, now: number], number>(
    `SELECT count(*) FROM ${ATTEMPTS_WITH_SLOT} WHERE ${by} = ? AND slot_until > ?`,
  );
  return (id: string, now: number): number => count(id, now) ?? 0;
}

/** Only a copy of the database can lack an attempt. */
export class NoAttempt extends Error {}

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
  next_poll_at: number | null;
  /** The person's answer while it was in doubt. */
  resolution: Resolution | null;
}

/** Assignments for a dial that was sent again `@at` under its key: a call that this places begins only then. */
export const DIALLED_AGAIN = `begins_at = max(coalesce(begins_at, 0), @at),
  holds_until = max(holds_until, @until), slot_until = max(slot_until, @until)`;

/** Reads one row of the table `attempts`, and writes its move to another state. */
export function attemptRows(sql: Sql) {
  const selectAttempt = sql.row<[seq: number], AttemptRow>(
    `SELECT seq, campaign_id, lead_row, ordinal, service, night, intent_at, state, call_id, detail, next_poll_at,
       resolution
     FROM attempts WHERE seq = ?`,
  );
  const updateState = sql.later(
    `UPDATE attempts SET state = @to, detail = @detail, next_poll_at = @nextPollAt,
       call_id = coalesce(@callId, call_id), released = CASE WHEN @to = 'released' THEN seq ELSE 0 END,
       slot_until = CASE WHEN @to IN ('intent', 'placed', 'unknown', 'unconfirmed') THEN holds_until END,
       answered_at = coalesce(answered_at, CASE WHEN @answered = 1 THEN @at END), accepted = max(accepted, @accepted),
       result = coalesce(@result, result), result_source = coalesce(@source, result_source),
       unknown_at = CASE WHEN @to = 'unknown' THEN @at ELSE unknown_at END,
       ended_at = CASE WHEN @to IN ('ended', 'settled', 'no_result') THEN coalesce(ended_at, @at) ELSE ended_at END,
       settled_at = CASE WHEN @to = 'settled' THEN @at END
     WHERE seq = @seq AND state = @from`,
    'one',
  );
  return {
    get: (id: string): AttemptRow => {
      const row = selectAttempt(seqOf(id));
      if (row === undefined) throw new NoAttempt(`no attempt has the id ${id}`);
      return row;
    },
    /** Guarded: fails when the attempt is no longer in the state that was read. */
    move(attempt: AttemptRow, to: AttemptState, event: AttemptEvent, facts: Facts): void {
      const { seq, state: from } = attempt;
      const { at, outcome } = facts;
      const isOpen = to === 'placed' || to === 'ended';
      updateState({
        seq,
        from,
        to,
        at,
        detail: facts.detail ?? (isOpen ? attempt.detail : null),
        nextPollAt: isOpen ? (facts.nextPollAt ?? attempt.next_poll_at ?? at) : null,
        callId: 'callId' in event ? event.callId : null,
        result: outcome?.result ?? null,
        source: outcome?.source ?? null,
        answered: facts.answered === true ? 1 : 0,
        accepted: facts.accepted === true ? 1 : 0,
      });
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
