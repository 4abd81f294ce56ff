import { DAY_MS } from './time-units.ts';

/** How often the service may refuse one lead, and when the lead is dialled again. Times are epoch ms. */

/** A lead that was refused this often, for reasons that concern only the lead, ends as `rejected`. */
export const MOST_REFUSALS = 5;
/** A lead whose refusals may be the service's fault is given up only after this long and `PATIENT_FOR` refusals. */
const LONG_ENOUGH_MS = DAY_MS;
/** How long a refused lead waits before it is dialled again, by the number of refusals; a run stays for these waits. */
const RESTS_MS = [5_000, 15_000, 45_000, 90_000];
/** After this many refusals a lead waits `LAST_REST_MS`, so that a run ends without waiting for it. */
const PATIENT_FOR = 20;
const LAST_REST_MS = 15 * 60_000;

/** Refusals of one lead in a row, in whatever words, without those that a full service explains. */
export interface Refusals {
  times: number;
  /** How many of these refusals only the lead itself can have caused. */
  own: number;
  /** The time of the first refusal. */
  since: number;
}

interface RefusalFacts {
  /** Calls in progress at the service, over all campaigns and processes. */
  held: number;
  /** True: since this lead's previous refusal, another dial was taken while at least as many calls were in progress. */
  wasOtherTaken: boolean;
  /**
   * The number of other leads refused since this lead's previous refusal: for the same reason or, where its own have
   * changed, for any.
   */
  othersRefused: number;
}

/** Counts one more refusal. @returns null if the service may only have been full, so that the refusal does not count */
export function afterRefusal(
  before: Refusals | null,
  { held, wasOtherTaken, othersRefused }: RefusalFacts,
  now: number,
): Refusals | null {
  if (held > 0 && !wasOtherTaken) return null;
  // Of the calls in progress some may have ended unseen, so that the service is full again: it refuses others, too. And
  // where none is in progress, other programs may fill it.
  const isOwn = wasOtherTaken && othersRefused === 0;
  const { times, own, since } = before?.times ? before : { times: 0, own: 0, since: now };
  return { times: times + 1, own: own + (isOwn ? 1 : 0), since };
}

/**
 * @param most the number of refusals that end a lead, e.g. `MOST_REFUSALS`
 * @returns how long the lead waits, ms; null: the lead was refused often enough to end as `rejected`
 */
export function restAfter({ times, own, since }: Refusals, most: number, now: number) {
  const isLong = times >= Math.max(most, PATIENT_FOR) && now - since >= LONG_ENOUGH_MS;
  if (own >= most || isLong) return null;
  if (times > PATIENT_FOR) return LAST_REST_MS;
  return RESTS_MS[Math.min(times, RESTS_MS.length) - 1] ?? 0;
}

/**
 * When a dial whose answer was lost is replayed, that is, sent once more under the same idempotency key. Only for
 * services that promise at most one call per key.
 */

/** Time from the lost answer, or from the last replay that failed, to the next replay; short, as a run waits for it. */
const GAPS_MS = [1_000, 5_000, 20_000, 60_000];

/** The most replays of a dial; a doubt that they do not settle is searched for like any other doubt. */
export const MOST_REPLAYS = GAPS_MS.length;

/** Safety margin, as the promised time begins when the service receives the key, by the service's clock. */
const MARGIN_MS = 60_000;

/**
 * @param replays the number of replays so far
 * @param since when the last answer was lost, epoch ms
 * @returns when the next replay is due, epoch ms; null: there is no further replay
 */
export function replayDueAt(replays: number, since: number): number | null {
  const gap = GAPS_MS[replays];
  return gap === undefined ? null : since + gap;
}

/**
 * The time of the earliest intent whose key the service certainly still knows, in ms of a clock that is never set back.
 * @param forMs how long the service promises to know a key
 */
export function oldestReplayable(forMs: number, now: number): number {
  return now - forMs + MARGIN_MS;
}
