import type { FastClock } from './fast-clock.ts';

/** So many quiet turns of the event loop mean that everybody sleeps: nothing here takes more hops than that. */
const QUIET_TURNS = 4;

/**
 * Time that passes as fast as the machine can work: the clock moves on to the next sleeper whenever everything that is
 * under way has come to rest.
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

  /** The same object, whose work is waited for before the clock moves; every method of it returns a promise. */
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
