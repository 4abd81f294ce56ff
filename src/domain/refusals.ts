/** How often one lead may be refused, and when it is tried again. Times are epoch ms. */

/** A lead that was refused so often, for one reason that is its own, ends as `rejected`. */
export const MOST_REFUSALS = 5;
/** So many leads refused for one reason, and none taken in between: that is the service, not the leads. */
const SERVICE_REFUSES = 3;
/** Whose refusals may be the service's as well is given up only when they go on for so long. */
const LONG_ENOUGH_MS = 24 * 3_600_000;
/** Rests of a lead that is refused again and again; all of them are shorter than what a run waits for. */
const RESTS_MS = [5_000, 15_000, 45_000, 90_000];
/** After so many refusals it rests longer than that, and no longer keeps a run alive. */
const PATIENT_FOR = 20;
const LAST_REST_MS = 15 * 60_000;

/** Refusals of one lead in a row, for one reason; those that a lack of room explains are not among them. */
export interface Refusals {
  times: number;
  /** Those of them that can only be the lead's own. */
  own: number;
  /** The first one. */
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
 * @returns null where the service may simply have had no room for it: it does not count
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
 * @returns for how long the lead rests, ms; null: it has been refused often enough
 */
export function restAfter({ times, own, since }: Refusals, most: number, now: number) {
  if (own >= most || (times >= most && now - since >= LONG_ENOUGH_MS)) return null;
  if (times > PATIENT_FOR) return LAST_REST_MS;
  return RESTS_MS[Math.min(times, RESTS_MS.length) - 1] ?? 0;
}
