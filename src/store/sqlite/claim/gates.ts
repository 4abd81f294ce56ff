import type { CampaignSettings } from '../../../domain/campaign.ts';
import type { ClaimGate, ClaimRequest, ClaimShortfall } from '../../port.ts';
import type { Methods } from '../methods.ts';
import type { Sql } from '../sql.ts';
import { slotCounter } from '../tables/attempt-conditions.ts';
import type { CampaignRow } from '../tables/campaigns.ts';
import type { Tables } from '../tables/tables.ts';
import { paceStatements } from './pace.ts';
import { waitingPlaces } from './waiting-places.ts';

/**
 * What keeps a campaign from calling anybody, whoever is due: the claim decides by these functions, and what people are
 * told of it comes from the same.
 */
export function gateStatements(sql: Sql, { campaigns, leads, services }: Tables) {
  const slotsOfCampaign = slotCounter(sql, 'campaign_id');
  const slotsAtService = slotCounter(sql, 'service');
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

  function freeSlots(
    {
      campaignId,
      service,
      slots,
      serviceSlots,
      now,
    }: Pick<ClaimRequest, 'campaignId' | 'service' | 'slots' | 'serviceSlots' | 'now'>,
    { concurrency }: CampaignSettings,
  ): number {
    const ofCampaign = Math.min(slots, concurrency) - slotsOfCampaign(campaignId, now);
    const atService =
      serviceSlots === null ? Infinity : serviceSlots - slotsAtService(service, now);
    return Math.max(0, Math.min(ofCampaign, atService));
  }

  return {
    whyClosed,
    freeSlots,
    pace,
    reads: {
      claimGates: ({ campaignId, serviceSlots, now }) => {
        const campaign = campaigns.getOften(campaignId);
        const { service, settings } = campaign;
        const closed = whyClosed(campaign);
        const backoff = services.backoffEnd(service, now);
        const slots = { campaignId, service, slots: Infinity, serviceSlots, now };
        const { count, askAgainAt } = pace.admitted(campaign, now, 1);
        const gates: (ClaimGate | null)[] = [
          closed && { why: closed, until: null },
          backoff === null ? null : { why: 'service_backoff', until: backoff },
          freeSlots(slots, settings) > 0 ? null : { why: 'no_free_slot', until: null },
          count > 0 ? null : { why: 'pace', until: askAgainAt },
        ];
        return gates.filter((gate) => gate !== null);
      },
    } satisfies Partial<Methods>,
  };
}
