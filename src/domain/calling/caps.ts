import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time-units.ts';
import type { NamedLimits } from './limits.ts';
import type { Cap, Hold } from './policy.ts';

/** A hold that ends by itself. */
export type TimedHold = Hold & { until: number };

/** Which past calls of a number limits are decided by. */
export interface CallsAskedFor {
  /** Calls that began within this many ms before now, at most so many of the newest. */
  withinMs: number;
  calls: number;
  /** True when the end of the last conversation or refusal matters, and whether a call is still open. */
  withEnds: boolean;
}

/** Past calls to one number, over all campaigns. Times are epoch ms; null: there was none. */
export interface PastCalls {
  /** When calls began, the newest first; a call that the service put off begins later than its dial. */
  beganAt: readonly number[];
  /** The end of the last call that was answered, and of the last one that was declined. */
  answeredUntil: number | null;
  declinedUntil: number | null;
  /** A call whose result is not known yet is over by then. */
  openUntil: number | null;
}

/** While a call is open that should be over, its result is asked for again after this. */
const ASK_AGAIN_MS = MINUTE_MS;
/** The last moment that a Date can say, epoch ms. */
const LATEST = 8.64e15;

/** What has to be known of a number to decide by these limits; null: they do not look at past calls. */
export function callsAskedFor(limits: readonly NamedLimits[]): CallsAskedFor | null {
  const caps = limits.flatMap((each) => each.limits.caps);
  const withEnds = limits.some(
    ({ limits: { afterConversationMs, afterRefusalMs } }) =>
      afterConversationMs !== null || afterRefusalMs !== null,
  );
  if (caps.length === 0 && !withEnds) return null;
  const withinMs = Math.max(0, ...caps.map(({ perMs }) => perMs));
  return { withinMs, calls: Math.max(0, ...caps.map(({ calls }) => calls)), withEnds };
}

/**
 * Why a number must not be called at `now` because of earlier calls to it; the hold that ends last comes first.
 * A cap counts calls in `(now - perMs, now]`, and calls in the future too: the clock was set back then.
 */
export function capHolds(
  limits: readonly NamedLimits[],
  past: PastCalls,
  now: number,
): TimedHold[] {
  const holds = limits.flatMap(({ by, limits: { caps, afterConversationMs, afterRefusalMs } }) => [
    ...caps.map((cap) => ({ by, ...capped(cap, past.beganAt) })),
    { by, ...silence('a conversation', past.answeredUntil, afterConversationMs) },
    { by, ...silence('a declined call', past.declinedUntil, afterRefusalMs) },
    { by, ...stillOpen(past.openUntil, afterConversationMs ?? afterRefusalMs, now) },
  ]);
  return holds
    .filter(({ until }) => until > now)
    .map((hold) => ({ ...hold, until: Math.min(hold.until, LATEST) }))
    .toSorted((a, b) => b.until - a.until);
}

interface Limited {
  /** Epoch ms; -Infinity: nothing is held back. */
  until: number;
  why: string;
}

function capped({ calls, perMs }: Cap, beganAt: readonly number[]): Limited {
  // Once the oldest of the newest `calls` has left the period, one call more is allowed.
  const oldest = beganAt[calls - 1] ?? -Infinity;
  const times = calls === 1 ? '1 call' : `${calls} calls`;
  return { until: oldest + perMs, why: `${times} to this number in ${lengthOf(perMs)}` };
}

function silence(after: string, endedAt: number | null, forMs: number | null): Limited {
  const until = (endedAt ?? -Infinity) + (forMs ?? 0);
  const length = lengthOf(forMs ?? 0);
  return { until: forMs === null ? -Infinity : until, why: `no call for ${length} after ${after}` };
}

/** A call that may turn out to be a conversation or a refusal holds the next one back until that is known. */
function stillOpen(openUntil: number | null, silenceMs: number | null, now: number): Limited {
  const isOpen = openUntil !== null && silenceMs !== null;
  return {
    until: isOpen ? Math.max(openUntil, now + ASK_AGAIN_MS) : -Infinity,
    why: 'what came of the last call to this number is not known yet',
  };
}

/** `30 min`, `24 h`, `7 days`. */
function lengthOf(ms: number): string {
  if (ms % DAY_MS === 0 && ms > DAY_MS) return `${ms / DAY_MS} days`;
  if (ms % HOUR_MS === 0) return `${ms / HOUR_MS} h`;
  return `${Math.round(ms / MINUTE_MS)} min`;
}
