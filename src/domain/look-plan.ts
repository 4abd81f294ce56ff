import { nextLookIn, type Polling } from './poll-plan.ts';

/** Nothing is skipped before so many calls have ended ... */
const ENOUGH = 10;
/** ... and only the last so many count. */
const REMEMBERED = 100;
/** Looks begin when so many of the calls that were watched closely had ended. */
const QUANTILE = 0.1;

/**
 * When calls are looked at. A look before the shortest calls end is in vain, so the first ones are left out
 * once it is known when that is: from the calls whose every look was planned by their age alone.
 */
export class LookPlan {
  readonly #polling: Polling;
  /** Ages at the last look in vain of calls that are watched closely. */
  readonly #lastInVain = new Map<string, number>();
  /** Ages at which the last closely watched calls ended, ms: half way between the two looks around it. */
  readonly #endedAt: number[] = [];
  #noneBefore = 0;

  constructor(polling: Polling) {
    this.#polling = polling;
  }

  get floorMs(): number {
    return this.#polling.floorMs;
  }

  /** How long, in whole ms, until the next look at a call of this age. */
  nextIn(attemptId: string, ageMs: number): number {
    const byAge = nextLookIn(ageMs, this.#polling);
    if (isExplorer(attemptId)) return byAge;
    return Math.max(byAge, Math.min(this.#noneBefore - ageMs, this.#polling.ceilingMs));
  }

  /** A look found the call not completed. */
  inVain(attemptId: string, ageMs: number): void {
    if (isExplorer(attemptId)) this.#lastInVain.set(attemptId, ageMs);
  }

  /** A look found the call completed. */
  ended(attemptId: string, ageMs: number): void {
    if (!isExplorer(attemptId)) return;
    const before = this.#lastInVain.get(attemptId) ?? 0;
    this.#lastInVain.delete(attemptId);
    this.#endedAt.push((before + ageMs) / 2);
    if (this.#endedAt.length > REMEMBERED) this.#endedAt.shift();
    if (this.#endedAt.length < ENOUGH) return;
    const sorted = this.#endedAt.toSorted((a, b) => a - b);
    this.#noneBefore = Math.round(sorted[Math.floor(sorted.length * QUANTILE)] ?? 0);
  }
}

/**
 * One call in ten is looked at without what was learned, so that shorter calls are noticed; decided by the
 * id, so that a call stays what it is over all its looks.
 */
function isExplorer(attemptId: string): boolean {
  return attemptId.endsWith('0');
}
