import { calledBeforeReason } from '../../../domain/called-before.ts';
import { capHolds, type PastCalls, type TimedHold } from '../../../domain/calling/caps.ts';
import { retryHold } from '../../../domain/calling/retry-hold.ts';
import type { LeadResult } from '../../../domain/lead.ts';
import { MINUTE_MS } from '../../../domain/time-units.ts';
import { dayIn } from '../../../text/wall-clock.ts';
import type { Sql } from '../sql.ts';
import type { CampaignRow } from '../tables/campaigns.ts';
import { reasonOf } from '../tables/suppression.ts';
import type { Tables } from '../tables/tables.ts';
import type { CallingTimes } from './calling-times.ts';
import type { DueLead } from './due-leads.ts';
import { earlierCallOf } from './earlier-calls.ts';
import { pastCallStatements } from './past-calls.ts';

/** Why a lead that is due, at a place whose hours are open, is not called. */
export type Obstacle =
  /** The lead ends. `by`: the key of the campaign file that decides, or `suppression`. */
  | { kind: 'end'; by: string; result: LeadResult; reason: string }
  /** The number that would be dialled must not be, and the person has another one that may be. */
  | { kind: 'next_number'; by: string; reason: string }
  | { kind: 'hold'; hold: TimedHold };

/** The person a lead is about, as far as obstacles are concerned. */
export type Judged = Pick<DueLead, 'row' | 'phone' | 'dial' | 'zoneKey' | 'spent' | 'callbackAt'>;

type Check = (lead: Judged, at: number) => Obstacle | null;

interface Checks {
  checks: readonly Check[];
  pastOf: (lead: Pick<Judged, 'dial' | 'zoneKey'>) => PastCalls | null;
}

/**
 * Judges leads, the last thing before an intent. The list of checks is all there is: what a claim decides by, and what
 * people are told of a lead that waits, come from the same functions. The first obstacle decides.
 */
export function obstacleStatements(sql: Sql, { attempts, numbers, suppression }: Tables) {
  const findEarlierCall = earlierCallOf(sql);
  const pastCalls = pastCallStatements(sql);

  /** @param now what is in the database is read as it is at this moment */
  return function checksOf(campaign: CampaignRow, times: CallingTimes, now: number): Checks {
    const entryOf = suppression.at(now);
    const { skipCalled, retry, timezone } = campaign.settings;
    const dayOf = (at: number) => dayIn(timezone, at);
    let readPastCalls: ReturnType<typeof pastCalls> | undefined;

    function suppressed({ row, phone, dial }: Judged): Obstacle | null {
      const own = entryOf(phone);
      const entry = own ?? (dial === phone ? undefined : entryOf(dial));
      if (entry === undefined) return null;
      const reason = reasonOf(entry);
      const isSkipped = own === undefined && numbers.further(row, now).length > 0;
      if (isSkipped) return { kind: 'next_number', by: 'suppression', reason };
      return { kind: 'end', by: 'suppression', result: 'suppressed', reason };
    }

    /** Somebody else's number, which a list has brought since it was chosen for this person, before it rang for them. */
    function taken({ row, phone, dial }: Judged): Obstacle | null {
      if (dial === phone || !numbers.isTaken(row)) return null;
      const reason = `${dial} is the number of another person of the campaign by now`;
      if (numbers.further(row, now).length > 0) return { kind: 'next_number', by: 'list', reason };
      return { kind: 'end', by: 'list', result: 'expired', reason };
    }

    /** A phone that a call for another person of the campaign has rung: nobody is rung twice through two rows. */
    function rung({ row, dial }: Judged, at: number): Obstacle | null {
      const other = numbers.otherCall(row, dial);
      if (other === null) return null;
      if (other === 'open') {
        const why = `${dial} is being called for another person of the campaign`;
        return { kind: 'hold', hold: { until: at + MINUTE_MS, by: 'list', why } };
      }
      const reason = `${dial} was called for another person of the campaign`;
      if (numbers.further(row, now).length > 0) return { kind: 'next_number', by: 'list', reason };
      return { kind: 'end', by: 'list', result: 'expired', reason };
    }

    function retried({ row, zoneKey, spent, callbackAt }: Judged, at: number): Obstacle | null {
      if (spent === 0) return null;
      const past = attempts.past(row);
      const place = { ...times.clocksAt(zoneKey), dayOf, callbackAt };
      const hold = retryHold(retry, past, place, at);
      if (hold === null) return null;
      const { until, by, why } = hold;
      if (until === null) return { kind: 'end', by, result: 'expired', reason: why };
      return { kind: 'hold', hold: { until, by, why } };
    }

    function calledBefore({ phone, dial }: Judged): Obstacle | null {
      if (skipCalled === undefined) return null;
      const call = findEarlierCall(campaign, { phone, dial }, skipCalled, now);
      if (call === undefined) return null;
      const reason = calledBeforeReason(call);
      return { kind: 'end', by: 'skipCalled', result: 'cancelled', reason };
    }

    /** The earlier calls that the caps count; null: there are no caps. */
    function pastOf({ dial, zoneKey }: Pick<Judged, 'dial' | 'zoneKey'>): PastCalls | null {
      const caps = times.capsAt(zoneKey);
      if (caps === null) return null;
      readPastCalls ??= pastCalls(campaign, now);
      return readPastCalls(dial, caps.ask);
    }

    function capped(lead: Judged, at: number): Obstacle | null {
      const past = pastOf(lead);
      if (past === null) return null;
      const [hold] = capHolds(times.capsAt(lead.zoneKey)?.limits ?? [], past, at);
      return hold === undefined ? null : { kind: 'hold', hold };
    }

    return { checks: [suppressed, taken, rung, calledBefore, retried, capped], pastOf };
  };
}

/** The first obstacle at a moment, epoch ms; null: the lead may be called. */
export function firstObstacle(checks: readonly Check[], lead: Judged, at: number): Obstacle | null {
  for (const check of checks) {
    const obstacle = check(lead, at);
    if (obstacle !== null) return obstacle;
  }
  return null;
}
