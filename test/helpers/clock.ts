import type { Clock } from '../../src/runtime/clock.ts';

/** 2026-01-05T15:00:00Z: when every test begins. */
export const START = Date.UTC(2026, 0, 5, 15);

/** Enough turns of the event loop for a woken sleeper to commit something and go to sleep again. */
const TURNS_PER_WAKE = 6;

/** A clock that stands still until a test moves it. */
export class VirtualClock implements Clock {
  #now: number;
  #monotonic = 0;
  #sleepers: Sleeper[] = [];

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
    const cancelled = new AbortController();
    void this.sleep(ms, cancelled.signal).then(() => {
      if (!cancelled.signal.aborted) work();
    });
    return () => {
      cancelled.abort();
    };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    // A turn of the loop all the same: whoever sleeps 0 ms over and over must not starve the others.
    if (ms <= 0) return nextTurn();
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { dueAt: this.#monotonic + ms, wake };
      this.#sleepers.push(sleeper);
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
      this.#moveTo(next.dueAt);
      next.wake();
      await turns();
    }
    this.#moveTo(end);
    await turns();
  }

  /** Moves on to when the next sleeper is due and wakes it; false, and nothing moves, when nobody sleeps. */
  wakeNext(): boolean {
    const next = this.#next(Infinity);
    if (next === undefined) return false;
    this.#moveTo(next.dueAt);
    next.wake();
    return true;
  }

  /** Sets the wall clock only, as an administrator or a time server does. */
  setWall(epochMs: number): void {
    this.#now = epochMs;
  }

  #next(end: number): Sleeper | undefined {
    const [first] = this.#sleepers.toSorted((a, b) => a.dueAt - b.dueAt);
    return first !== undefined && first.dueAt <= end ? first : undefined;
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
