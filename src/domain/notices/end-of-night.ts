/** What is known of a night in which calls were made. */
export interface NightFacts {
  /** No call follows in it. */
  isOver: boolean;
  /** Calls of the night so far, and how many of them its latest `finished` has counted; null: none was written. */
  calls: number;
  toldCalls: number | null;
  isCompleted: boolean;
  /** A run of the campaign has ended just now. */
  runEnded: boolean;
}

/**
 * Whether it is time for a `finished`, and which: `campaign` (every lead is final), `night` (no call follows in this
 * night), `run` (a run has ended, and another one may follow). The end of a night that a `run` has told in full is
 * `silent`: it is written down, and nobody is told again.
 */
export function endOfNight(facts: NightFacts): 'campaign' | 'night' | 'run' | 'silent' | null {
  const { isOver, calls, toldCalls, isCompleted, runEnded } = facts;
  if (isCompleted) return 'campaign';
  if (isOver) return toldCalls === calls ? 'silent' : 'night';
  return runEnded && toldCalls === null ? 'run' : null;
}
