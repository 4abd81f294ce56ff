import type { AttemptState } from './attempt.ts';

/** `waiting` may be called (when its time has come), `calling` has an open attempt, `done` has a result. */
export const LEAD_STATES = ['waiting', 'calling', 'done'] as const;
export type LeadState = (typeof LEAD_STATES)[number];

/** How a lead ended; set if and only if its state is `done`. */
export const LEAD_RESULTS = [
  'answered',
  'voicemail',
  'no_answer',
  'busy',
  'declined',
  'failed',
  'rejected',
  'invalid_number',
  'opted_out',
  'unconfirmed',
  'no_result',
  'suppressed',
  'expired',
  'cancelled',
] as const;
export type LeadResult = (typeof LEAD_RESULTS)[number];

/** Ends that come from outside the calls: no later evidence about a call changes them. */
const KEPT_ENDS: readonly LeadResult[] = ['cancelled', 'suppressed'];

/** True when a lead ended with this result, and no evidence or resolution of a call changes that. */
export function isKeptEnd(result: LeadResult | null): boolean {
  return result !== null && KEPT_ENDS.includes(result);
}

/** Where a result comes from: the service gave it, it was derived from the transcript, or callsheet decided it. */
export const RESULT_SOURCES = ['service', 'derived', 'callsheet'] as const;
export type ResultSource = (typeof RESULT_SOURCES)[number];

/** The lead's state when its attempt moves to `state`; a settled call brings its own result. */
export function leadAfter(
  state: AttemptState,
):
  | { state: 'waiting' }
  | { state: 'calling' }
  | { state: 'done'; result: LeadResult | 'of_the_call' } {
  switch (state) {
    case 'intent':
    case 'placed':
    case 'ended':
    case 'unknown':
      return { state: 'calling' };
    case 'released':
      return { state: 'waiting' };
    case 'settled':
      return { state: 'done', result: 'of_the_call' };
    case 'rejected':
    case 'unconfirmed':
    case 'no_result':
      return { state: 'done', result: state };
  }
}
