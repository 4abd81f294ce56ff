import type { PollScheduler } from '../../domain/polling/poll-scheduler.ts';

/** A campaign's run, which wants to know what webhooks tell of its calls. */
export interface CallListener {
  campaignId: string;
  plan: PollScheduler;
  /** A call no longer holds its slot. */
  onLineDown: () => void;
  /** A poll is due at `at` (epoch ms). */
  onPollDue: (at: number) => void;
}

/** Passes news of calls from the webhook inbox to the runs of their campaigns, within one process. */
export class CallFeed {
  readonly #listeners = new Map<string, CallListener>();

  /** @returns a function that ends the subscription */
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
