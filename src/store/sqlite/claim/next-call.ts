import type { Hold } from '../../../domain/calling/policy.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { Methods } from '../methods.ts';
import type { Sql } from '../sql.ts';
import type { CampaignRow } from '../tables/campaigns.ts';
import type { Tables } from '../tables/tables.ts';
import { budgetStatements } from './gates/budgets.ts';
import { callingTimes, closedAt, firstFree } from './calling-times.ts';
import { DUE_LEAD_COLUMNS, type DueLead } from './due-leads.ts';
import { firstObstacle, obstacleStatements, type Obstacle } from './obstacles.ts';
import { nextCallable, waitingPlaces } from './waiting-places.ts';

/** What a claim would say of leads that wait, by the functions that the claim itself decides by. */
export function nextCallStatements(sql: Sql, tables: Tables) {
  const { campaigns, holds: recorded, numbers } = tables;
  const budgets = budgetStatements(sql, tables);
  const timesOf = callingTimes();
  const waiting = waitingPlaces(sql);
  const checksOf = obstacleStatements(sql, tables);
  const selectLead = sql.row<[campaignId: string, phone: E164], WaitingLead>(
    `SELECT ${DUE_LEAD_COLUMNS}, reason, held_under AS heldUnder, held_from AS heldFrom FROM leads
     WHERE campaign_id = ? AND phone = ? AND state = 'waiting'`,
  );

  /** Time that has been set for a lead: after a refusal or a call, or by a hold that was recorded. */
  function restOf({ row, notBefore, reason }: WaitingLead, now: number): Hold[] {
    if (notBefore <= now) return [];
    const hold = recorded.until(row, notBefore);
    // Its check says so itself, without an end.
    if (hold?.by === 'variables') return [];
    return [hold ?? { until: notBefore, by: 'retry', why: reason ?? 'is not due yet' }];
  }

  function judge(campaign: CampaignRow, lead: WaitingLead, now: number) {
    const times = timesOf(campaign.settings.policy);
    const { checks } = checksOf(campaign, times, now);
    const found = checks.map((check) => check(lead, now)).filter((each) => each !== null);
    const rest = restOf(lead, now);
    const closed = closedAt(times, [lead.zoneKey], now);
    const open = (from: number) => firstFree(from, (at) => closedAt(times, [lead.zoneKey], at));
    const free = (who: DueLead, from: number) =>
      firstFree(from, (at) => {
        const obstacle = firstObstacle(checks, who, at);
        return closedAt(times, [who.zoneKey], at) ?? (obstacle && asHold(obstacle, null));
      });
    const from = Math.max(lead.notBefore, now);
    const isPassedOver = firstObstacle(checks, lead, from)?.kind === 'next_number';
    // A claim goes on to the next number only at a time at which it would have called this one.
    const movesAt = isPassedOver ? open(from) : null;
    const [next] = isPassedOver ? numbers.further(lead.row, now) : [];
    const at =
      movesAt === null || next === undefined
        ? free(lead, from)
        : free({ ...lead, dial: next.phone, zoneKey: next.zoneKey }, movesAt);
    const obstacles = found.map((each) => asHold(each, movesAt));
    return { at, holds: withoutRepeats([...rest, ...(closed ? [closed] : []), ...obstacles]) };
  }

  return {
    reads: {
      nextCall: (campaignId, phone, now) => {
        const lead = selectLead(campaignId, phone);
        if (lead === undefined) return undefined;
        const campaign = campaigns.getOften(campaignId);
        return judge(campaign, asClaimed(lead, campaign), now);
      },
      budget: (campaignId, now) => budgets.now(campaigns.getOften(campaignId), now),
      placesOf: (campaignId) => waiting.counted(campaignId),
    } satisfies Partial<Methods>,
    /** When the next lead may be called, for the progress of a campaign. */
    nextDueAt: (campaignId: string, now: number): number | null => {
      const { settings } = campaigns.getOften(campaignId);
      return nextCallable(waiting.read(campaignId), timesOf(settings.policy), now).at;
    },
  };
}

/** The hold that a lead waits for may still be there. */
function withoutRepeats(holds: Hold[]): Hold[] {
  return [...new Map(holds.map((hold) => [`${hold.until} ${hold.by} ${hold.why}`, hold])).values()];
}

/**
 * A lead that would end is never called, unless somebody changes something before its next claim.
 *
 * @param movesAt when a claim goes on to the person's next number, epoch ms; null: not as things stand
 */
function asHold(obstacle: Obstacle, movesAt: number | null): Hold {
  if (obstacle.kind === 'hold')
    return obstacle.open === true ? { ...obstacle.hold, until: null } : obstacle.hold;
  const { kind, by, reason } = obstacle;
  if (kind === 'end') return { until: null, by, why: reason };
  return { until: movesAt, by, why: `${reason}, so their next number is called` };
}

/** The next claim gives leads that an earlier policy held back their own time again. */
function asClaimed(lead: WaitingLead, { policyVersion }: CampaignRow): WaitingLead {
  const { heldUnder, heldFrom } = lead;
  if (heldUnder === null || heldFrom === null || heldUnder >= policyVersion) return lead;
  return { ...lead, notBefore: heldFrom, reason: null };
}

interface WaitingLead extends DueLead {
  reason: string | null;
  heldUnder: number | null;
  heldFrom: number | null;
}
