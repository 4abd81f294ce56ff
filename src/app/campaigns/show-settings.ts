import { defaultRequests } from '../../config/settings.ts';
import { printSetting, printSettings } from '../../config/setting-changes.ts';
import { groupOf, type SettingKey } from '../../config/table/settings-table.ts';
import type { Campaign, HistoryEntry } from '../../store/port.ts';
import { localOf } from '../../text/times.ts';
import { withCampaign, type CampaignRequest } from '../places/databases.ts';
import type { World } from '../world.ts';

/**
 * Every setting of a campaign as the text that would set it, and where it comes from.
 *
 * @throws AppError `CAMPAIGN_UNKNOWN` (exit 2)
 */
export function showSettings(request: CampaignRequest, world: World) {
  return withCampaign(request, world, 'read', async ({ store, campaign }) => {
    const history = await store.history(campaign.id);
    const texts = { service: campaign.service || 'none', ...printSettings(campaign.settings) };
    const settings = Object.entries(texts).map(([key, value]) => {
      return { key, value, from: sourceOf(key, value, { campaign, history }) };
    });
    return { campaign: campaign.name, settings };
  });
}

interface Known {
  campaign: Campaign;
  history: readonly HistoryEntry[];
}

/** Who changed it last; else whether it is the default; else that the campaign was made so. */
function sourceOf(key: string, value: string, { campaign, history }: Known): string {
  const { settings, createdAt } = campaign;
  const { requests, concurrency } = settings;
  if (key === 'requests' && requests === defaultRequests(concurrency)) return 'follows concurrency';
  const day = (at: number) => localOf(new Date(at).toISOString()).slice(0, 'yyyy-mm-dd'.length);
  const keys = [key, groupOf(key) ?? key, `default ${key}`];
  const last = history.findLast(
    ({ what, detail }) => what === 'campaign.changed' && keys.some((one) => one in detail),
  );
  if (last !== undefined) {
    const change = keys.map((one) => last.detail[one]).find(Boolean) as { source?: string };
    return `${change.source ?? 'changed'}, ${day(last.at)} by ${last.who}`;
  }
  const { rulesFrom } = history.find(({ what }) => what === 'campaign.created')?.detail ?? {};
  const isDefault =
    (key !== 'service' && value === printSetting(key as SettingKey, {})) ||
    (key === 'rules' && rulesFrom === 'default') ||
    (key === 'results.format' && settings.results.file === null) ||
    value === 'default';
  return isDefault ? 'default' : `when it was made, ${day(createdAt)}`;
}
