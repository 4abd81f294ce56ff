import { INTENT_LIMIT_MS } from '../../../domain/attempt.ts';
import type { BudgetNow, ClaimRequest, ClaimShortfall } from '../../port.ts';
import type { Sql } from '../sql.ts';
import { ATTEMPTS_WITH_SLOT, HAS_SLOT } from '../tables/attempt-conditions.ts';
import type { CampaignRow } from '../tables/campaigns.ts';
import type { Tables } from '../tables/tables.ts';
import { ASK_AGAIN_MS, budgetAsksAgainAt } from './gates/budgets.ts';
import { callingTimes } from './calling-times.ts';
import { dueLeads, type DueLeads } from './due-leads.ts';
import { gateStatements } from './gates/gates.ts';
import { intentStatements, type CommittedClaim, type Granted, type OpenClaim } from './intents.ts';
import type { ReplayTable, ReplayWindow } from './replays.ts';
import { waitingPlaces } from './waiting-places.ts';

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
    const campaign = campaigns.getOften(request.campaignId);
    const { concurrency, requests } = campaign.settings;
    return { ...grant(request, campaign, window), settings: { concurrency, requests } };
  };

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
