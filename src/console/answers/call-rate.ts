import type { Clock } from '../../runtime/clock.ts';

/** Calls a minute, measured over this time. */
const OVER_MS = 60_000;
/** Over less than this, a rate says nothing. */
const AT_LEAST_MS = 5_000;
/** Looks closer together than this are not kept, however many pages ask. */
const APART_MS = 500;

/** How fast campaigns call, from how many calls were begun at each look. */
export class CallRates {
  readonly #looks = new Map<string, { at: number; dials: number }[]>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls begun a minute; null: nobody has asked for long enough. */
  look(campaign: string, dials: number): number | null {
    const at = this.#clock.monotonic();
    const looks = (this.#looks.get(campaign) ?? []).filter((look) => at - look.at <= OVER_MS);
    if (at - (looks.at(-1)?.at ?? -Infinity) >= APART_MS) looks.push({ at, dials });
    this.#looks.set(campaign, looks);
    const [first] = looks;
    if (first === undefined || at - first.at < AT_LEAST_MS) return null;
    return Math.round(((dials - first.dials) * 60_000) / (at - first.at));
  }
}
