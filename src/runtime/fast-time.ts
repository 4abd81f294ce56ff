import type { Clock } from './clock.ts';

/** This many quiet turns of the event loop mean that everybody sleeps: no work takes more hops. */
const QUIET_TURNS = 4;

/**
 * Time that passes as fast as the machine can work: the clock moves to the next sleeper whenever all work has come to
 * rest.
 */
export class FastTime<C extends FastClock = FastClock> {
  readonly clock: C;
  #underWay = 0;
  #starts = 0;
  #isPassing = false;
  #onRest: (() => void) | undefined;
  readonly #stepMs: number | null;

  /** @param stepMs the clock moves in steps of so many ms, see `FastClock.wakeTogether`; null: from one to the next */
  constructor(clock: C, stepMs: number | null) {
    this.clock = clock;
    this.#stepMs = stepMs;
  }

  /** The same object, but the clock waits for its work; every method of it returns a promise. */
  watch<T extends object>(worker: T): T {
    return new Proxy(worker, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => this.#count(value.apply(target, args) as Promise<unknown>);
      },
    });
  }

  /** Lets the time pass until `work` is done. */
  async pass<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    await this.#go(() => isOver);
    return work;
  }

  /** Lets the time pass until `condition` holds. */
  async until(condition: () => boolean): Promise<void> {
    await this.#go(condition);
  }

  async sleep(ms: number): Promise<void> {
    await this.pass(this.clock.sleep(ms));
  }

  async #go(isOver: () => boolean): Promise<void> {
    if (this.#isPassing) throw new Error('the time is passing already');
    this.#isPassing = true;
    try {
      while (!isOver()) {
        await this.#rest();
        if (isOver()) return;
        if (!this.#moveOn()) throw new Error('everybody waits for what will never come');
      }
    } finally {
      this.#isPassing = false;
    }
  }

  #moveOn(): boolean {
    return this.#stepMs === null ? this.clock.wakeNext() : this.clock.wakeTogether(this.#stepMs);
  }

  async #rest(): Promise<void> {
    for (let quiet = 0, starts = this.#starts; quiet < QUIET_TURNS; quiet++) {
      if (this.#underWay > 0) {
        await new Promise<void>((resolve) => {
          this.#onRest = resolve;
        });
      } else {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
      if (this.#starts !== starts) [quiet, starts] = [-1, this.#starts];
    }
  }

  async #count<T>(work: Promise<T>): Promise<T> {
    this.#underWay += 1;
    this.#starts += 1;
    try {
      return await work;
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#onRest?.();
    }
  }
}

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
    // A turn of the loop in any case: a caller that sleeps 0 ms again and again must not starve the others.
    if (ms <= 0) {
      const soon = setImmediate(work);
      return () => clearImmediate(soon);
    }
    return this.#sleepers.add(this.#monotonic + ms, work);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn((delay, wake) => this.after(delay, wake), ms, signal);
  }

  /**
   * Moves on to when the next sleeper is due and wakes it.
   * @param by monotonic ms: those due later sleep on. Default: no bound
   * @returns false, and nothing moves, when nobody is due by then
   */
  wakeNext(by = Infinity): boolean {
    const { first } = this.#sleepers;
    if (first === undefined || first.dueAt > by) return false;
    this.#wake(first);
    return true;
  }

  /**
   * The same in steps of so many ms, as on a machine with late timers: all sleepers that are due by the end of the step
   * wake together.
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

/** Sleepers on a clock that is moved by hand, in the order in which they are due. */
export class Sleepers {
  /** A heap: each one is due no later than the two at twice its place and one or two further. */
  readonly #heap: Sleeper[] = [];
  #added = 0;
  #gone = 0;

  get count(): number {
    return this.#heap.length - this.#gone;
  }

  /** The sleeper that is due first; of several, the one that came first. */
  get first(): Sleeper | undefined {
    while (this.#heap[0]?.isGone === true) {
      this.#pop();
      this.#gone -= 1;
    }
    return this.#heap[0];
  }

  /** @returns takes it out again */
  add(dueAt: number, wake: () => void): () => void {
    const sleeper = { dueAt, wake, order: this.#added++, isGone: false };
    this.#rise(this.#heap.push(sleeper) - 1, sleeper);
    return () => this.remove(sleeper);
  }

  /** It stays in its place until that is the first: to look for it would take longer. */
  remove(sleeper: Sleeper): void {
    if (sleeper.isGone) return;
    sleeper.isGone = true;
    sleeper.wake = () => undefined;
    this.#gone += 1;
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#sink(last);
  }

  #rise(from: number, sleeper: Sleeper): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const other = this.#heap[above];
      if (other === undefined || isBefore(other, sleeper)) break;
      this.#heap[place] = other;
      place = above;
    }
    this.#heap[place] = sleeper;
  }

  /** From the top down. */
  #sink(sleeper: Sleeper): void {
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      const [left, right] = [this.#heap[below], this.#heap[below + 1]];
      if (left !== undefined && right !== undefined && isBefore(right, left)) below += 1;
      const next = this.#heap[below];
      if (next === undefined || isBefore(sleeper, next)) break;
      this.#heap[place] = next;
      place = below;
    }
    this.#heap[place] = sleeper;
  }
}

interface Sleeper {
  /** On the monotonic clock. */
  readonly dueAt: number;
  wake: () => void;
  readonly order: number;
  /** It has been woken, or needs it no more. */
  isGone: boolean;
}

function isBefore(one: Sleeper, other: Sleeper): boolean {
  return one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.order < other.order);
}

/** `Clock.sleep`, made of `Clock.after`. */
export function sleepOn(
  after: (ms: number, work: () => void) => () => void,
  ms: number,
  signal?: AbortSignal,
): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = () => {
      cancel();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = after(ms, wake);
    signal?.addEventListener('abort', wake, { once: true });
  });
}
