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
function lengthOf(ms: number): string {
  if (ms % DAY_MS === 0 && ms > DAY_MS) return `${ms / DAY_MS} days`;
  if (ms % HOUR_MS === 0) return `${ms / HOUR_MS} h`;
  return `${Math.round(ms / MINUTE_MS)} min`;
}

/**
 * Why a call was allowed: what was known when its dial was decided on. It is stored with the attempt in the same
 * transaction and never computed later, as lists, rules and other calls change afterwards.
 */
export interface CallEvidence {
  /** The zones in which the person may be, with the time that their clocks showed: `2026-11-27T15:30-05:00`. */
  clocks: Readonly<Record<string, string>>;
  /** ISO 3166 codes of the countries and states whose rules held. */
  regions: readonly string[];
  /** The rules that held for the person, e.g. `us-states US-FL`, with the version of each. */
  rules: Readonly<Record<string, string>>;
  /** Each limit on earlier calls, with the calls that were counted for it. */
  caps: readonly CountedCap[];
  /** The list that brought or last corrected the person, and the line, from 1. */
  list: string;
  line: number;
  /** The cells by which the list says that the person may be called, by column name. */
  consent: Readonly<Record<string, string>>;
  /** Dated files of the suppression list that were in force, with their day: `2026-11-20`. */
  registries: Readonly<Record<string, string>>;
  /** Who last started the campaign before this call, and when: `2026-11-27T20:00Z`; null: its history does not say. */
  approved: { who: string; at: string } | null;
  /** The same for each time that the dial was sent again, with that time. Default: it was sent once. */
  again?: readonly (Omit<CallEvidence, 'again'> & { at: string })[];
}

interface CountedCap {
  /** `us-debt`, `us-states US-FL`. */
  by: string;
  /** Calls that were counted, and how many are allowed in `perMs`. */
  made: number;
  calls: number;
  perMs: number;
}

export function countedCaps(
  limits: readonly NamedLimits[],
  { beganAt }: Pick<PastCalls, 'beganAt'>,
  now: number,
): CountedCap[] {
  return limits.flatMap(({ by, limits: { caps } }) =>
    caps.map(({ calls, perMs }) => {
      const made = beganAt.filter((at) => at > now - perMs).length;
      return { by, made, calls, perMs };
    }),
  );
}

/** For people: `Fri 15:30 in America/New_York; rules ...; 2 of 7 calls in 7 days (us-debt); ...`. */
export function evidenceText(evidence: CallEvidence): string {
  const { clocks, rules, caps, list, line, consent, registries, approved, again = [] } = evidence;
  const entries = (
    record: Readonly<Record<string, string>>,
    write: (k: string, v: string) => string,
  ) => Object.entries(record).map(([key, value]) => write(key, value));
  const times = entries(
    clocks,
    (zone, time) => `${time.replace('T', ' ').slice(0, 16)} in ${zone}`,
  );
  return [
    times.length === 0 ? 'time zone not known' : times.join(' and '),
    ...entries(rules, (name, version) => `rule ${name} (${version})`),
    ...caps.map(
      ({ by, made, calls, perMs }) => `${made} of ${calls} calls in ${lengthOf(perMs)} (${by})`,
    ),
    `line ${line} of ${list}`,
    ...entries(consent, (column, cell) => `"${column}" says "${cell}"`),
    ...entries(registries, (name, day) => `${name} of ${day}`),
    ...(approved === null ? [] : [`started by ${approved.who} at ${approved.at}`]),
    ...again.map((each) => `sent again at ${each.at}: ${evidenceText(each)}`),
  ].join('; ');
}
