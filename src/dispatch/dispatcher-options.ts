import type { PollScheduler } from '../domain/polling/poll-scheduler.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Lanes } from '../runtime/lanes.ts';
import type { Notify } from '../runtime/notice.ts';
import type { VoiceService } from '../service/port.ts';
import type { Campaign, Owner, Store } from '../store/port.ts';
import type { PresentSettings } from './present-settings.ts';

/** What a dispatcher needs, and when it stops. */
export interface DispatcherOptions {
  store: Store;
  service: VoiceService;
  campaign: Campaign;
  /** Its limits, which may change while it is dialled. */
  settings: PresentSettings;
  /** Upper bound for calls in progress at the service, over all campaigns; null: no limit. */
  serviceSlots: number | null;
  clock: Clock;
  owner: Owner;
  /** Shared with the poller. */
  lanes: Lanes;
  /** Decides when calls are polled; the scheduler learns from what the poller finds. */
  scheduler: PollScheduler;
  /** Stop after this many dials; null: no limit. */
  limit: number | null;
  /** No dial after this time, epoch ms; null: none. */
  until: number | null;
  /** Wait for leads that are due up to this time, epoch ms; null: wait for two minutes at most. */
  waitUntil: number | null;
  /** While the service fails, it is asked again up to this time, epoch ms. Default: for ten minutes. */
  patientUntil?: number | null;
  /** True: nobody has asked the service yet, so a harmless read comes before the first dial. Default false. */
  readsFirst?: boolean;
  /** How often it is looked for what other processes have changed, ms. Default 500. */
  othersEveryMs?: number | undefined;
  notify: Notify;
  isGone: (owner: Owner) => boolean;
  /** Called for every placed call with the time of its first poll, epoch ms. */
  onPlaced: (nextPollAt: number) => void;
}

/**
 * Why dialling ended; `shut`: leads wait, but no hours ever open for any of them; `budget`: nobody is called until
 * somebody changes a budget; `paused` is a pause by the program, `not_running` a campaign that is over,
 * `list_unfinished` an import that was interrupted.
 */
export type DispatchEnd =
  | 'none_waiting'
  | 'later'
  | 'shut'
  | 'budget'
  | 'list_unfinished'
  | 'limit'
  | 'until'
  | 'paused'
  | 'not_running'
  | 'disk_full'
  | 'store_failing'
  | 'stopped';
