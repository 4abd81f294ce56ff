import type { PollScheduler } from '../domain/polling/poll-scheduler.ts';
import type { Lanes } from '../runtime/lanes.ts';
import type { Notify } from '../runtime/notice.ts';
import type { Owner } from '../store/port.ts';
import type { LeadClaimsOptions } from './lead-claims.ts';

/** What a dispatcher works with, and how long it stays. */
export interface DispatcherOptions extends LeadClaimsOptions {
  /** Shared with the poller. */
  lanes: Lanes;
  /** When calls are polled; it learns from what the poller finds. */
  plan: PollScheduler;
  /** Stop after so many dials; null: no limit. */
  limit: number | null;
  /** No dial after this time, epoch ms; null: none. */
  until: number | null;
  /** Wait for leads that are due up to this time, epoch ms; null: for two minutes at most. */
  waitUntil: number | null;
  notify: Notify;
  isGone: (owner: Owner) => boolean;
  /** Called for every placed call with the time of its first poll, epoch ms. */
  onPlaced: (nextPollAt: number) => void;
}

/**
 * Why dialling ended; `paused` is the program's own pause, `not_running` a campaign that is over,
 * `list_unfinished` an import that was broken off.
 */
export type DispatchEnd =
  | 'none_waiting'
  | 'later'
  | 'list_unfinished'
  | 'limit'
  | 'until'
  | 'paused'
  | 'not_running'
  | 'disk_full'
  | 'store_failing'
  | 'stopped';
