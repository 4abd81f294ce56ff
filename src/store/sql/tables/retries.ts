import {
  afterCall,
  callbackOf,
  RETRY_RESULTS,
  UNANSWERED,
  type AfterCall,
  type Callback,
  type RetryPolicy,
} from '../../../domain/calling/retry.ts';
import type { LeadResult, LeadState } from '../../../domain/lead.ts';
import type { E164 } from '../../../domain/phone.ts';
import { dayIn, momentsOf } from '../../../text/wall-clock.ts';
import type { Sql } from '../sql.ts';
import { callingTimes, closedAt } from '../claim/calling-times.ts';
import { knownPlaces } from '../claim/persons.ts';
import { IS_BEFORE_RETRY, MAY_HAVE_RUNG, type CallOutcome, type Facts } from './attempt-rows.ts';
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
  const placesOf = knownPlaces(sql);
  const ofLead = 'FROM attempts WHERE attempts.lead_row = leads.row';
  const unanswered = UNANSWERED.map((result) => `attempts.result = '${result}'`).join(' OR ');
  const selectCall = sql.row<[seq: number], CallRow>(
    `SELECT max(this.intent_at, coalesce(this.begins_at, 0)) AS beganAt, this.ended_at AS endedAt,
       this.phone, leads.zone_key AS zoneKey, campaigns.id AS campaignId,
       campaigns.settings ->> '$.retry' AS retry, campaigns.settings ->> '$.timezone' AS timezone,
       campaigns.policy_version AS policyVersion,
       (SELECT count(*) ${ofLead} AND ${MAY_HAVE_RUNG} AND NOT ${IS_BEFORE_RETRY}) AS rung,
       (SELECT count(*) ${ofLead} AND attempts.phone = this.phone AND (${unanswered})) AS unanswered
     FROM attempts AS this JOIN leads ON leads.row = this.lead_row
       JOIN campaigns ON campaigns.id = leads.campaign_id WHERE this.seq = ?`,
    { json: ['retry'] },
  );
  /** `lead`: as it was before its last call. */
  function settle(
    { row, reached, at }: EndOfCall,
    { seq, outcome }: SettledCall,
    lead: { state: LeadState; callbackAt: number | null },
  ): void {
    // A person who was done stays done.
    const isOver = outcome.late === true && lead.state === 'done';
    const decision = isOver ? ENDS : decide(seq, row, outcome, at);
    const { next, version } = decision;
    if (lead.callbackAt !== null) leads.setCallback(null, row);
    const isWish = next.kind === 'callback' && reached?.outcome.result !== 'opted_out';
    if (next.kind !== 'done' && !isWish && endIfReached({ row, reached, at })) return;
    if (isConcluded(row, outcome, decision) || next.kind === 'done') return;
    if (next.kind === 'other_number') numbers.moveOn(row, at);
    const { notBefore: until, why } = next;
    leads.waitForRetry({ row, until, reason: why, from: Math.min(at, until), version });
  }

  /**
   * Ends the lead of a call that is not retried, or lets it wait for the requested call.
   * @returns false: it is retried
   */
  function isConcluded(row: number, outcome: CallOutcome, { next, callback, reason }: Decision) {
    const { result, source } = outcome;
    if (next.kind === 'done') {
      leads.end(row, { result, source, reason: whyNotAgain(outcome, callback) ?? reason });
      return true;
    }
    if (next.kind !== 'callback' || callback === null || !('at' in callback)) return false;
    leads.setCallback(callback.at, row);
    leads.markWaiting(next.notBefore, next.why, row);
    return true;
  }

  function decide(seq: number, row: number, outcome: CallOutcome, at: number): Decision {
    if (!mayGoOn(outcome)) return ENDS;
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
    const campaign = campaigns.getOften(call.campaignId);
    const times = timesOf(campaign.settings.policy);
    // The clocks and hours by which the call will be judged when it is made.
    const places = [call.zoneKey, placesOf(campaign)(call.phone, call.zoneKey)];
    const { zones } = times.clocksAt(...places);
    const closed = (at: number) => closedAt(times, places, at);
    return callbackOf(callback, { ...call, zones, momentsOf, closedAt: closed });
  }

  /** Ends the lead with the result of another of its calls, unless that result leads to a retry. @returns true if it ended */
  function endIfReached({ row, reached, at }: EndOfCall): boolean {
    if (reached === null) return false;
    const { seq, outcome } = reached;
    return isConcluded(row, outcome, decide(seq, row, outcome, at));
  }

  /**
   * After a refusal because no phone has this number: calls the person's next number at once, under the rules for that
   * result.
   * @returns false: the lead ends
   */
  function callNextNumber(end: EndOfCall, seq: number): boolean {
    const { row, at } = end;
    const outcome = { result: 'invalid_number', source: 'service' } as const;
    const { next } = decide(seq, row, outcome, at);
    if (next.kind !== 'other_number') return false;
    if (endIfReached(end)) return true;
    numbers.moveOn(row, at);
    leads.markWaiting(at, next.why, row);
    return true;
  }

  return {
    /** What is read when a call settles. */
    read: (seq: number, row: number, { outcome, at }: Pick<Facts, 'outcome' | 'at'>): void => {
      if (outcome === undefined) return;
      if (mayGoOn(outcome)) {
        selectCall(seq);
        numbers.further(row, at);
      } else leads.best(row);
    },
    settle,
    endIfReached,
    callNextNumber,
  };
}

/** `reason`: why a result that is retried elsewhere is not retried here; null: there is nothing to say. */
interface Decision {
  next: AfterCall;
  callback: Callback | null;
  reason: string | null;
  version: number;
}

const ENDS: Decision = { next: { kind: 'done' }, callback: null, reason: null, version: 0 };

/** Saves reading the earlier calls for most leads. */
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
  phone: E164;
  zoneKey: string;
  campaignId: string;
  retry: RetryPolicy | null;
  timezone: string;
  policyVersion: number;
}

export interface SettledCall {
  seq: number;
  outcome: CallOutcome;
}

/** `reached`: another call of the lead that may end it; `at`: when this became known, epoch ms. */
interface EndOfCall {
  row: number;
  reached: SettledCall | null;
  at: number;
}
