import type { RunOptions } from '../../run-campaign.ts';
import type { Campaign, HeldSlot, Progress } from '../../store/port.ts';
import type { NoticeEvent } from './fold-notices.ts';

/** When a run ends; as in `RunOptions`. */
export type RunBounds = Pick<RunOptions, 'limit' | 'until' | 'waitUntil'>;

/** What a run reports while it is in progress. */
export type RunEvent =
  | NoticeEvent
  /** No more questions follow: the campaign is stored as it was approved. */
  | { is: 'committed' }
  /** Calls may be made from now on; `bounds` null: the run only collects. */
  | { is: 'begun'; campaign: Campaign; bounds: RunBounds | null }
  /** How many leads are in which state: every `everyMs`, and once at the end. Not sent for single calls. */
  | { is: 'progress'; progress: Progress; last: boolean }
  /** Calls in doubt hold slots: sent once, and once more when they hold all of them. */
  | { is: 'doubts_hold_slots'; campaign: Campaign; held: HeldSlot[] }
  /** Analytics could not be read; sent once. */
  | { is: 'reading_fails'; detail: string }
  /** Calling and collecting are over; results are written now. */
  | { is: 'ended' }
  /** `stop.left` has aborted: nothing more is shown or written. */
  | { is: 'left'; campaign: Campaign; open: number }
  /** The last event of a run. */
  | { is: 'over' };

/** The operator's requests to stop, the mildest first. */
export interface StopSignals {
  /** No new call is started; calls in progress are collected. */
  dialling: AbortSignal;
  /** Dialling and collecting end now. */
  all: AbortSignal;
  /** The command ends at once, without waiting for open calls or for results. */
  left: AbortSignal;
}

/** The observer of a run, who may also stop it. */
export interface RunWatch {
  stop: StopSignals;
  /** How often the leads are counted for `progress`. */
  everyMs: number;
  onEvent: (event: RunEvent) => void;
}
