import { INTENT_LIMIT_MS } from '../../../domain/attempt.ts';
import type { ClaimRequest, ClaimShortfall } from '../../port.ts';
import type { Sql } from '../sql.ts';
import { ATTEMPTS_WITH_SLOT, HAS_SLOT } from '../tables/attempt-conditions.ts';
import type { Tables } from '../tables/tables.ts';
import { callingTimes } from './calling-times.ts';
import { dueLeads, type DueLeads } from './due-leads.ts';
import { gateStatements } from './gates.ts';
import { intentStatements, type CommittedClaim, type OpenClaim } from './intents.ts';
import type { ReplayTable } from './replays.ts';
import { waitingPlaces } from './waiting-places.ts';

/**
 * The only place where dials are allowed: `claim` runs inside one IMMEDIATE transaction and checks, in this order:
 * campaign state, due replays, whether a lead is due where hours are open, the service's backoff, free slots, whether
 * the service has answered a first dial as expected, pace, and what `obstacles.ts` lists.
 */
export function claimStatements(sql: Sql, tables: Tables, replays: ReplayTable) {
  const timesOf = callingTimes();
  const { campaigns, leads, services } = tables;
  const { whyClosed, freeSlots, pace } = gateStatements(sql, tables);
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
    const closed = whyClosed(campaign);
    if (closed !== null) return nothing(closed);
    const backoffUntil = services.backoffUntil(request.service, request.now);
    const times = timesOf(campaign.settings.policy);
    const open = { request, campaign, times, backoffUntil };
    if (window === null) return claimLeads(open);

    const { claim: again, nextAt } = replays.claim(open, window);
    if (again !== null) return again;
    const claimed = claimLeads(open);
    replays.remember(claimed.journal, window);
    return nextAt === null ? claimed : withReplayAt(nextAt, claimed);
  };

  function claimLeads(open: OpenClaim): CommittedClaim {
    const { request, campaign, times, backoffUntil } = open;
    const { now } = request;
    const { settings } = campaign;
    // Checked before the slots: a run without leads left to call must not wait for slots of calls in doubt.
    const due = dueOf(campaign, times, now);
    if (!due.isAny()) return nobodyIsDue(due);

    if (backoffUntil !== null) return nothing('service_backoff', backoffUntil);

    const room = freeSlots(request, settings);
    if (room === 0) return nothing('no_free_slot');
    let want = Math.min(request.want, room);

    const isProven = services.isProven(request.fingerprint);
    if (!isProven) {
      const inFlight = countInFlight(request.service, now - INTENT_LIMIT_MS);
      if (inFlight !== 0) return nothing('first_answer_pending');
      want = 1;
    }

    const { count, askAgainAt } = pace.admitted(campaign, now, want);
    const given = intents.commit(due, count, open);
    const found = given.intents.length;
    pace.started(campaign, now, found);
    if (count === 0) return nothing('pace', askAgainAt);

    if (found < count) return { ...nobodyIsDue(due, askAgainAt), ...given };
    const shortfall = shortfallOf(request, { found, room, isProven });
    return { ...given, shortfall, askAgainAt };
  }
}

/** The answer once every lead that was due is taken; `paceAt`: no call starts before that, epoch ms. */
function nobodyIsDue(due: DueLeads, paceAt: number | null = null): CommittedClaim {
  const { why, at } = due.next();
  return nothing(why, at === null ? null : Math.max(at, paceAt ?? at));
}

function nothing(shortfall: ClaimShortfall, askAgainAt: number | null = null): CommittedClaim {
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
function withReplayAt(nextAt: number, claim: CommittedClaim): CommittedClaim {
  const { shortfall, askAgainAt } = claim;
  if (shortfall === 'none_waiting')
    return { ...claim, shortfall: 'not_yet_due', askAgainAt: nextAt };
  if (shortfall !== 'not_yet_due') return claim;
  return { ...claim, askAgainAt: Math.min(askAgainAt ?? nextAt, nextAt) };
}
