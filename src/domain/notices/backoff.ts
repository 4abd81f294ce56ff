import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time-units.ts';

/**
 * How long a receiver is waited for after each try that failed: as Standard Webhooks proposes, soon at first and then
 * seldom. After the last one it stays at that.
 */
const WAITS_MS = [10_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS];
/** No notice is tried later than this after it was written, unless nobody tried it before. */
export const GIVEN_UP_AFTER_MS = 3 * DAY_MS;
/** How long a process has for a try: longer than a command or a webhook may take. */
export const LEASE_MS = MINUTE_MS;
/** Longer than any wait: a time further ahead means that the clock was set back. */
export const LONGEST_WAIT_MS = 7 * HOUR_MS;

/**
 * When a notice is tried again.
 *
 * @param tries how many have failed, 1 or more
 * @param writtenAt epoch ms, as is `now`
 * @param retryAfterMs what the receiver asked for; null: nothing
 * @returns epoch ms; null: it is given up
 */
export function nextTry(
  tries: number,
  writtenAt: number,
  now: number,
  retryAfterMs: number | null,
): number | null {
  const wait = WAITS_MS[Math.min(tries, WAITS_MS.length) - 1] ?? 0;
  const at = now + Math.max(wait, retryAfterMs ?? 0);
  return at - writtenAt > GIVEN_UP_AFTER_MS ? null : at;
}
