import type { Campaign } from '../../contract/campaigns.ts';
import type { ProblemBody } from '../../contract/common.ts';
import { query } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { everySecond, useLoaded } from '../api/loaded.ts';

/**
 * All campaigns, the newest first, as they are now.
 *
 * @returns `hidden`: how many archived ones are left out
 */
export function useCampaigns(withArchived: boolean): {
  campaigns: Campaign[] | undefined;
  hidden: number;
  problem: ProblemBody | undefined;
} {
  const { value, problem } = useLoaded(
    (signal, before?: { items: Campaign[]; hidden: number }) =>
      get(`/campaigns${query({ archived: withArchived || null })}`, signal, before),
    [withArchived],
    everySecond,
  );
  return { campaigns: value?.items, hidden: value?.hidden ?? 0, problem };
}
