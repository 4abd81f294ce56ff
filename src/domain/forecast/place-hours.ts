import type { HoursAt } from '../calling/calling-hours.ts';
import type { Interval } from '../calling/intervals.ts';

/**
 * When hours are open at one place, asked of the planner once for all plays and remembered; see `callingHours`.
 *
 * @param from no earlier moment is asked for, epoch ms
 */
export class PlaceHours {
  readonly #hoursAt: (at: number) => HoursAt;
  readonly #open: Interval[] = [];
  /** Everything before this moment is known. */
  #knownTo: number;

  constructor(hoursAt: (at: number) => HoursAt, from: number) {
    this.#hoursAt = hoursAt;
    this.#knownTo = from;
  }

  /** The first moment from `at` on at which hours are open; Infinity: never, as far as the planner looks. */
  nextOpen(at: number): number {
    return Math.max(at, this.#intervalAt(at)?.[0] ?? Infinity);
  }

  /** When the hours that are open at `at` close; `at` itself: they are closed. */
  openUntil(at: number): number {
    const [from, to] = this.#intervalAt(at) ?? [Infinity, Infinity];
    return from <= at ? to : at;
  }

  /** The interval that is open at a moment, or the next one. */
  #intervalAt(at: number): Interval | undefined {
    this.#learnTo(at);
    const open = this.#open;
    let [low, high] = [0, open.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((open[middle] as Interval)[1] <= at) low = middle + 1;
      else high = middle;
    }
    return open[low];
  }

  #learnTo(at: number): void {
    while (this.#knownTo <= at) {
      const hours = this.#hoursAt(this.#knownTo);
      if (hours.open) {
        this.#open.push([this.#knownTo, hours.until]);
        this.#knownTo = hours.until;
      } else if (hours.opensAt === null) {
        this.#knownTo = Infinity;
      } else {
        const again = this.#hoursAt(hours.opensAt);
        const until = again.open ? again.until : hours.opensAt;
        if (again.open) this.#open.push([hours.opensAt, until]);
        this.#knownTo = Math.max(until, this.#knownTo + 1);
      }
    }
  }
}
