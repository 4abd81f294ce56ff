import type { AttemptState } from '../attempt.ts';
import { isKeptEnd, leadAfter, type LeadResult, type LeadState } from '../lead.ts';
import type { Resolution } from '../resolution.ts';

/**
 * Which of a person's attempts stands for all of them in the results, the best first; of equal ones the latest. A call
 * in doubt comes after those that are known to have reached somebody, and before those that reached nobody. The results
 * that are no attempt's come last.
 */
export const BEST_FIRST: readonly LeadResult[] = [
  'opted_out',
  'answered',
  'voicemail',
  'declined',
  'unconfirmed',
  'busy',
  'no_answer',
  'failed',
  'invalid_number',
  'no_result',
  'rejected',
  'suppressed',
  'expired',
  'cancelled',
];

/**
 * Results of conversations, after which nobody is called again, whatever came later; see `afterCall` for people who asked
 * for it.
 */
export const FINAL_RESULTS: readonly LeadResult[] = ['opted_out', 'answered'];

/** An attempt to call a lead, as far as it decides how the lead stands. */
export interface LeadAttempt {
  seq: number;
  state: AttemptState;
  /** Of a settled call. */
  result: LeadResult | null;
  /** How a person has settled the doubt about it. */
  resolution: Resolution | null;
}

/** How a lead stands before something changes. */
export interface LeadNow {
  state: LeadState;
  /** Null: it is not done. */
  result: LeadResult | null;
  /** When the person asked to be called again, epoch ms; null: they did not. */
  callbackAt: number | null;
  /** It is calling only because an earlier call was found when it was done. */
  wasDone: boolean;
}

/** How a lead stands once one of its attempts has changed. */
export type Standing<Attempt> =
  | { kind: 'stays' }
  /** `wasDone`: it was done by its last attempt, and is again once the earlier calls that were found have ended. */
  | { kind: 'calling'; wasDone: boolean }
  /** It has ended, with the result of its best attempt. */
  | { kind: 'over' }
  /** It ends as `reached` did, if that is not retried (null: there is none); if it is, by `otherwise`. */
  | { kind: 'open'; reached: Attempt | null; otherwise: Attempt | 'waits' | 'stays' };

/**
 * The only place that decides how a lead stands by its attempts; the order in which they became known does not matter.
 *
 * - A kept end stays, and what turns out about a call is kept beside it.
 * - An open call makes a lead `calling`, also one that a later attempt had ended: it ends anew with what was found, and
 *   is not called again.
 * - The last attempt that tells something decides. An attempt that had no effect, or that a person resolved as not
 *   placed, tells nothing: without others, the lead waits.
 * - A call that is found although the person was called again after it ends the lead if it is not retried.
 *
 * @param attempts all attempts of the lead, in their order
 * @param changed the attempt that has changed; null: none has, but the lead waits again
 */
export function standingOf<Attempt extends LeadAttempt>(
  lead: LeadNow,
  attempts: readonly Attempt[],
  changed: number | null,
): Standing<Attempt> {
  if (isKeptEnd(lead.result)) return { kind: 'stays' };
  const told = attempts.filter(tells);
  const last = told.at(-1);
  const position = attempts.findIndex(({ seq }) => seq === changed);
  const isLatest = position !== -1 && !attempts.slice(position + 1).some(tells);
  const isEnded = (lead.state === 'done' || lead.wasDone) && !isLatest;
  if (told.some(({ state }) => leadAfter(state).state === 'calling'))
    return { kind: 'calling', wasDone: isEnded };
  if (isEnded) return { kind: 'over' };
  const tellsNow = last !== undefined && last.seq === changed;
  const found = told.filter((each) => each.state === 'settled' && !(tellsNow && each === last));
  // Their own wish is met once the call for it has its result.
  const isAsked = lead.callbackAt !== null && !(tellsNow && last.state === 'settled');
  const reached = best(
    found.filter(({ seq, result, resolution }) => {
      if (isAsked) return result === 'opted_out';
      const isFinal = FINAL_RESULTS.some((final) => final === result);
      return isFinal || resolution === 'not_placed' || seq === changed;
    }),
  );
  const other = lead.state === 'waiting' ? 'stays' : (last ?? 'waits');
  return { kind: 'open', reached, otherwise: isLatest ? (tellsNow ? last : 'waits') : other };
}

/** Nothing is known of an attempt that had no effect, or whose call a person says was not made. */
function tells({ state, resolution }: LeadAttempt): boolean {
  const isTakenBack = state === 'unconfirmed' && resolution === 'not_placed';
  return leadAfter(state).state !== 'waiting' && !isTakenBack;
}

function best<Attempt extends LeadAttempt>(attempts: readonly Attempt[]): Attempt | null {
  const ranked = BEST_FIRST.map((result) => attempts.findLast((each) => each.result === result));
  return ranked.find((each) => each !== undefined) ?? null;
}
