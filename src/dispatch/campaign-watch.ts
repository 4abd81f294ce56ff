import type { Clock } from '../runtime/clock.ts';
import type { Notify } from '../runtime/notice.ts';
import type { Campaign, Store } from '../store/port.ts';

export interface CampaignWatchOptions {
  store: Store;
  campaign: Campaign;
  clock: Clock;
  notify: Notify;
}

/** Sees what others do to the campaign while it is dialled, and tells when the operator pauses or resumes it. */
export class CampaignWatch {
  readonly #options: CampaignWatchOptions;
  #isOnPause = false;
  /** Since when an import has been in the way, on the monotonic clock. */
  #importSince: number | null = null;

  constructor(options: CampaignWatchOptions) {
    this.#options = options;
  }

  /**
   * @returns `wait`: the operator's pause, which is waited out; `paused`: the program's own; `not_running`: it
   *   is over
   */
  async look(): Promise<'running' | 'wait' | 'paused' | 'not_running'> {
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

  /** A claim has seen that an import is in the way. @returns for how long it has been, ms */
  imports(): number {
    const now = this.#options.clock.monotonic();
    this.#importSince ??= now;
    return now - this.#importSince;
  }

  /** A claim has seen that no import is in the way. */
  importsNothing(): void {
    this.#importSince = null;
  }
}
