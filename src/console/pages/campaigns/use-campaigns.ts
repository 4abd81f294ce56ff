import { useState } from 'preact/hooks';
import type { Campaign } from '../../contract/campaigns.ts';
import type { ProblemBody } from '../../contract/common.ts';
import { query } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useLive } from '../api/live.ts';
import { useLoaded } from '../api/loaded.ts';

/**
 * All campaigns, the newest first, as they are now; archived ones do not change and are read once.
 *
 * @returns `hidden`: how many archived ones are left out
 */
export function useCampaigns(withArchived: boolean): {
  campaigns: Campaign[] | undefined;
  hidden: number;
  problem: ProblemBody | undefined;
} {
  const { value, problem } = useLoaded(
    (signal) =>
      get<{ items: Campaign[]; hidden: number }>(
        `/campaigns${query({ archived: withArchived || null })}`,
        signal,
      ),
    [withArchived],
  );
  const [live, setLive] = useState<Campaign[]>();
  useLive(null, { campaigns: setLive });
  if (value === undefined) return { campaigns: undefined, hidden: 0, problem };
  const archived = value.items.filter((campaign) => campaign.archived);
  const open = live ?? value.items.filter((campaign) => !campaign.archived);
  const campaigns = [...open, ...archived.filter(({ name }) => !isIn(open, name))].toSorted(
    (a, b) => b.createdAt - a.createdAt,
  );
  return { campaigns, hidden: value.hidden, problem };
}

function isIn(campaigns: readonly Campaign[], wanted: string): boolean {
  return campaigns.some(({ name }) => name === wanted);
}
