import { closeSync } from 'node:fs';
import type { Clock } from '../../../src/runtime/clock.ts';
import type { Owner, Store } from '../../../src/store/port.ts';
import type { EventClock } from './clock.ts';
import type { Connection } from './connections.ts';
import type { Delivery } from './sender.ts';

/** Thrown where the program is when its process ends; nothing that it does afterwards has an effect. */
export class Gone extends Error {}

/** Told of every point that a process reaches; throws `Gone` where it ends. */
export type Reached = (process: Process) => void;

/** Does what a process does at once, before it waits for the first time. */
export type Acting = (work: () => unknown) => unknown;

export const hostOf = (machine: number) => `host-${machine + 1}`;

/** One process of the program: what it holds open, its time, and whether it still lives. */
export class Process {
  readonly owner: Owner;
  /** On which of the machines that share a server it runs. */
  readonly machine: number;
  readonly clock: Clock;
  readonly died: Promise<void>;
  store: Store | undefined;
  /** What it was asked to do before: an operator's next command waits for it. */
  busy: Promise<void> = Promise.resolve();
  /** Takes what the service sends by itself; the status of its answer. Undefined: nobody listens. */
  receive: ((delivery: Delivery) => Promise<number>) | undefined;
  /** It began while the disk could fail. */
  knowsTrouble = false;
  /** Filled by the machine while the program opens them. */
  readonly databases = new Set<Connection>();
  readonly files = new Set<number>();
  #isDead = false;
  /** It did not end by itself. */
  hasCrashed = false;
  /** SIGSTOP until then, monotonic ms. */
  frozenUntil = 0;
  readonly #world: EventClock;
  readonly #reached: Reached;
  readonly #acting: Acting;
  #die: () => void = () => undefined;

  constructor(
    { pid, machine }: { pid: number; machine: number },
    world: EventClock,
    hooks: { reached: Reached; acting: Acting },
  ) {
    this.owner = { host: hostOf(machine), boot: 'boot-1', pid };
    this.machine = machine;
    this.#world = world;
    this.#reached = hooks.reached;
    this.#acting = hooks.acting;
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
    if (this.hasEnded()) return never();
    try {
      this.#reached(this);
    } catch (error) {
      if (error instanceof Gone) return never();
      throw error;
    }
    await this.#thaw();
  }

  /** True while it is stopped. */
  get isFrozen(): boolean {
    return this.frozenUntil > this.#world.monotonic();
  }

  /** Runs `work` once it is not stopped, unless it is gone by then. */
  whenRunning(work: () => void): void {
    if (this.hasEnded()) return;
    if (this.isFrozen) this.#after(this.frozenUntil - this.#world.monotonic(), work);
    else work();
  }

  /** The store as this process has it: nothing answers a process that is stopped or gone. */
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
    if (this.isFrozen) await this.#thaw();
    if (this.hasEnded()) return never();
    try {
      const result = await this.#acting(work);
      if (this.isFrozen) await this.#thaw();
      return this.hasEnded() ? await never() : result;
    } catch (error) {
      if (this.isFrozen) await this.#thaw();
      if (this.hasEnded()) return never();
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
    if (this.hasEnded()) return never();
    await this.#world.sleep(ms, signal);
    await this.#thaw();
  }

  async #thaw(): Promise<void> {
    while (!this.hasEnded() && this.frozenUntil > this.#world.monotonic()) {
      await this.#world.sleep(this.frozenUntil - this.#world.monotonic());
    }
    if (this.hasEnded()) await never();
  }
}

/** A promise of its own each time: whoever waits for one that all share is remembered there for ever. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
