import type { Clock } from '../../src/runtime/clock.ts';
import { Sleepers, sleepOn, type Sleeper } from './sleepers.ts';

/** 2026-01-05T15:00:00Z: when every test begins. */
export const START = Date.UTC(2026, 0, 5, 15);

/** Enough turns of the event loop for a woken sleeper to commit something and go to sleep again. */
const TURNS_PER_WAKE = 6;

/** A clock that stands still until a test moves it. */
export class VirtualClock implements Clock {
  #now: number;
  #monotonic = 0;
  readonly #sleepers = new Sleepers();

  constructor(startAt = START) {
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
   * Moves both clocks on, waking every sleeper at its own time and in order, those included that go to
   * sleep on the way. What a woken one does over the network is for the test to await.
   */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#wake(next);
      await turns();
    }
    this.#moveTo(end);
    await turns();
  }

  /** Moves on to when the next sleeper is due and wakes it; false, and nothing moves, when nobody sleeps. */
  wakeNext(): boolean {
    const next = this.#next(Infinity);
    if (next === undefined) return false;
    this.#wake(next);
    return true;
  }

  /**
   * The same in steps of so many ms, as on a machine whose timers are late by up to that: everybody who is due by
   * the end of the step is woken then, so that they work together.
   */
  wakeTogether(stepMs: number): boolean {
    const first = this.#next(Infinity);
    if (first === undefined) return false;
    this.#moveTo(Math.ceil(Math.max(first.dueAt, this.#monotonic) / stepMs) * stepMs);
    const now = this.#monotonic;
    for (let next = this.#next(now); next !== undefined; next = this.#next(now)) this.#wake(next);
    return true;
  }

  /** Sets the wall clock only, as an administrator or a time server does. */
  setWall(epochMs: number): void {
    this.#now = epochMs;
  }

  #next(end: number): Sleeper | undefined {
    const { first } = this.#sleepers;
    return first !== undefined && first.dueAt <= end ? first : undefined;
  }

  #wake(sleeper: Sleeper): void {
    const { wake } = sleeper;
    this.#sleepers.remove(sleeper);
    this.#moveTo(Math.max(sleeper.dueAt, this.#monotonic));
    wake();
  }

  #moveTo(monotonic: number): void {
    this.#now += monotonic - this.#monotonic;
    this.#monotonic = monotonic;
  }
}

async function turns(): Promise<void> {
  for (let i = 0; i < TURNS_PER_WAKE; i++) await nextTurn();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
