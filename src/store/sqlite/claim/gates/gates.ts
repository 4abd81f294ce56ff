import type { CampaignSettings } from '../../../../domain/campaign.ts';
import type { ClaimGate, ClaimRequest, ClaimShortfall } from '../../../port.ts';
import type { Methods } from '../../methods.ts';
import type { Sql } from '../../sql.ts';
import { slotCounter } from '../../tables/attempt-conditions.ts';
import type { CampaignRow } from '../../tables/campaigns.ts';
import type { Tables } from '../../tables/tables.ts';
import { budgetGoesOnAt, budgetStatements } from './budgets.ts';
import { paceStatements } from './pace.ts';
import { slotShareStatements, type ServiceRoom } from './slot-shares.ts';
import { waitingPlaces } from '../waiting-places.ts';

/**
 * What keeps a campaign from calling anybody, whoever is due: the claim decides by these functions, and what people are
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
    { concurrency }: CampaignSettings,
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
