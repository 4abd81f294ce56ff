import type { LeadResult, ResultSource } from '../lead.ts';
import { DAY_MS, MINUTE_MS } from '../time-units.ts';
import { heldBy, type Hold } from './policy.ts';

/** Results after which a person may be called again; all others end the lead. */
export const RETRY_RESULTS = ['no_answer', 'busy', 'voicemail', 'declined', 'failed'] as const;
export type RetryResult = (typeof RETRY_RESULTS)[number];

/** Results after which an operator may let people be called again: nobody spoke, and nobody refused. */
export const CALLABLE_AGAIN = ['no_answer', 'busy', 'voicemail', 'failed'] as const;
export type CallableAgain = (typeof CALLABLE_AGAIN)[number];

/** Why somebody with such a result is not called again; `stopped`: a list keeps them out. */
export const NOT_RETRIED = [
  'suppressed',
  'withdrawn',
  'stopped',
  'in_doubt',
  'no_number',
  'called_since',
] as const;
export type NotRetried = (typeof NOT_RETRIED)[number];

/** `retry` of the campaign file: whether and when a person is called again. */
export interface RetryPolicy {
  /** Attempts for each person in total, over all numbers, 1 to 20; default 1. */
  attempts: number;
  /** Attempts per calendar day of the person; null: no limit but the rules. */
  perDay: number | null;
  /** The least time between two attempts for one person, ms. */
  gapMs: number;
  /** Results that are retried, with the delay after each, ms, at least `gapMs` in effect. */
  after: Readonly<Partial<Record<RetryResult, number>>>;
  /** True: the next attempt is made at another time of the person's day than those before, while there is one. */
  otherTimeOfDay: boolean;
  /** The last day on which anybody is called again, in the campaign's zone: `2026-12-31`; null: none. */
  lastDay: string | null;
  /** After this many attempts to a number without an answer the person's next number is called; null: never. */
  alternatives: number | null;
}

/** What is known when a call has its result. Times are epoch ms. */
export interface EndedCall {
  result: LeadResult;
  source: ResultSource;
  /** True when the profile says that results which were derived may be retried. */
  retryDerived: boolean;
  /**
   * Attempts of the person, over all numbers, after which a phone rang or may have rung, this one included, since an
   * operator let them be called again.
   */
  rung: number;
  /** How many of them went to this number and were not answered, see `UNANSWERED`. */
  unanswered: number;
  /** Numbers of the person that come after this one and may be dialled. */
  furtherNumbers: number;
  beganAt: number;
  endedAt: number;
  /** When the person asked in this call to be called again; null: they did not. */
  callbackAt: number | null;
  /** The date at a moment in the campaign's zone: `2026-12-31`. */
  dayOf: (at: number) => string;
}

/** The lead ends, or waits for a call to the same number, or to its next one, at `notBefore`. */
export type AfterCall =
  | { kind: 'done' }
  | { kind: 'again' | 'callback' | 'other_number'; notBefore: number; why: string };

/** Results of a number that count for `alternatives`; a person who declined was reached there. */
export const UNANSWERED: readonly LeadResult[] = ['no_answer', 'busy', 'voicemail', 'failed'];

/**
 * Decides whether a person is called again after a call that has its result.
 *
 * - A person who spoke is called again only if they asked for it, also without `retry`: once beyond `attempts` (1 without
 *   it), and not after `lastDay`.
 * - After `invalid_number`, which rang nobody, the next number is called at once, also without `retry`.
 * - Any other result is retried only if `after` names it; a derived one only if the profile allows that.
 */
export function afterCall(retry: RetryPolicy | undefined, call: EndedCall): AfterCall {
  const { result, rung, endedAt, callbackAt } = call;
  const attempts = retry?.attempts ?? 1;
  if (result === 'answered' && callbackAt !== null) {
    if (rung > attempts) return DONE;
    // Their own wish comes before the least time between two calls.
    const notBefore = Math.max(callbackAt, endedAt);
    return until(retry, call, { kind: 'callback', notBefore, why: ASKED });
  }
  if (rung >= attempts) return DONE;
  if (result === 'invalid_number') {
    if (call.furtherNumbers === 0) return DONE;
    const why = 'the number does not exist: the next number is called';
    return until(retry, call, { kind: 'other_number', notBefore: endedAt, why });
  }
  const delayMs = retry === undefined || !isRetried(call) ? undefined : retry.after[call.result];
  if (retry === undefined || delayMs === undefined) return DONE;
  const notBefore = Math.max(endedAt + delayMs, call.beganAt + retry.gapMs);
  const { alternatives } = retry;
  const isGivenUp = alternatives !== null && call.unanswered >= alternatives;
  const kind = isGivenUp && call.furtherNumbers > 0 ? 'other_number' : 'again';
  const next = kind === 'again' ? 'called again' : 'the next number is called';
  const why = `${result}: ${next}, attempt ${rung + 1} of ${attempts}`;
  return until(retry, call, { kind, notBefore, why });
}

