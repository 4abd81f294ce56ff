import type { CampaignDetail } from '../../../contract/campaigns.ts';
import type { ProblemBody } from '../../../contract/common.ts';
import { path } from '../../api/addresses.ts';
import { send } from '../../api/client.ts';
import { useChange, type Changed } from '../change.tsx';
import type { ShownCampaign } from '../use-campaign.ts';

/** Changes settings by the keys and values of `callsheet set`. */
export function useSettings(
  shown: ShownCampaign,
  given: { now: (campaign: CampaignDetail) => string; onDone: () => void },
) {
  const { name } = shown.campaign;
  return useChange(
    shown,
    (ifVersion, set: Record<string, string>) =>
      send<Changed>('PATCH', path`/campaigns/${name}/settings`, { ifVersion, set }),
    given,
  );
}

/** Which of the keys that were sent a refusal is about; undefined: none of them, e.g. a lost connection. */
export function keyOf({ code, detail }: ProblemBody, sent: readonly string[]): string | undefined {
  if (code === 'CONNECTION_LOST') return undefined;
  return sent.length === 1 ? sent[0] : sent.find((key) => detail.includes(key));
}
