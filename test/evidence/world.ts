import { join } from 'node:path';
import type { Database, Options } from 'better-sqlite3';
import { seededRandom, type Random } from '../../src/runtime/random.ts';
import type { Dial } from '../../src/service/port.ts';
import type { Owner, Store } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { CallingJudge } from './calling/judge.ts';
import { EventClock } from './world/clock.ts';
import type { Connection, Connections, Host } from './world/connections.ts';
import { Crashes } from './crashes.ts';
import { Disk, SMALL_DISK } from './world/disk.ts';
import { Kept } from './world/kept.ts';
import type { Machine } from './world/machine.ts';
import { Observer } from './world/observer.ts';
import { OlderCopy } from './world/older-copy.ts';
import type { Crash, Plan } from './plan.ts';
import { Gone, hostOf, Process } from './world/process.ts';
import { Sender, type Delivery } from './world/sender.ts';
import { FaultyService } from './world/service.ts';
import type { ServerDatabase } from './world/server.ts';
import { troubledWire } from './world/server-troubles.ts';
import { Watch } from './world/watch.ts';
import type { Wire } from './world/wire.ts';

export interface Place {
  path: string;
  connections: Connections;
  /** The database is there; undefined: in a file. */
  server: ServerDatabase | undefined;
  folder: string;
  /** The numbers of the list, in its order. */
  phones: readonly string[];
}

/** A wait that is as long is one of the simulated clock. */
const LONG_MS = 1_000;

/**
 * One simulated machine with its disk, its processes and its time. Nothing in it depends on the real time
 * or on the order in which real threads finish: a seed is the same run for ever.
 */
export class World implements Machine, Host {
  readonly plan: Plan;
  readonly clock: EventClock;
  readonly random: Random;
  readonly service: FaultyService;
  readonly sender: Sender | undefined;
  readonly watch: Watch;
  readonly disk: Disk;
  readonly crashes = new Crashes(this);
  /** Of nights with hours. */
  readonly judge: CallingJudge | undefined;
  /** The numbers of the list, in its order, and then those that only a later list has. */
  readonly phones: readonly string[];
  /** Where the database is now: after a crash the machine comes up with a copy of its files. */
  path: string;
  /** No faults: before the begin, and once the troubles are over. */
  isCalm = true;
  processes = 0;
  /** Calls that the store has said to have kept, and those whose analytics it has. */
  kept = new Kept();
  readonly older = new OlderCopy(this);
  /** Calls of another campaign, ms. */
  readonly elsewhere: { phone: string; at: number }[] = [];
  /** For all files but the first database. */
  readonly folder: string;
  readonly living = new Set<Process>();
  readonly server: ServerDatabase | undefined;
  #operator: Process | undefined;
  #copies = 0;
  #pids = 100;
  #ids = 0;
  readonly #owners = new WeakMap<Connection, Process>();
  readonly #connections: Connections;
  /** The process that asks its store for something just now. */
  #acting: Process | undefined;
  /** The process that opens its store just now. */
  #opening: Process | undefined;
  readonly #observer: Observer;
  /** A process that ends finds others there: its log stays. */
  readonly #keepsLooking: boolean;

