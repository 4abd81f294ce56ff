import type { CampaignSettings } from '../../../domain/campaign.ts';
import {
  CONTENDS_FOR_MS,
  slotsFor,
  usedBeside,
  type Contender,
} from '../../../domain/nights/budget.ts';
import { admit } from '../../../domain/time-units.ts';
import type { ClaimGate, ClaimRequest, ClaimShortfall, SlotShare } from '../../port.ts';
import type { Methods, Sql } from '../sql.ts';
import { ATTEMPTS_WITH_SLOT, slotCounter } from '../tables/attempt-rows.ts';
import type { CampaignRow } from '../tables/campaigns.ts';
import type { Tables } from '../tables/tables.ts';
import { budgetGoesOnAt, budgetStatements } from './budgets.ts';
import { waitingPlaces } from './waiting-places.ts';

/**
 * What keeps a campaign from calling anybody at all: the claim decides by these functions, and what people are
 * told of it comes from the same.
 */
export function gateStatements(sql: Sql, { campaigns, leads, nights, services }: Tables) {
  const slotsOfCampaign = slotCounter(sql, 'campaign_id');
  const shares = slotShareStatements(sql);
  const budgets = budgetStatements(sql, { nights });
  const waiting = waitingPlaces(sql);
  const pace = paceStatements(sql);

  /** Why no lead of this campaign may be called at all; null: leads may be called. */
  function whyClosed({ id, state, archivedAt }: CampaignRow): ClaimShortfall | null {
    if (archivedAt !== null) return 'not_running';
    const isImporting = leads.hasUnfinishedList(id);
    if (state === 'running') return isImporting ? 'list_unfinished' : null;
    // A run need not wait for the end of a pause when no lead is left to call.
    const isAllCalled = state === 'paused' && !isImporting && !waiting.isAny(id);
    return isAllCalled ? 'none_waiting' : 'not_running';
  }

  /** `own`: free slots of the campaign itself; `service`: null where the service has no limit. */
  function freeSlots(
    request: Pick<ClaimRequest, 'campaignId' | 'service' | 'slots' | 'serviceSlots' | 'now'>,
    { concurrency }: Pick<CampaignSettings, 'concurrency'>,
  ): { own: number; service: ServiceRoom | null; room: number } {
    const { campaignId, slots, serviceSlots, now } = request;
    const own = Math.max(0, Math.min(slots, concurrency) - slotsOfCampaign(campaignId, now));
    if (serviceSlots === null) return { own, service: null, room: own };
    const service = shares.room(request, serviceSlots);
    return { own, service, room: Math.min(own, service.free) };
  }

  return {
    whyClosed,
    freeSlots,
    pace,
    budgets,
    shares,
    reads: {
      claimGates: ({ campaignId, serviceSlots, now }) => {
        const campaign = campaigns.getOften(campaignId);
        const { service, settings } = campaign;
        const closed = whyClosed(campaign);
        const backoff = services.backoffEnd(service, now);
        const slots = { campaignId, service, slots: Infinity, serviceSlots, now };
        const { count, askAgainAt } = pace.admitted(campaign, now, 1);
        const budget = budgets.now(campaign, now);
        const isSpent = budget !== null && budget.more === 0;
        const gates: (ClaimGate | null)[] = [
          closed && { why: closed, until: null },
          isSpent ? { why: 'budget', until: budgetGoesOnAt(budget) } : null,
          backoff === null ? null : { why: 'service_backoff', until: backoff },
          freeSlots(slots, settings).room > 0 ? null : { why: 'no_free_slot', until: null },
          count > 0 ? null : { why: 'pace', until: askAgainAt },
        ];
        return gates.filter((gate) => gate !== null);
      },
    } satisfies Partial<Methods>,
  };
}

/** Reads and writes the pace of a campaign: its row has the time at which the next call is due. */
export function paceStatements(sql: Sql) {
  const update = sql.later<[dueAt: number, id: string]>(
    'UPDATE campaigns SET pace_due_at = ? WHERE id = ?',
  );

  return {
    /** How many of `want` calls may start now, and when to ask for more (epoch ms; null: there is no pace). */
    admitted: ({ settings: { pace }, paceDueAt }: CampaignRow, now: number, want: number) => {
      if (pace === null) return { count: want, askAgainAt: null };
      const { admitted, askAgainAt } = admit(pace, paceDueAt, now, want);
      return { count: admitted, askAgainAt };
    },
    /** Records that `count` calls start now; recording 0 shortens the wait after the clock was set back. */
    started: ({ id, settings, paceDueAt }: CampaignRow, now: number, count: number): void => {
      if (settings.pace === null) return;
      const { nextDueAt } = admit(settings.pace, paceDueAt, now, count);
      if (nextDueAt !== paceDueAt) update(nextDueAt, id);
    },
  };
}

/** That a campaign alone is short of slots is written down again after this. */
const NOTED_AGAIN_MS = CONTENDS_FOR_MS / 4;

/** Until then a campaign contends; a clock that was set back must not let it contend for longer. */
const ASKED_LATELY = `asked_at > @now - ${CONTENDS_FOR_MS} AND asked_at < @now + ${CONTENDS_FOR_MS}`;

/** What a claim finds at a service whose slots are limited. */
interface ServiceRoom {
  /** Slots that no call holds. */
  free: number;
  /** True: another campaign was short of slots lately. */
  isShared: boolean;
  /** When this campaign was written down last, epoch ms, and what it wanted then; null: never. */
  askedAt: number | null;
  wanted: number | null;
}

