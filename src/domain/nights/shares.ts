/**
 * How campaigns share the slots of a service. Each call that a campaign begins while others are short of slots adds 1 /
 * weight to its use, and a free slot goes to the campaign with the least use: over many calls each campaign begins its
 * weight's share. A campaign that needs less leaves the rest to the others.
 */

/** A campaign that is short of a service's slots. */
export interface Contender {
  id: string;
  /** 1 to 100. */
  weight: number;
  /** Calls begun beside others that were short, each as 1 / weight. */
  used: number;
  /** How many slots more it could use now. */
  wants: number;
}

/** A campaign that has not asked for this long is not waited for: its share is free for the others. */
export const CONTENDS_FOR_MS = 2_000;

/**
 * The most calls by which a campaign may be behind after needing less than its share, or ahead after taking idle slots.
 */
const MOST_APART = 32;

/**
 * The use of a campaign when it asks beside others: a share that was not asked for is not saved up, and slots that
 * nobody else wanted are not paid for long.
 * @param isNew true: the campaign has not asked within CONTENDS_FOR_MS
 */
export function usedBeside(own: Contender, others: readonly Contender[], isNew: boolean): number {
  if (others.length === 0) return own.used;
  const least = Math.min(...others.map(({ used }) => used));
  // A call of a campaign with a small weight takes it far ahead, and the others follow call by call.
  const oneCall = Math.max(...others.map(({ weight }) => 1 / weight));
  if (isNew) return least;
  const lowest = least - oneCall - MOST_APART / own.weight;
  const highest = least + (1 + MOST_APART) / own.weight;
  return Math.min(Math.max(own.used, lowest), highest);
}

/**
 * How many of the free slots a campaign may take now, at most what it wants, if each slot goes to the campaign with the
 * least use that wants one.
 */
export function slotsFor(own: Contender, others: readonly Contender[], free: number): number {
  const all = [own, ...others].map((contender) => ({ ...contender }));
  let taken = 0;
  for (let slot = 0; slot < free && taken < own.wants; slot += 1) {
    const next = all
      .filter(({ wants }) => wants > 0)
      .reduce((first, other) => (isBefore(other, first) ? other : first));
    next.used += 1 / next.weight;
    next.wants -= 1;
    if (next.id === own.id) taken += 1;
  }
  return taken;
}

function isBefore(one: Contender, other: Contender): boolean {
  if (one.used !== other.used) return one.used < other.used;
  return one.weight !== other.weight ? one.weight > other.weight : one.id < other.id;
}
