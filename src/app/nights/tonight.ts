import type { CampaignSettings } from '../../domain/campaign.ts';
import { nightAt, type Night } from '../../domain/nights/night.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';

/** The night of a campaign to which a moment (epoch ms) belongs. */
export function nightNow(settings: CampaignSettings, at: number): Night {
  return nightAt(at, settings, zoneOffsets(settings.policy?.zoneOverrides ?? []));
}
