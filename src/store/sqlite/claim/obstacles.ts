import { calledBeforeReason } from '../../../domain/called-before.ts';
import { capHolds, type TimedHold } from '../../../domain/calling/caps.ts';
import type { LeadResult } from '../../../domain/lead.ts';
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
  | { kind: 'hold'; hold: TimedHold };

/** The person a lead is about, as far as obstacles are concerned. */
export type Judged = Pick<DueLead, 'row' | 'phone' | 'dial' | 'zoneKey'>;

type Check = (lead: Judged, at: number) => Obstacle | null;

/**
 * Judges leads, the last thing before an intent. The list of checks is all there is: what a claim decides by, and what
 * people are told of a lead that waits, come from the same functions. The first obstacle decides.
 */
export function obstacleStatements(sql: Sql, { suppression }: Tables) {
  const findEarlierCall = earlierCallOf(sql);
  const readPastCalls = pastCallStatements(sql);

  /** @param now what is in the database is read as it is at this moment */
  return function checksOf(campaign: CampaignRow, times: CallingTimes, now: number): Check[] {
    const entryOf = suppression.at(now);
    const { skipCalled } = campaign.settings;

    function suppressed({ phone, dial }: Judged): Obstacle | null {
      const entry = entryOf(dial) ?? (dial === phone ? undefined : entryOf(phone));
      if (entry === undefined) return null;
      return { kind: 'end', by: 'suppression', result: 'suppressed', reason: reasonOf(entry) };
    }

    function calledBefore({ phone, dial }: Judged): Obstacle | null {
      if (skipCalled === undefined) return null;
      const call = findEarlierCall(campaign, { phone, dial }, skipCalled, now);
      if (call === undefined) return null;
      const reason = calledBeforeReason(call);
      return { kind: 'end', by: 'skipCalled', result: 'cancelled', reason };
    }

    function capped({ dial, zoneKey }: Judged, at: number): Obstacle | null {
      const caps = times.capsAt(zoneKey);
      if (caps === null) return null;
      const past = readPastCalls({ phone: dial, simulated: campaign.simulated }, caps.ask, now);
      const [hold] = capHolds(caps.limits, past, at);
      return hold === undefined ? null : { kind: 'hold', hold };
    }

    return [suppressed, calledBefore, capped];
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
