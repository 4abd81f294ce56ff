import type { RunOptions } from '../../runner.ts';
import type { Campaign, HeldSlot, Progress } from '../../store/port.ts';
import type { NoticeEvent } from './fold-notices.ts';

/** How far a run goes; as in `RunOptions`. */
export type RunBounds = Pick<RunOptions, 'limit' | 'until' | 'waitUntil'>;

/** What a run reports while it is in progress. */
export type RunEvent =
  | NoticeEvent
  /** Nothing more is asked: the campaign is stored as it was approved. */
  | { is: 'committed' }
  /** Calls may be made from now on; `bounds` null: it only collects. */
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
  /** No new call; what is in progress is collected. */
  dialling: AbortSignal;
  /** Everything stops. */
  all: AbortSignal;
  /** The command ends at once, without waiting for open calls or for results. */
  left: AbortSignal;
}

/** Whoever watches a run and may stop it. */
export interface RunWatch {
  stop: StopSignals;
  /** How often the leads are counted for `progress`. */
  everyMs: number;
  onEvent: (event: RunEvent) => void;
}
