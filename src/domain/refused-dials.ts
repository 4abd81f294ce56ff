import { DAY_MS } from './time-units.ts';

/** How often one lead may be refused, and when it is tried again. Times are epoch ms. */

/** A lead that was refused so often, for one reason that is its own, ends as `rejected`. */
export const MOST_REFUSALS = 5;
/** If so many leads are refused for one reason, with no dial taken in between, the service is to blame, not the leads. */
const SERVICE_REFUSES = 3;
/** A lead whose refusals may be the service's fault is given up only after they have gone on for so long. */
const LONG_ENOUGH_MS = DAY_MS;
/** How long a refused lead waits before it is dialled again, by the number of refusals; a run waits for any of these. */
const RESTS_MS = [5_000, 15_000, 45_000, 90_000];
/** After so many refusals it waits longer, so that a run ends without waiting for it. */
const PATIENT_FOR = 20;
const LAST_REST_MS = 15 * 60_000;

/** Refusals of one lead in a row, for one reason; not those that a full service explains. */
export interface Refusals {
  times: number;
  /** Those of them that only the lead itself can be the reason for. */
  own: number;
  /** When the first one came. */
  since: number;
}

/** What is known when a lead was refused. */
export interface RefusalFacts {
  /** Calls in progress at the service, over all campaigns and processes. */
  held: number;
  /** Since this lead's refusal before: another dial was taken while at least as many calls were in progress. */
  wasOtherTaken: boolean;
  /** Since then: other leads that were refused for the same reason. */
  othersRefused: number;
}

/**
 * Counts one more refusal.
 *
 * @returns null if the service may just have been full: the refusal does not count
 */
export function afterRefusal(
  before: Refusals | null,
  { held, wasOtherTaken, othersRefused }: RefusalFacts,
  now: number,
): Refusals | null {
  if (held > 0 && !wasOtherTaken) return null;
  const isOwn = wasOtherTaken || othersRefused + 1 < SERVICE_REFUSES;
  const { times, own, since } = before ?? { times: 0, own: 0, since: now };
  return { times: times + 1, own: own + (isOwn ? 1 : 0), since };
}

/**
 * @param most how many it takes, e.g. `MOST_REFUSALS`
 * @returns how long the lead waits, ms; null: it was refused often enough to end as `rejected`
 */
export function restAfter({ times, own, since }: Refusals, most: number, now: number) {
  if (own >= most || (times >= most && now - since >= LONG_ENOUGH_MS)) return null;
  if (times > PATIENT_FOR) return LAST_REST_MS;
  return RESTS_MS[Math.min(times, RESTS_MS.length) - 1] ?? 0;
}
