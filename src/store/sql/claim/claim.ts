import { INTENT_LIMIT_MS } from '../../../domain/attempt.ts';
import type { Hold } from '../../../domain/calling/policy.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { BudgetNow, ClaimRequest, ClaimShortfall, FirstDial } from '../../port.ts';
import type { Methods, Sql } from '../sql.ts';
import { ATTEMPTS_WITH_SLOT, HAS_SLOT } from '../tables/attempt-rows.ts';
import type { CampaignRow } from '../tables/campaigns.ts';
import type { Tables } from '../tables/tables.ts';
import { ASK_AGAIN_MS, budgetAsksAgainAt, budgetStatements } from './budgets.ts';
import { callingTimes, closedAt, firstFree, firstOpen } from './calling-times.ts';
import { DUE_LEAD_COLUMNS, dueLeads, firstLeads } from './due-leads.ts';
import type { DueLead, DueLeads } from './due-leads.ts';
import { gateStatements } from './gates.ts';
import { intentStatements, keyOf } from './intents.ts';
import type { CommittedClaim, Granted, OpenClaim } from './intents.ts';
import { firstObstacle, obstacleStatements, type Obstacle } from './obstacles.ts';
import type { ReplayTable, ReplayWindow } from './replays.ts';
import { leadCellsStatement } from './persons.ts';
import { inOrder, nextCallable, waitingPlaces, type WaitingPlace } from './waiting-places.ts';

/**
 * The only place where dials are allowed: `claim` runs inside one IMMEDIATE transaction and checks, in this order:
 * campaign state, due replays, whether a lead is due where hours are open, the campaign's budgets, the service's
 * backoff, free slots, whether the service has answered a first dial as expected, the campaign's share of the service's
 * slots, pace, and what `obstacles.ts` lists.
 */
export function claimStatements(sql: Sql, tables: Tables, replays: ReplayTable) {
  const timesOf = callingTimes();
  const { campaigns, leads, services } = tables;
  const { whyClosed, freeSlots, pace, budgets, shares } = gateStatements(sql, tables);
  const countInFlight = sql.value<[service: string, since: number], number>(
    `SELECT count(*) FROM ${ATTEMPTS_WITH_SLOT}
       WHERE service = ? AND intent_at > ? AND state = 'intent' AND ${HAS_SLOT}`,
  );
  const waiting = waitingPlaces(sql);
  const dueOf = dueLeads(sql, leads, waiting);
  const intents = intentStatements(sql, tables);

  return function claim(request: ClaimRequest): CommittedClaim {
    // Called first, so that a clock that was set back is noticed even while nothing may be dialled.
    const window = replays.windowOf(request);
    readAhead(request);
    const campaign = campaigns.getOften(request.campaignId);
    const { concurrency, requests } = campaign.settings;
    return { ...grant(request, campaign, window), settings: { concurrency, requests } };
  };

  /** Reads together what all claims read. */
  function readAhead(request: ClaimRequest): void {
    const { campaignId: id, service, fingerprint, now } = request;
    for (const read of [
      () => campaigns.getOften(id),
      () => leads.hasUnfinishedList(id),
      () => services.backoffEnd(service, now),
      () => budgets.read(id),
      () => freeSlots(request, { concurrency: 0 }),
      () => services.isProven(fingerprint),
    ])
      sql.ahead(read);
  }

  function grant(
    request: ClaimRequest,
    campaign: CampaignRow,
    window: ReplayWindow | null,
  ): Granted {
    const closed = whyClosed(campaign);
    if (closed !== null) return nothing(closed);
    const backoffUntil = services.backoffUntil(request.service, request.now);
    const times = timesOf(campaign.settings.policy);
    const budget = budgets.now(campaign, request.now);
    const night = budgets.nightAt(campaign.settings, request.now).date;
    const open = { request, campaign, times, night, backoffUntil, budget };
    if (window === null) return claimLeads(open);
    const allowed = (calls: number) =>
      budget === null ? calls : (budgets.now(campaign, request.now, calls)?.more ?? calls);
    const { claim: again, nextAt } = replays.claim(open, window, allowed);
    if (again !== null) return again;
    const claimed = claimLeads(open);
    replays.remember(claimed.journal, window);
    return nextAt === null ? claimed : withReplayAt(nextAt, claimed);
  }

  function claimLeads(open: OpenClaim & { budget: BudgetNow | null }): Granted {
    const { request, campaign, times, backoffUntil, budget } = open;
    const { now } = request;
    const { settings } = campaign;
    // Checked before the slots: a run without leads left to call must not wait for slots of calls in doubt.
    const due = dueOf(campaign, times, now);
    if (!due.isAny()) return nobodyIsDue(due);

    if (budget?.more === 0) {
      budgets.keepEnd(campaign, budget);
      return nothing('budget', budgetAsksAgainAt(budget, now));
    }
    if (backoffUntil !== null) return nothing('service_backoff', backoffUntil);

    const { own, service, room } = freeSlots(request, settings);
    const isProven = room > 0 && services.isProven(request.fingerprint);
    /** How many slots this campaign could use now, were they all free at the service. */
    const useful = () => {
      const most = Math.min(own, budget?.more ?? own, isProven || room === 0 ? own : 1);
      return pace.admitted(campaign, now, most).count;
    };
    if (room === 0) {
      if (service !== null) shares.keep(request, campaign, service, { taken: 0, wants: useful() });
      return nothing('no_free_slot');
    }
    let want = Math.min(request.want, room);
    if (!isProven) {
      const inFlight = countInFlight(request.service, now - INTENT_LIMIT_MS);
      if (inFlight !== 0) return nothing('first_answer_pending');
      want = 1;
    }
    if (budget !== null) want = Math.min(want, budget.more);
    let turn = Infinity;
    if (service?.isShared === true) {
      const wants = useful();
      turn = shares.turn(request, campaign, { free: service.free, wants });
      if (turn === 0 && wants > 0) {
        shares.keep(request, campaign, service, { taken: 0, wants });
        return nothing('share');
      }
      want = Math.min(want, Math.max(turn, 1));
    }
    const { count, askAgainAt } = pace.admitted(campaign, now, want);
    const before = service === null ? 0 : useful();
    const given = intents.commit(due, count, open);
    const found = given.intents.length;
    pace.started(campaign, now, found);
    if (service !== null) {
      const isShort = found === count && (service.isShared || found === service.free);
      shares.keep(request, campaign, service, {
        taken: found,
        wants: isShort ? before - found : 0,
      });
    }
    if (count === 0) return nothing('pace', askAgainAt);

    if (found < count) return { ...nobodyIsDue(due, askAgainAt), ...given };
    // The calls that begin now may give back what is reserved for them.
    if (found < request.want && found === budget?.more) {
      return { ...given, shortfall: 'budget', askAgainAt: now + ASK_AGAIN_MS };
    }
    if (found < request.want && found === turn) {
      return { ...given, shortfall: 'share', askAgainAt };
    }
    const shortfall = shortfallOf(request, { found, room, isProven });
    return { ...given, shortfall, askAgainAt };
  }
}

