import type { CampaignSettings } from '../../domain/campaign.ts';
import { nightAt, type Night } from '../../domain/nights/night.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';

/** What decides a campaign's nights. */
export type NightSettings = Pick<CampaignSettings, 'timezone' | 'hours' | 'policy'>;

/** The night of a campaign to which a moment (epoch ms) belongs, by the same zone data as its claim. */
export function campaignNight(at: number, settings: NightSettings): Night {
  return nightAt(at, settings, zoneOffsets(settings.policy?.zoneOverrides ?? []));
}
