import type { Clock } from '../../src/runtime/clock.ts';

/** 2026-01-05T15:00:00Z: when every test begins. */
export const START = Date.UTC(2026, 0, 5, 15);

/** Enough turns of the event loop for a woken sleeper to commit something and go to sleep again. */
const TURNS_PER_WAKE = 6;

/** A clock that stands still until a test moves it. */
export class VirtualClock implements Clock {
  #now: number;
  #monotonic = 0;
  /** In the order in which they are due. */
  readonly #sleepers: Sleeper[] = [];

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
    return this.#sleepers.length;
  }

  after(ms: number, work: () => void): () => void {
    // A turn of the loop all the same: whoever sleeps 0 ms over and over must not starve the others.
    if (ms <= 0) {
      const soon = setImmediate(work);
      return () => {
        clearImmediate(soon);
      };
    }
    const sleeper = { dueAt: this.#monotonic + ms, wake: work };
    // Behind those that are due at the same time.
    let place = this.#sleepers.length;
    while (place > 0 && (this.#sleepers[place - 1]?.dueAt ?? 0) > sleeper.dueAt) place -= 1;
    this.#sleepers.splice(place, 0, sleeper);
    return () => {
      const found = this.#sleepers.indexOf(sleeper);
      if (found !== -1) this.#sleepers.splice(found, 1);
    };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = this.after(ms, wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
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

  /** Sets the wall clock only, as an administrator or a time server does. */
  setWall(epochMs: number): void {
    this.#now = epochMs;
  }

  #next(end: number): Sleeper | undefined {
    const [first] = this.#sleepers;
    return first !== undefined && first.dueAt <= end ? first : undefined;
  }

  #wake(sleeper: Sleeper): void {
    this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
    this.#moveTo(sleeper.dueAt);
    sleeper.wake();
  }

  #moveTo(monotonic: number): void {
    this.#now += monotonic - this.#monotonic;
    this.#monotonic = monotonic;
  }
}

interface Sleeper {
  dueAt: number;
  wake: () => void;
}

async function turns(): Promise<void> {
  for (let i = 0; i < TURNS_PER_WAKE; i++) await nextTurn();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
