import { closeSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../../src/runtime/clock.ts';
import type { Owner, Store } from '../../src/store/port.ts';
import type { EventClock } from './clock.ts';

/** Thrown where the program is when its process ends; nothing that it does afterwards has an effect. */
export class Gone extends Error {}

/** Told of every point that a process reaches; throws `Gone` where it ends. */
export type Reached = (process: Process) => void;

const never = new Promise<never>(() => undefined);

/** One process of the program: what it holds open, its time, and whether it still lives. */
export class Process {
  readonly owner: Owner;
  readonly clock: Clock;
  readonly died: Promise<void>;
  store: Store | undefined;
  /** It began while the disk could fail. */
  knowsTrouble = false;
  /** Filled by the machine while the program opens them. */
  readonly databases = new Set<Database>();
  readonly files = new Set<number>();
  #isDead = false;
  /** It did not end by itself. */
  hasCrashed = false;
  /** SIGSTOP until then, monotonic ms. */
  frozenUntil = 0;
  readonly #world: EventClock;
  readonly #reached: Reached;
  #die: () => void = () => undefined;

  constructor(pid: number, world: EventClock, reached: Reached) {
    this.owner = { host: 'host-1', boot: 'boot-1', pid };
    this.#world = world;
    this.#reached = reached;
    this.clock = {
      now: () => world.now(),
      monotonic: () => world.monotonic(),
      sleep: (ms, signal) => this.#sleep(ms, signal),
      after: (ms, work) => this.#after(ms, work),
    };
    this.died = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  hasEnded(): boolean {
    return this.#isDead;
  }

  /** A point of the program at which the process may be stopped or may end; then this never resolves. */
  async reach(): Promise<void> {
    if (this.hasEnded()) return never;
    try {
      this.#reached(this);
    } catch (error) {
      if (error instanceof Gone) return never;
      throw error;
    }
    await this.#thaw();
  }

  /** The store as this process has it: nothing answers a process that is gone. */
  own(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => this.#unlessDead(() => value.apply(target, args) as unknown);
      },
    });
  }

  /** The end of a process in whatever way: the system closes what it had open. */
  end(): void {
    this.#isDead = true;
    for (const db of this.databases) db.close();
    for (const fd of this.files) closeSync(fd);
    this.databases.clear();
    this.files.clear();
    this.#die();
  }

  async #unlessDead(work: () => unknown): Promise<unknown> {
    if (this.hasEnded()) return never;
    try {
      const result = await work();
      return this.hasEnded() ? await never : result;
    } catch (error) {
      if (this.hasEnded()) return never;
      throw error;
    }
  }

  /** As the clock's own, but a stopped process does it when it goes on, and one that is gone never. */
  #after(ms: number, work: () => void): () => void {
    let cancel = this.#world.after(ms, () => {
      if (this.hasEnded()) return;
      const frozenMs = this.frozenUntil - this.#world.monotonic();
      if (frozenMs > 0) cancel = this.#after(frozenMs, work);
      else work();
    });
    return () => {
      cancel();
    };
  }

  async #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (this.hasEnded()) return never;
    await this.#world.sleep(ms, signal);
    await this.#thaw();
  }

  async #thaw(): Promise<void> {
    while (!this.hasEnded() && this.frozenUntil > this.#world.monotonic()) {
      await this.#world.sleep(this.frozenUntil - this.#world.monotonic());
    }
    if (this.hasEnded()) await never;
  }
}
