import { campaignChanged } from '../../store/campaign-changed.ts';
import type { Plan } from './plan.ts';

/**
 * Holds whoever goes by what they have looked at to that: somebody else may have changed the campaign since.
 *
 * @param ifVersion the version that was looked at; undefined: whichever it is
 * @throws AppError `CAMPAIGN_CHANGED` (exit 2), before anything is changed
 */
export async function requireVersion(
  { store, campaign }: Pick<Plan, 'store' | 'campaign'>,
  ifVersion: number | undefined,
): Promise<void> {
  if (store === undefined || campaign === undefined || ifVersion === undefined) return;
  if (campaign.version === ifVersion) return;
  throw campaignChanged(campaign.name, await store.history(campaign.id));
}
