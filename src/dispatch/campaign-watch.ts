import { isHeard } from '../domain/time-units.ts';
import type { List } from '../store/port.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';

/** Sees what other processes change in a campaign that is dialled, and reports the operator's pause and resume. */
export function createCampaignWatch(options: DispatcherOptions) {
  const { store, campaign, clock, notify, isGone } = options;
  let isOnPause = false;

  /** To be called when a claim has shown that the campaign is running. */
  const runs = () => {
    if (isOnPause) notify({ event: 'campaign.resumed' });
    isOnPause = false;
  };

  return {
    runs,

    /**
     * @returns `wait`: paused by the operator, and the run waits for the end of the pause; `paused`: paused by the
     *   program; `not_running`: the campaign is over
     */
    check: async (): Promise<'running' | 'wait' | 'paused' | 'not_running'> => {
      const found = await store.findCampaign(campaign.name);
      if (found?.state === 'running') {
        runs();
        return 'running';
      }
      if (found?.state !== 'paused') return 'not_running';
      if (found.pauseReason !== 'operator') return 'paused';
      if (!isOnPause) {
        isOnPause = true;
        notify({ event: 'campaign.paused', reason: 'operator', detail: found.pauseDetail ?? '' });
      }
      return 'wait';
    },

    /** For a claim that gave nothing as an import is unfinished: true when no living process continues that import. */
    isImportBrokenOff: async (): Promise<boolean> => {
      const open = (await store.lists(campaign.id)).filter(({ finishedAt }) => finishedAt === null);
      const isAlive = ({ importer }: List) =>
        importer !== null && isHeard(importer, clock.now()) && !isGone(importer);
      return open.length > 0 && !open.some(isAlive);
    },
  };
}
