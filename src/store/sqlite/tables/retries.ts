import { FINAL_RESULTS } from '../../../domain/calling/best-attempt.ts';
import { callbackOf, type Callback } from '../../../domain/calling/callback.ts';
import {
  afterCall,
  RETRY_RESULTS,
  UNANSWERED,
  type AfterCall,
  type RetryPolicy,
} from '../../../domain/calling/retry.ts';
import type { LeadResult, LeadState, ResultSource } from '../../../domain/lead.ts';
import { dayIn, momentsOf } from '../../../text/wall-clock.ts';
import type { Sql } from '../sql.ts';
import { callingTimes, closedAt } from '../claim/calling-times.ts';
import { bestRank, COUNTS, MAY_HAVE_RUNG } from './attempt-conditions.ts';
import type { AttemptRow, CallOutcome } from './attempt-rows.ts';
import type { CampaignTable } from './campaigns.ts';
import type { LeadNumberTable } from './lead-numbers.ts';
import type { LeadTable } from './leads.ts';

/** Decides by `afterCall` whether a lead ends or waits for another call, in the transaction that settles a call. */
export function retryStatements(
  sql: Sql,
  tables: { campaigns: CampaignTable; leads: LeadTable; numbers: LeadNumberTable },
) {
  const { campaigns, leads, numbers } = tables;
  const timesOf = callingTimes();
  const ofLead = 'FROM attempts WHERE attempts.lead_row = leads.row';
  const unanswered = UNANSWERED.map((result) => `attempts.result = '${result}'`).join(' OR ');
  const selectCall = sql.row<[seq: number], CallRow>(
    `SELECT max(this.intent_at, coalesce(this.begins_at, 0)) AS beganAt, this.ended_at AS endedAt,
       leads.zone_key AS zoneKey, campaigns.id AS campaignId,
       campaigns.settings ->> '$.retry' AS retry, campaigns.settings ->> '$.timezone' AS timezone,
       campaigns.policy_version AS policyVersion,
       (SELECT count(*) ${ofLead} AND ${MAY_HAVE_RUNG}) AS rung,
       (SELECT count(*) ${ofLead} AND attempts.phone = this.phone AND (${unanswered})) AS unanswered
     FROM attempts AS this JOIN leads ON leads.row = this.lead_row
       JOIN campaigns ON campaigns.id = leads.campaign_id WHERE this.seq = ?`,
    { json: ['retry'] },
  );
  const isFinal = FINAL_RESULTS.map((result) => `attempts.result = '${result}'`).join(' OR ');
  const selectReached = sql.row<[{ row: number; seq: number; ordinal: number }], ReachedCall>(
    `SELECT attempts.seq, attempts.result, attempts.result_source AS source, callback_at AS callbackAt
     FROM attempts JOIN leads ON leads.row = lead_row
     WHERE lead_row = @row AND attempts.seq <> @seq AND ordinal <> @ordinal AND attempts.${COUNTS}
       AND attempts.state = 'settled' AND (resolution = 'not_placed' OR ${isFinal})
     ORDER BY ${bestRank('attempts')} LIMIT 1`,
  );
  const selectLead = sql.row<[row: number], { state: LeadState; callbackAt: number | null }>(
    'SELECT state, callback_at AS callbackAt FROM leads WHERE row = ?',
  );

  /** @param at when the result came, epoch ms */
  function settle(attempt: AttemptRow, outcome: CallOutcome, at: number): void {
    const { seq, lead_row: row } = attempt;
    const { result, source } = outcome;
    const { state = 'done', callbackAt = null } = selectLead(row) ?? {};
    // The result of an earlier call, found late: the person has asked in a later one to be called again.
    if (state === 'waiting' && callbackAt !== null && result !== 'opted_out') return;
    // A person who was done stays done.
    const isOver = outcome.late === true && state === 'done';
    const { next, callback, reason, version } =
      mayGoOn(outcome) && !isOver ? decide(seq, row, outcome, at) : ENDS;
    const isCallback = next.kind === 'callback' && callback !== null && 'at' in callback;
    if (isCallback || callbackAt !== null) {
      leads.setCallback(isCallback ? callback.at : null, row);
    }
    if (next.kind === 'done') {
      leads.end(row, { result, source, reason: whyNotAgain(outcome, callback) ?? reason });
      return;
    }
    if (endIfReached(attempt, at)) return;
    // The result of an earlier call does not change when the next one is due: the claim looks at all of them.
    if (state === 'waiting' && !isCallback) return;
    if (next.kind === 'other_number') numbers.moveOn(row, at);
    if (isCallback) leads.markWaiting(next.notBefore, next.why, row);
    else {
      const { notBefore: until, why } = next;
      leads.waitForRetry({ row, until, reason: why, from: Math.min(at, until), version });
    }
  }

  function decide(seq: number, row: number, outcome: CallOutcome, at: number): Decision {
    const call = selectCall(seq);
    if (call === undefined) throw new Error(`no attempt has the number ${seq}`);
    const callback = callbackIn(outcome, call);
    const next = afterCall(call.retry ?? undefined, {
      ...call,
      result: outcome.result,
      source: outcome.source,
      retryDerived: outcome.retryDerived === true,
      furtherNumbers: numbers.further(row, at).length,
      callbackAt: callback !== null && 'at' in callback ? callback.at : null,
      dayOf: (moment) => dayIn(call.timezone, moment),
    });
    const reason = next.kind === 'done' ? whyNotRetried(outcome, call) : null;
    if (next.kind === 'callback' && callback !== null && 'at' in callback) next.why = callback.why;
    return { next, callback, reason, version: call.policyVersion };
  }

  function callbackIn({ callback }: CallOutcome, call: CallRow): Callback | null {
    if (callback === undefined) return null;
    const times = timesOf(campaigns.getOften(call.campaignId).settings.policy);
    const { zones } = times.clocksAt(call.zoneKey);
    const closed = (at: number) => closedAt(times, call.zoneKey, at);
    return callbackOf(callback, { ...call, zones, momentsOf, closedAt: closed });
  }

  /**
   * Ends the lead if another of its calls has reached the person, or was found after a person had resolved it as not
   * placed, and is not retried. @returns true if so
   */
  function endIfReached({ lead_row: row, seq, ordinal }: AttemptRow, at: number): boolean {
    const reached = selectReached({ row, seq, ordinal });
    if (reached === undefined) return false;
    const { result, source, callbackAt } = reached;
    if (result === 'answered' && callbackAt !== null) return false;
    const outcome = { result, source };
    if (mayGoOn(outcome) && decide(reached.seq, row, outcome, at).next.kind !== 'done')
      return false;
    leads.end(row, { ...outcome, reason: null });
    return true;
  }

  /**
   * After a dial that was refused because no phone has this number: the person's next number is called at once, under
   * the conditions that hold after a call with that result. @returns false: the lead ends
   */
  function callNextNumber(attempt: AttemptRow, at: number): boolean {
    const { seq, lead_row: row } = attempt;
    const outcome = { result: 'invalid_number', source: 'service' } as const;
    const { next } = decide(seq, row, outcome, at);
    if (next.kind !== 'other_number') return false;
    if (endIfReached(attempt, at)) return true;
    numbers.moveOn(row, at);
    leads.markWaiting(at, next.why, row);
    return true;
  }

  return { settle, endIfReached, callNextNumber };
}

