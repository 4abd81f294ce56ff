import {
  CONTENDS_FOR_MS,
  slotsFor,
  usedBeside,
  type Contender,
} from '../../../../domain/nights/shares.ts';
import type { ClaimRequest } from '../../../port.ts';
import type { Sql } from '../../sql.ts';
import { ATTEMPTS_WITH_SLOT } from '../../tables/attempt-conditions.ts';
import type { CampaignRow } from '../../tables/campaigns.ts';

/** That a campaign alone is short of slots is written down again after this. */
const NOTED_AGAIN_MS = CONTENDS_FOR_MS / 4;

/** Until then a campaign contends; a clock that was set back must not let it contend for longer. */
export const ASKED_LATELY = `asked_at > @now - ${CONTENDS_FOR_MS} AND asked_at < @now + ${CONTENDS_FOR_MS}`;

/** What a claim finds at a service whose slots are limited. */
export interface ServiceRoom {
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
export function slotShareStatements(sql: Sql) {
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
  const putShare = sql.run(
    `INSERT INTO slot_shares (service, campaign_id, weight, used, wants, asked_at)
     VALUES (@service, @campaignId, @weight, @used, @wants, @now)
     ON CONFLICT DO UPDATE SET weight = @weight, used = @used, wants = @wants, asked_at = @now`,
  );
  const noteWants = sql.run(
    `INSERT INTO slot_shares (service, campaign_id, weight, used, wants, asked_at)
     VALUES (@service, @campaignId, @weight, 0, @wants, @now)
     ON CONFLICT DO UPDATE SET weight = @weight, wants = @wants, asked_at = @now`,
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
