import type { PollScheduler } from '../domain/polling/poll-scheduler.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Lanes } from '../runtime/lanes.ts';
import type { Notify } from '../runtime/notice.ts';
import type { VoiceService } from '../service/port.ts';
import type { Campaign, Owner, Store } from '../store/port.ts';

/** What a dispatcher works with, and how long it stays. */
export interface DispatcherOptions {
  store: Store;
  service: VoiceService;
  campaign: Campaign;
  /** Calls in progress at the service at most, over all campaigns; null: no limit. */
  serviceSlots: number | null;
  clock: Clock;
  owner: Owner;
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
