import type { PollScheduler } from '../../domain/polling/poll-scheduler.ts';

/** What a campaign's run wants to hear of calls that others have news of. */
export interface CallListener {
  campaignId: string;
  plan: PollScheduler;
  /** A call no longer holds its slot. */
  onLineDown: () => void;
  /** A look is due at `at` (epoch ms). */
  onPollDue: (at: number) => void;
}

/** Brings news of calls from the webhooks to the runs of their campaigns, in one process. */
export class CallFeed {
  readonly #listeners = new Map<string, CallListener>();

  /** @returns ends it */
  subscribe(listener: CallListener): () => void {
    this.#listeners.set(listener.campaignId, listener);
    return () => {
      if (this.#listeners.get(listener.campaignId) !== listener) return;
      this.#listeners.delete(listener.campaignId);
    };
  }

  listenerOf(campaignId: string): CallListener | undefined {
    return this.#listeners.get(campaignId);
  }
}