/** The answer once every lead that was due is taken; `paceAt`: no call starts before that, epoch ms. */
function nobodyIsDue(due: DueLeads, paceAt: number | null = null): Granted {
  const { why, at } = due.next();
  return nothing(why, at === null ? null : Math.max(at, paceAt ?? at));
}

function nothing(shortfall: ClaimShortfall, askAgainAt: number | null = null): Granted {
  return { intents: [], shortfall, askAgainAt, journal: [] };
}

/** Why a claim that found leads did not give as many as were wanted. */
function shortfallOf(
  { want }: ClaimRequest,
  { found, room, isProven }: { found: number; room: number; isProven: boolean },
): ClaimShortfall | null {
  if (found === want) return null;
  if (found === room) return 'no_free_slot';
  return isProven ? 'pace' : 'first_answer_pending';
}

/** Lets the caller of a claim without due leads ask again by `nextAt` (epoch ms), when a replay is due. */
function withReplayAt(nextAt: number, claim: Granted): Granted {
  const { shortfall, askAgainAt } = claim;
  if (shortfall === 'none_waiting')
    return { ...claim, shortfall: 'not_yet_due', askAgainAt: nextAt };
  if (shortfall !== 'not_yet_due') return claim;
  return { ...claim, askAgainAt: Math.min(askAgainAt ?? nextAt, nextAt) };
}

/** What a claim would say of leads that wait, by the functions that the claim itself decides by. */
export function nextCallStatements(sql: Sql, tables: Tables) {
  const { campaigns, holds: recorded, numbers } = tables;
  const budgets = budgetStatements(sql, tables);
  const timesOf = callingTimes();
  const waiting = waitingPlaces(sql);
  const checksOf = obstacleStatements(sql, tables);
  const cellsOf = leadCellsStatement(sql);
  const selectFirst = firstLeads(sql);
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

  function firstDial(campaignId: string, now: number): FirstDial | undefined {
    const campaign = campaigns.getOften(campaignId);
    const times = timesOf(campaign.settings.policy);
    const opensAt = ({ zoneKey, notBefore }: WaitingPlace) =>
      firstOpen(times, zoneKey, Math.max(notBefore, now)) ?? Number.MAX_SAFE_INTEGER;
    const places = waiting.read(campaignId).map((place) => ({ ...place, at: opensAt(place) }));
    const [first] = places.toSorted((a, b) => a.at - b.at || inOrder(a, b));
    const leads = first === undefined ? [] : selectFirst(campaignId, first.zoneKey, MOST_JUDGED);
    const { checks } = checksOf(campaign, times, now);
    const mayRing = (one: DueLead) =>
      firstObstacle(checks, one, Math.max(one.notBefore, now)) === null;
    const lead = leads.find(mayRing) ?? leads[0];
    return lead && { key: keyOf(campaignId, lead), phone: lead.dial, ...cellsOf(lead.row) };
  }

  return {
    reads: {
      firstDial,
      nextCall: (campaignId, phone, now) => {
        const lead = selectLead(campaignId, phone);
        if (lead === undefined) return undefined;
        const campaign = campaigns.getOften(campaignId);
        return judge(campaign, asClaimed(lead, campaign), now);
      },
      budget: (campaignId, now) => budgets.now(campaigns.getOften(campaignId), now),
      placesOf: (campaignId, at) => waiting.counted(campaignId, at),
    } satisfies Partial<Methods>,
    /** When the next lead may be called, for the progress of a campaign. */
    nextDueAt: (campaignId: string, now: number): number | null => {
      const { settings } = campaigns.getOften(campaignId);
      return nextCallable(waiting.read(campaignId), timesOf(settings.policy), now).at;
    },
  };
}

/** So many leads are judged to find one that may be called. */
const MOST_JUDGED = 32;

/** The hold that a lead waits for may still be there. */
function withoutRepeats(holds: Hold[]): Hold[] {
  return [...new Map(holds.map((hold) => [`${hold.until} ${hold.by} ${hold.why}`, hold])).values()];
}

/**
 * An obstacle as people see it. One that would end the lead at its next claim has no `until`, though a change made
 * before that claim may still lift it.
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