/** `reason`: why a result that is retried elsewhere is not retried here; null: there is nothing to say. */
interface Decision {
  next: AfterCall;
  callback: Callback | null;
  reason: string | null;
  /** Of the policy that decided. */
  version: number;
}

const ENDS: Decision = { next: { kind: 'done' }, callback: null, reason: null, version: 0 };

/** Spares most calls the look at their lead's earlier ones. */
function mayGoOn({ result, callback }: CallOutcome): boolean {
  if (result === 'answered') return callback !== undefined;
  return result === 'invalid_number' || RETRY_RESULTS.some((retried) => retried === result);
}

/** For the operator who has set retries: why a person is not called again although attempts are left. */
function whyNotRetried({ result, source, retryDerived }: CallOutcome, { retry, rung }: CallRow) {
  const wanted: Partial<Record<LeadResult, number>> = retry?.after ?? {};
  const isLeft = retry !== null && rung < retry.attempts && wanted[result] !== undefined;
  if (!isLeft || source !== 'derived' || retryDerived === true) return null;
  return `not retried: the service did not name this result, and its profile does not say analytics.retryDerived`;
}

/** Why a person who asked to be called again is not; null: they did not ask. */
function whyNotAgain({ callback: asked }: CallOutcome, callback: Callback | null): string | null {
  if (asked === undefined || callback === null) return null;
  if ('refused' in callback) return callback.refused;
  return `asked to be called again at "${asked.said}", which is beyond what retry allows`;
}

interface CallRow {
  beganAt: number;
  endedAt: number;
  rung: number;
  unanswered: number;
  zoneKey: string;
  campaignId: string;
  retry: RetryPolicy | null;
  timezone: string;
  policyVersion: number;
}

interface ReachedCall {
  seq: number;
  result: LeadResult;
  source: ResultSource;
  callbackAt: number | null;
}
