import type { Campaign, Progress, Store } from '../../store/port.ts';

/** A campaign for which there was nothing to do, or whose run has ended, is looked at again after this. */
const REST_MS = 5_000;

/** That nothing can be done for a campaign until a moment (epoch ms), as long as these counts stay as they are. */
export interface Idle extends Counts {
  until: number;
}

type Counts = Pick<Progress, 'total' | 'waiting' | 'calling' | 'open'>;

/**
 * Which campaigns of a server rest. A look counts the leads of a campaign, so it is made every few seconds only; whatever
 * another command changes of the campaign or its lists ends the rest at once.
 */
export function createRests(store: Pick<Store, 'lists'>) {
  /** `at` (epoch ms): when the rest began. */
  const resting = new Map<string, { at: number; as: string; idle: Idle | undefined }>();

  const asStored = async ({ id, ...campaign }: Campaign): Promise<string> =>
    JSON.stringify([campaign, await store.lists(id)]);

  return {
    isResting: async (campaign: Campaign, now: number): Promise<boolean> => {
      const rest = resting.get(campaign.id);
      // A clock that was set back since must not make the rest longer.
      if (rest === undefined || Math.abs(now - rest.at) >= REST_MS) return false;
      return rest.as === (await asStored(campaign));
    },
    /** It is looked at now. */
    begin: async (campaign: Campaign, now: number): Promise<void> => {
      const as = await asStored(campaign);
      const before = resting.get(campaign.id);
      const holds = before?.as === as && before.at <= now;
      resting.set(campaign.id, { at: now, as, idle: holds ? before.idle : undefined });
    },
    /** Whether its last run has found that there is nothing to do yet, and nothing has changed since. */
    isIdle: (campaignId: string, now: number, counts: Counts): boolean => {
      const idle = resting.get(campaignId)?.idle;
      if (idle === undefined || now >= idle.until) return false;
      return (['total', 'waiting', 'calling', 'open'] as const).every(
        (key) => idle[key] === counts[key],
      );
    },
    /** Its run has ended. It rests as it was stored at the last look: what was changed since ends the rest. */
    again: (campaignId: string, now: number, idle: Idle | undefined): void => {
      const rest = resting.get(campaignId);
      if (rest !== undefined) Object.assign(rest, { at: now, idle });
    },
    end: (campaignId: string): void => {
      resting.delete(campaignId);
    },
  };
}