export const ASKED = 'asked to be called again';

const DONE: AfterCall = { kind: 'done' };

function isRetried(call: EndedCall): call is EndedCall & { result: RetryResult } {
  if (call.source === 'derived' && !call.retryDerived) return false;
  return RETRY_RESULTS.some((result) => result === call.result);
}

function until(
  retry: RetryPolicy | undefined,
  { dayOf }: EndedCall,
  next: Exclude<AfterCall, { kind: 'done' }>,
): AfterCall {
  const lastDay = retry?.lastDay ?? null;
  return lastDay !== null && dayOf(next.notBefore) > lastDay ? DONE : next;
}

/** People are called back at most this long after the call in which they asked for it. */
export const LONGEST_CALLBACK_MS = 30 * DAY_MS;

/**
 * That a person asked to be called again, in the service's words (`said`), and when: `at` in epoch ms; or `wall`, a
 * time of their own clock without a zone (`2026-01-05T15:30`); neither: the words were no time.
 */
export interface AskedCallback {
  said: string;
  at?: number;
  wall?: string;
}

/** When a person is called back (epoch ms) and why then, or why they are not: a clause for people. */
export type Callback = { at: number; why: string } | { refused: string };

/** The person, and the call in which they asked. */
export interface CallbackPlace {
  /** Where the person may be, see `Place`. */
  zones: readonly string[];
  /** When that call began and ended, epoch ms. */
  beganAt: number;
  endedAt: number;
  /** The moments at which a zone's clock shows a time, ascending. */
  momentsOf: (wall: string, zone: string) => readonly number[];
  /** What keeps calls to the person from beginning at a moment; null: nothing. */
  closedAt: (at: number) => Hold | null;
}

/**
 * Reads the time at which a person asked to be called again. Where their clock shows it twice, the later moment counts.
 * In several zones they are called when it is that time in all of them or, where hours are already closed then, in the
 * last quarter of an hour before with open hours. A time is refused if it is before the call or more than 30 days after
 * it.
 */
export function callbackOf({ said, at, wall }: AskedCallback, place: CallbackPlace): Callback {
  const { zones, beganAt, endedAt, closedAt } = place;
  const asked = `asked to be called again at "${said}"`;
  const refused = (why: string) => ({ refused: `${asked}, ${why}` });
  if (at === undefined && wall === undefined) return refused('which is no time that can be read');
  if (at === undefined && zones.length === 0) return refused('and their time zone is not known');
  const moments = at === undefined ? momentsIn(wall ?? '', place) : [at];
  const moment = moments.find((each) => closedAt(each) === null) ?? moments[0];
  if (moment === undefined) return refused('which is no time that exists');
  if (moment < beganAt) return refused('which was before the call');
  if (moment > endedAt + LONGEST_CALLBACK_MS) return refused('which is more than 30 days away');
  const closed = closedAt(moments[0] ?? moment);
  return { at: moment, why: closed === null ? asked : `${asked}, ${heldBy(closed)}` };
}

const STEP_MS = 15 * MINUTE_MS;

/** When it is that time in all zones, and the quarters of an hour before at which it is that time or later in one. */
function momentsIn(wall: string, { zones, endedAt, momentsOf }: CallbackPlace): number[] {
  const each = zones.flatMap((zone) => momentsOf(wall, zone).slice(-1));
  if (each.length < zones.length) return [];
  const [first, last] = [Math.min(...each), Math.max(...each)];
  const steps = Math.max(0, Math.floor((last - Math.max(first, endedAt)) / STEP_MS));
  return Array.from({ length: steps + 1 }, (_, step) => last - step * STEP_MS);
}
