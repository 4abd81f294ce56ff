import type { PollScheduler } from '../../domain/polling/poll-scheduler.ts';

/** Passes news of calls from the webhook inbox to the runs of their campaigns, by campaign id, within one process. */
export type CallFeed = Map<string, CallListener>;

/** A campaign's run, to which news of its calls is passed. */
interface CallListener {
  scheduler: PollScheduler;
  /** A call no longer holds its slot. */
  onLineDown: () => void;
  /** A poll is due at `at` (epoch ms). */
  onPollDue: (at: number) => void;
}
