import type { RunOptions } from '../../run-campaign.ts';
import type { Campaign, HeldSlot, Progress } from '../../store/port.ts';
import type { NoticeEvent } from './fold-notices.ts';

/** How far a run goes; as in `RunOptions`. */
export type RunBounds = Pick<RunOptions, 'limit' | 'until' | 'waitUntil'>;

/** What a run tells while it goes on. */
export type RunEvent =
  | NoticeEvent
  /** Nothing more is asked: the campaign is stored as it was approved. */
  | { is: 'committed' }
  /** Calls may be made from now on; `bounds` null: it only collects. */
  | { is: 'begun'; campaign: Campaign; bounds: RunBounds | null }
  /** Where the leads are, every `everyMs`, and once at the end. Not told of single calls. */
  | { is: 'progress'; progress: Progress; last: boolean }
  /** Calls in doubt hold slots: told once, and once more when they hold all of them. */
  | { is: 'doubts_hold_slots'; campaign: Campaign; held: HeldSlot[] }
  /** Analytics could not be read; told once. */
  | { is: 'reading_fails'; detail: string }
  /** Calling and collecting are over; results are written now. */
  | { is: 'ended' }
  /** `stop.left` was heard: nothing more is told or written. */
  | { is: 'left'; campaign: Campaign; open: number }
  /** Nothing more is told of this run. */
  | { is: 'over' };

/** The wishes of the operator, in the order in which they grow stronger. */
export interface StopSignals {
  /** No new call; what is in progress is collected. */
  dialling: AbortSignal;
  /** Everything stops. */
  all: AbortSignal;
  /** Nobody waits any more, neither for what is open nor for results. */
  left: AbortSignal;
}

/** Whoever watches a run and may stop it. */
export interface RunWatch {
  stop: StopSignals;
  /** How often the leads are counted for `progress`. */
  everyMs: number;
  onEvent: (event: RunEvent) => void;
}