/**
 * The table `slot_shares`: who was lately short of a service's slots, and how much of its share each has used. It is
 * read beside the count of slots, and written only by who is short, or takes slots while another campaign is.
 */
function slotShareStatements(sql: Sql) {
  const selectRoom = sql.row<[Asked], Omit<ServiceRoom, 'free'> & { held: number }>(
    `SELECT
       (SELECT count(*) FROM ${ATTEMPTS_WITH_SLOT} WHERE service = @service AND slot_until > @now) AS held,
       EXISTS (SELECT 1 FROM slot_shares
         WHERE service = @service AND campaign_id <> @campaignId AND wants > 0 AND ${ASKED_LATELY}) AS isShared,
       (SELECT asked_at FROM slot_shares WHERE service = @service AND campaign_id = @campaignId) AS askedAt,
       (SELECT wants FROM slot_shares WHERE service = @service AND campaign_id = @campaignId) AS wanted`,
    { flags: ['isShared'] },
  );
  const selectShares = sql.rows<[Asked], Contender & { askedAt: number }>(
    `SELECT campaign_id AS id, weight, used, wants, asked_at AS askedAt FROM slot_shares
     WHERE service = @service AND (campaign_id = @campaignId OR wants > 0 AND ${ASKED_LATELY})`,
  );
  const putShare = sql.later(
    `INSERT INTO slot_shares (service, campaign_id, weight, used, wants, asked_at)
     VALUES (@service, @campaignId, @weight, @used, @wants, @now)
     ON CONFLICT (service, campaign_id) DO UPDATE SET weight = @weight, used = @used, wants = @wants, asked_at = @now`,
  );
  const noteWants = sql.later(
    `INSERT INTO slot_shares (service, campaign_id, weight, used, wants, asked_at)
     VALUES (@service, @campaignId, @weight, 0, @wants, @now)
     ON CONFLICT (service, campaign_id) DO UPDATE SET weight = @weight, wants = @wants, asked_at = @now`,
  );
  function share(request: ClaimRequest, { settings }: CampaignRow, wants: number) {
    const { campaignId, now } = request;
    const known = selectShares(askedBy(request));
    const last = known.find(({ id }) => id === campaignId);
    const others = known.filter(({ id }) => id !== campaignId);
    const own = { id: campaignId, weight: settings.weight ?? 1, used: last?.used ?? 0, wants };
    const isNew = last === undefined || last.askedAt <= now - CONTENDS_FOR_MS;
    return { own: { ...own, used: usedBeside(own, others, isNew) }, others };
  }

  return {
    /** Reads what is free at the service: the only statement while one campaign is called there. */
    room: (request: Asked, serviceSlots: number): ServiceRoom => {
      const found = selectRoom(askedBy(request)) as Omit<ServiceRoom, 'free'> & { held: number };
      return { ...found, free: Math.max(0, serviceSlots - found.held) };
    },
    /** How many of the free slots are this campaign's turn. */
    turn: (request: ClaimRequest, campaign: CampaignRow, { free, wants }: Wanted): number => {
      const { own, others } = share(request, campaign, wants);
      return slotsFor(own, others, free);
    },
    /** Keeps what a claim has taken, and what it could have used beyond that. */
    keep: (
      request: ClaimRequest,
      campaign: CampaignRow,
      room: ServiceRoom,
      { taken, wants }: { taken: number; wants: number },
    ): void => {
      const { now } = request;
      if (room.isShared) {
        const { own } = share(request, campaign, wants);
        putShare({ ...askedBy(request), ...own, used: own.used + taken / own.weight });
        return;
      }
      const { weight = 1 } = campaign.settings;
      const isKnown = room.askedAt !== null && Math.abs(now - room.askedAt) < NOTED_AGAIN_MS;
      const isSame = wants > 0 ? isKnown && room.wanted !== 0 : (room.wanted ?? 0) === 0;
      if (!isSame) noteWants({ ...askedBy(request), weight, wants });
    },
  };
}

type Asked = Pick<ClaimRequest, 'service' | 'campaignId' | 'now'>;

interface Wanted {
  free: number;
  wants: number;
}

function askedBy({ service, campaignId, now }: Asked): Asked {
  return { service, campaignId, now };
}

/** The campaigns that hold slots of a service, or lately asked for more, as `services` shows them to people. */
export function slotHolders(sql: Sql): (service: string, now: number) => SlotShare[] {
  const selectHeld = sql.rows<[{ service: string; now: number }], Omit<SlotShare, 'share'>>(
    `SELECT campaigns.name AS campaign, coalesce(CAST(campaigns.settings ->> '$.weight' AS NUMERIC), 1) AS weight,
       sum(held) AS held, sum(wants) AS wants
     FROM (SELECT campaign_id AS id, count(*) AS held, 0 AS wants FROM ${ATTEMPTS_WITH_SLOT}
         WHERE service = @service AND slot_until > @now GROUP BY campaign_id
       UNION ALL SELECT campaign_id, 0, wants FROM slot_shares
         WHERE service = @service AND wants > 0 AND ${ASKED_LATELY}) AS found
       CROSS JOIN campaigns ON campaigns.id = found.id
     GROUP BY campaigns.id ORDER BY campaigns.name`,
  );
  return (service, now) => {
    const found = selectHeld({ service, now });
    const sum = found.reduce((all, { weight }) => all + weight, 0);
    return found.map((each) => ({ ...each, share: each.weight / sum }));
  };
}
