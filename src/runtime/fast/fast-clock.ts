import type { Clock } from '../clock.ts';
import { Sleepers, sleepOn, type Sleeper } from './sleepers.ts';

/** A clock that stands still until it is moved: for rehearsals and tests, in which nights pass in seconds. */
export class FastClock implements Clock {
  #now: number;
  #monotonic = 0;
  readonly #sleepers = new Sleepers();

  /** @param startAt what the wall clock shows at first, epoch ms */
  constructor(startAt: number) {
    this.#now = startAt;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  /** How many sleep now. */
  get sleeping(): number {
    return this.#sleepers.count;
  }

  after(ms: number, work: () => void): () => void {
    // A turn of the loop all the same: whoever sleeps 0 ms over and over must not starve the others.
    if (ms <= 0) {
      const soon = setImmediate(work);
      return () => {
        clearImmediate(soon);
      };
    }
    return this.#sleepers.add(this.#monotonic + ms, work);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn((delay, wake) => this.after(delay, wake), ms, signal);
  }

  /**
   * Moves on to when the next sleeper is due and wakes it.
   *
   * @param by monotonic ms: whoever is due later sleeps on. Default: no bound
   * @returns false, and nothing moves, when nobody is due by then
   */
  wakeNext(by = Infinity): boolean {
    const { first } = this.#sleepers;
    if (first === undefined || first.dueAt > by) return false;
    this.#wake(first);
    return true;
  }

  /**
   * The same in steps of so many ms, as on a machine whose timers are late by up to that: everybody who is due by
   * the end of the step is woken then, so that they work together.
   */
  wakeTogether(stepMs: number): boolean {
    const { first } = this.#sleepers;
    if (first === undefined) return false;
    this.moveTo(Math.ceil(Math.max(first.dueAt, this.#monotonic) / stepMs) * stepMs);
    while (this.wakeNext(this.#monotonic));
    return true;
  }

  /** Moves both clocks on, waking nobody. @param monotonic not before now, ms */
  moveTo(monotonic: number): void {
    this.#now += monotonic - this.#monotonic;
    this.#monotonic = monotonic;
  }

  /** Sets the wall clock only, as an administrator or a time server does. */
  setWall(epochMs: number): void {
    this.#now = epochMs;
  }

  #wake(sleeper: Sleeper): void {
    const { wake } = sleeper;
    this.#sleepers.remove(sleeper);
    this.moveTo(Math.max(sleeper.dueAt, this.#monotonic));
    wake();
  }
}