  /** @param place the database, what may be kept open of it, and a folder for all other files */
  constructor(plan: Plan, place: Place) {
    this.plan = plan;
    this.random = seededRandom(`run ${plan.seed}`);
    this.clock = new EventClock(this.random);
    this.disk = new Disk(this);
    this.#keepsLooking = this.random() < 0.5;
    this.folder = place.folder;
    this.#connections = place.connections;
    this.server = place.server;
    this.#observer = new Observer(this, place.connections);
    this.path = place.path;
    this.phones = [...place.phones, ...(plan.calling?.newcomers ?? [])];
    this.watch = new Watch(this);
    if (plan.calling !== null) this.judge = new CallingJudge(this, this.phones);
    const { webhooks } = plan;
    const outside = { clock: this.clock, random: this.random, deliver: this.#deliver.bind(this) };
    this.sender = webhooks === null ? undefined : new Sender(outside, webhooks);
    this.service = new FaultyService(this);
  }

  /** Epoch ms, as the machine believes. */
  wall(): number {
    return this.clock.now();
  }

  /** Ms since the begin. */
  now(): number {
    return this.clock.monotonic();
  }

  onSend(dial: Dial): void {
    this.watch.onSend(dial);
    this.judge?.onSend(dial);
  }

  /** The store says that it keeps the result of a call. */
  settled(callId: string): void {
    this.judge?.onSettled(callId);
    const call = this.service.ledger.calls.find((other) => other.callId === callId);
    if (call?.outcome === 'opted_out') this.watch.suppressed(call.phone);
  }

  /** All numbers of the person of this lead. */
  numbersOf(person: string): string[] {
    const known = this.plan.calling?.people[this.phones.indexOf(person)];
    return [person, ...(known?.alternatives ?? []).map(({ phone }) => phone)];
  }

  /** @param machine of a server's the one and the other in turn */
  spawn(machine = this.server === undefined ? 0 : this.processes % 2): Process {
    const process: Process = new Process({ pid: this.#pids++, machine }, this.clock, {
      reached: (who) => {
        this.crashes.reach(who);
      },
      acting: (work) => this.#letAct(process, work),
    });
    this.living.add(process);
    this.processes += 1;
    process.knowsTrouble = !this.isCalm && this.plan.disk.length > 0;
    return process;
  }

  newId(): string {
    return `id_${++this.#ids}`;
  }

  /** The process of the operator's commands; another one after a crash. */
  operator(): Process {
    if (this.#operator === undefined || this.#operator.hasEnded()) this.#operator = this.spawn(0);
    // Its commands wait for nobody.
    this.#operator.knowsTrouble ||= this.plan.locks.length > 0;
    return this.#operator;
  }

  /** As a process of the machine `host` sees it. */
  isGone(owner: Owner, host: string): boolean {
    if (!this.plan.seesTheDead || owner.host !== host) return false;
    return ![...this.living].some(({ owner: { pid } }) => owner.pid === pid);
  }

  /** Opens the store for a process as the program does. */
  open(process: Process, mode: 'write' | 'dial'): Store {
    this.#opening = process;
    try {
      return process.own(this.openAt(this.path, mode, process.machine));
    } finally {
      this.#opening = undefined;
    }
  }

  openAt(path: string, mode: 'read' | 'write' | 'dial', machine = 0): Store {
    const one = { host: hostOf(machine), machine, now: () => this.wall() };
    return this.server?.open(path, mode, one) ?? openSqliteStore({ path, mode, disk: SMALL_DISK });
  }

  /** The process ends by itself. */
  leave(process: Process): void {
    this.living.delete(process);
    process.end();
  }

  /** Reads what is committed, through somebody's connection or one of its own. */
  look<T>(read: (db: Database) => T): T {
    return this.server === undefined ? this.#observer.look(read) : read(this.server.db);
  }

  endAll(): void {
    for (const process of this.living) this.leave(process);
    this.#observer.lookAway();
  }

  nextPath(): string {
    return join(this.folder, `${++this.#copies}.db`);
  }

  /** The database is there from now on. */
  moveTo(path: string): void {
    this.#connections.closeIdle(this.path);
    this.path = path;
    this.#observer.lookAway();
  }

  // What the program does to its machine.

  connect(path: string, options?: Options): Connection {
    const connection = this.#connections.open(path, options, this);
    const process = this.#opening;
    if (process !== undefined) {
      this.#owners.set(connection, process);
      process.databases.add(connection);
    }
    return connection;
  }

  wired(wire: Wire) {
    const [process, server] = [this.#opening, this.server];
    if (process === undefined || server === undefined) return undefined;
    // Looked at through another one, and never asked whether a power cut leaves it whole.
    const connection = {
      db: server.db,
      open: false,
      inTransaction: false,
      close: () => {
        wire.end();
      },
    } as unknown as Connection;
    process.databases.add(connection);
    return troubledWire(this, { process, wire, connection });
  }

  keeps(path: string): boolean {
    return !this.plan.copies && path === this.path;
  }

  statement(connection: Connection, sql: string, run: () => unknown): unknown {
    const process = this.#owners.get(connection);
    if (process === undefined) return run();
    if (process.hasEnded()) throw new Gone();
    if (sql === 'COMMIT') this.crashes.reach(process);
    this.disk.failMaybe(connection, sql);
    const result = run();
    this.watch.onStatement(connection, sql);
    if (sql === 'COMMIT') this.crashes.reach(process);
    return result;
  }

  /** Half of the programs that end are the last to close the database, and half are not. */
  closing(): void {
    if (!this.#keepsLooking) this.#observer.lookAway();
  }

  crashAll(how: Crash['how']): void {
    this.crashes.crashAll(how);
  }

  opened(fd: number, path: string): void {
    if (this.#opening === undefined || !path.endsWith('.dials')) return;
    this.disk.opened(fd, path, this.#opening);
  }

  soon(work: () => void, ms: number): void {
    const process = this.#acting;
    const run = () => {
      if (process === undefined) work();
      else
        process.whenRunning(() => {
          this.#letAct(process, work);
        });
    };
    if (ms < LONG_MS) this.clock.soon(run);
    else this.clock.after(ms, run);
  }

  /** To somebody who listens; whoever is stopped or ends meanwhile gives no answer. */
  async #deliver(delivery: Delivery): Promise<number> {
    const process = [...this.living].find(({ receive }) => receive !== undefined);
    if (process?.receive === undefined) return 0;
    const { callId, brings } = delivery;
    this.service.ledger.told.add(callId);
    const status = await Promise.race([process.receive(delivery), process.died.then(() => 0)]);
    if (status === 200 && brings) this.kept.settled.add(callId);
    return status;
  }

  #letAct(process: Process, work: () => unknown): unknown {
    const before = this.#acting;
    this.#acting = process;
    try {
      return work();
    } finally {
      this.#acting = before;
    }
  }
}
