import { isHeard } from '../domain/heartbeat.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Notify } from '../runtime/notice.ts';
import type { Campaign, List, Owner, Store } from '../store/port.ts';

export interface CampaignWatchOptions {
  store: Store;
  campaign: Campaign;
  clock: Clock;
  notify: Notify;
  isGone: (owner: Owner) => boolean;
}

/** Sees what others do to the campaign while it is dialled, and tells when the operator pauses or resumes it. */
export class CampaignWatch {
  readonly #options: CampaignWatchOptions;
  #isOnPause = false;

  constructor(options: CampaignWatchOptions) {
    this.#options = options;
  }

  /**
   * @returns `wait`: the operator's pause, which is waited out; `paused`: the program's own; `not_running`: it
   *   is over
   */
  async check(): Promise<'running' | 'wait' | 'paused' | 'not_running'> {
    const { store, campaign, notify } = this.#options;
    const found = await store.findCampaign(campaign.name);
    if (found?.state === 'running') {
      this.runs();
      return 'running';
    }
    if (found?.state !== 'paused') return 'not_running';
    if (found.pauseReason !== 'operator') return 'paused';
    if (!this.#isOnPause) {
      this.#isOnPause = true;
      notify({ event: 'campaign.paused', reason: 'operator', detail: found.pauseDetail ?? '' });
    }
    return 'wait';
  }

  /** A claim has seen that it runs. */
  runs(): void {
    if (!this.#isOnPause) return;
    this.#isOnPause = false;
    this.#options.notify({ event: 'campaign.resumed' });
  }

  /** A claim has seen an import in the way: true where nobody is at it any more. */
  async isImportBrokenOff(): Promise<boolean> {
    const { store, campaign, clock, isGone } = this.#options;
    const open = (await store.lists(campaign.id)).filter(({ finishedAt }) => finishedAt === null);
    const isAlive = ({ importer }: List) =>
      importer !== null && isHeard(importer, clock.now()) && !isGone(importer);
    return open.length > 0 && !open.some(isAlive);
  }
}
