import { isHeard } from '../domain/heartbeat.ts';
import type { List } from '../store/port.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';

/** Notices what other processes do to the campaign while it is dialled, and tells when the operator pauses or resumes it. */
export class CampaignWatch {
  readonly #options: DispatcherOptions;
  #isOnPause = false;

  constructor(options: DispatcherOptions) {
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

  /** To be called when a claim has shown that the campaign is running. */
  runs(): void {
    if (!this.#isOnPause) return;
    this.#isOnPause = false;
    this.#options.notify({ event: 'campaign.resumed' });
  }

  /** After a claim that an unfinished import stopped: true when no living process continues that import. */
  async isImportBrokenOff(): Promise<boolean> {
    const { store, campaign, clock, isGone } = this.#options;
    const open = (await store.lists(campaign.id)).filter(({ finishedAt }) => finishedAt === null);
    const isAlive = ({ importer }: List) =>
      importer !== null && isHeard(importer, clock.now()) && !isGone(importer);
    return open.length > 0 && !open.some(isAlive);
  }
}
