import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time-units.ts';
import type { NamedLimits } from './limits.ts';
import type { Hold } from './policy.ts';

/** A hold that ends by itself. */
export type TimedHold = Hold & { until: number };

/** The past calls of a number by which limits are decided. */
export interface CallsAskedFor {
  /** Calls that began within this many ms before now. */
  withinMs: number;
  /** How long after its end a conversation matters, ms, and whether a call is still open; null: it does not matter. */
  conversationMs: number | null;
  /** The same for a refusal. */
  refusalMs: number | null;
}

/** Past calls to one person, over all campaigns. Times are epoch ms; null: there was none. */
export interface PastCalls {
  /** When calls began, the newest first; a call that the service put off begins later than its dial. */
  beganAt: readonly number[];
  /** The end of the last call that was answered, if it still matters. */
  answeredUntil: number | null;
  /** The end of the last call in which the person refused such calls, if it still matters. */
  refusedUntil: number | null;
  /** A call whose result is not known yet is over by then. */
  openUntil: number | null;
  /** The person has several numbers. Default false. */
  isOfPerson?: boolean;
}

/** While a call is open that should be over, its result is asked for again after this. */
const ASK_AGAIN_MS = MINUTE_MS;
/** The last moment that a Date can say, epoch ms. */
const LATEST = 8.64e15;

/** The past calls that these limits ask for; null: they do not look at past calls. */
export function callsAskedFor(limits: readonly NamedLimits[]): CallsAskedFor | null {
  const all = limits.map((each) => each.limits);
  const withinMs = Math.max(0, ...all.flatMap(({ caps }) => caps.map(({ perMs }) => perMs)));
  const conversationMs = longest(all.map(({ afterConversationMs }) => afterConversationMs));
  const refusalMs = longest(all.map(({ afterRefusalMs }) => afterRefusalMs));
  if (withinMs === 0 && conversationMs === null && refusalMs === null) return null;
  return { withinMs, conversationMs, refusalMs };
}

function longest(silences: readonly (number | null)[]): number | null {
  const said = silences.flatMap((ms) => ms ?? []);
  return said.length === 0 ? null : Math.max(...said);
}

/**
 * Why a number must not be called at `now` because of earlier calls to it; the hold that ends last comes first. A cap
 * counts calls in `(now - perMs, now]`, and calls in the future too: the clock was set back then.
 */
export function capHolds(
  limits: readonly NamedLimits[],
  past: PastCalls,
  now: number,
): TimedHold[] {
  const holds: TimedHold[] = [];
  const whom = past.isOfPerson === true ? 'person' : 'number';
  for (const { by, limits: each } of limits) {
    const hold = (until: number, why: () => string) => {
      if (until > now) holds.push({ by, until: Math.min(until, LATEST), why: why() });
    };
    for (const { calls, perMs } of each.caps) {
      // Once the oldest of the newest `calls` has left the period, one call more is allowed.
      const oldest = past.beganAt[calls - 1] ?? -Infinity;
      const times = calls === 1 ? '1 call' : `${calls} calls`;
      hold(oldest + perMs, () => `${times} to this ${whom} in ${lengthOf(perMs)}`);
    }
    const { afterConversationMs, afterRefusalMs } = each;
    const silence = (endedAt: number | null, ms: number, after: string) => {
      if (endedAt !== null) hold(endedAt + ms, () => `no call for ${lengthOf(ms)} after ${after}`);
    };
    if (afterConversationMs !== null) {
      silence(past.answeredUntil, afterConversationMs, 'a conversation');
    }
    if (afterRefusalMs !== null)
      silence(past.refusedUntil, afterRefusalMs, 'a refusal in a conversation');
    // A call may turn out to be a conversation or a refusal: that must be known before the next one.
    if (past.openUntil !== null && (afterConversationMs ?? afterRefusalMs) !== null) {
      const until = Math.max(past.openUntil, now + ASK_AGAIN_MS);
      hold(until, () => `what came of the last call to this ${whom} is not known yet`);
    }
  }
  return holds.sort((a, b) => b.until - a.until);
}

/** `30 min`, `24 h`, `7 days`. */
export function lengthOf(ms: number): string {
  if (ms % DAY_MS === 0 && ms > DAY_MS) return `${ms / DAY_MS} days`;
  if (ms % HOUR_MS === 0) return `${ms / HOUR_MS} h`;
  return `${Math.round(ms / MINUTE_MS)} min`;
}
