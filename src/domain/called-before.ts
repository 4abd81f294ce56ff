import type { AttemptState } from './attempt.ts';
import type { LeadResult } from './lead.ts';

/** Leave out people whom another campaign has called: within this many ms, or ever. */
export type SkipCalled = number | 'ever';

/** The current state of a call, and its result if the call is settled. */
export interface CallEnd {
  state: AttemptState;
  /** The result of a settled call; null: the call is not settled. */
  result: LeadResult | null;
}

/** Calls that began at this moment (epoch ms) or later count, also those in the future after the clock was set back. */
export function countsSince(skip: SkipCalled, now: number): number {
  return skip === 'ever' ? -Infinity : now - skip;
}

/** The state or end of a call in words: `answered`, `in doubt`, `on the line`. */
export function endOf({ state, result }: CallEnd): string {
  if (state === 'settled') return result ?? 'no_result';
  if (state === 'no_result') return 'no_result';
  if (state === 'unknown' || state === 'unconfirmed') return 'in doubt';
  return state === 'ended' ? 'its result still to come' : 'on the line';
}

/**
 * The reason why somebody is not called, as written to the results:
 * `called_before: campaign "spring" on 2026-01-05 15:00 UTC (answered)`.
 *
 * @param at epoch ms
 */
export function calledBeforeReason(call: CallEnd & { campaign: string; at: number }): string {
  const when = new Date(call.at).toISOString().slice(0, 16).replace('T', ' ');
  return `called_before: campaign "${call.campaign}" on ${when} UTC (${endOf(call)})`;
}
