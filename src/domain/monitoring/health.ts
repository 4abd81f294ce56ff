/** What is known of a `serve` at a moment. */
export interface Vitals {
  /** Webhooks are received, and campaigns may be called. */
  listening: boolean;
  /** It was asked to stop. */
  stopping: boolean;
  /** How long ago its loop last looked over the campaigns, ms on the monotonic clock; at first: since its start. */
  sinceRoundMs: number;
  /** The last write to the database failed, or would have failed. */
  storeFails: boolean;
}

/** Words for programs; they say nothing of people or campaigns. `stuck`: the loop does not go round. */
export type Unwell = 'starting' | 'stopping' | 'stuck' | 'store';

/** `unwell` null: all is well. */
export interface Condition {
  unwell: Unwell | null;
}

/** The two questions of monitors. */
export interface HealthAnswers {
  /** Is it alive? Where not, starting it again may help. */
  healthz: () => Condition;
  /** Does it do its work now: receive webhooks, write, look after campaigns? */
  readyz: () => Condition;
}

/** The loop goes round every second; a round that takes longer than this is not slow but stuck. */
export const STUCK_AFTER_MS = 30_000;

/** Alive: also while it begins and while it stops, when its loop has come to its end. */
export function healthOf(vitals: Vitals): Condition {
  if (vitals.storeFails) return { unwell: 'store' };
  return { unwell: goesRound(vitals) ? null : 'stuck' };
}

/** Ready: whoever stops takes no new work on. */
export function readinessOf(vitals: Vitals): Condition {
  if (vitals.stopping) return { unwell: 'stopping' };
  if (!vitals.listening) return { unwell: 'starting' };
  return healthOf(vitals);
}

/** Whether the watchdog of a service manager is to be told that all goes on; a full disk is no reason for a restart. */
export function goesRound({ stopping, sinceRoundMs }: Vitals): boolean {
  return stopping || sinceRoundMs <= STUCK_AFTER_MS;
}
