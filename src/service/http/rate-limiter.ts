import type { Clock } from '../../runtime/clock.ts';

export interface RateLimiter {
  /** Resolves when the next request may be sent. */
  take: () => Promise<void>;
  /** How many requests that ask now would be sent within `ms`. */
  within: (ms: number) => number;
}

/**
 * Spaces the requests to one service evenly, in the order in which they were asked for.
 *
 * @param perSecond undefined: no limit
 * @returns null without a limit
 */
export function createRateLimiter(
  perSecond: number | undefined,
  clock: Clock,
  closing: AbortSignal,
): RateLimiter | null {
  if (perSecond === undefined) return null;
  const gapMs = 1_000 / perSecond;
  let nextAt = -Infinity;
  return {
    take: async () => {
      const now = clock.monotonic();
      const at = Math.max(now, nextAt);
      nextAt = at + gapMs;
      if (at > now) await clock.sleep(at - now, closing);
    },
    within: (ms) => {
      const waitMs = Math.max(0, nextAt - clock.monotonic());
      return waitMs > ms ? 0 : 1 + Math.floor((ms - waitMs) / gapMs);
    },
  };
}
