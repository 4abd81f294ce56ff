import type { Clock } from '../../runtime/clock.ts';

/**
 * Rate limiter: spaces the requests to one service evenly, first come, first served.
 *
 * @param perSecond undefined: no limit
 * @returns null without a limit
 */
export function createRateLimiter(
  perSecond: number | undefined,
  clock: Clock,
  closing: AbortSignal,
) {
  if (perSecond === undefined) return null;
  const gapMs = 1_000 / perSecond;
  let nextAt = -Infinity;
  return {
    /** Resolves when the next request may be sent. */
    take: async () => {
      const now = clock.monotonic();
      const at = Math.max(now, nextAt);
      nextAt = at + gapMs;
      if (at > now) await clock.sleep(at - now, closing);
    },
    /** How many requests, if they called `take` now, would be sent within `ms`. */
    within: (ms: number) => {
      const waitMs = Math.max(0, nextAt - clock.monotonic());
      return waitMs > ms ? 0 : 1 + Math.floor((ms - waitMs) / gapMs);
    },
  };
}
