import { join } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { seededRandom, type Random } from '../../src/runtime/random.ts';
import type { Dial } from '../../src/service/port.ts';
import type { Store } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { EventClock } from './clock.ts';
import { Disk, SMALL_BALLAST } from './disk.ts';
import type { ExportedLead } from './invariants.ts';
import { Kept } from './kept.ts';
import type { Machine } from './machine.ts';
import type { Crash, Plan } from './plan.ts';
import { Gone, Process } from './process.ts';
import { FaultyService } from './service.ts';
import { Watch } from './watch.ts';

/**
 * One simulated machine with its disk, its processes and its time. Nothing in it depends on the real time
 * or on the order in which real threads finish: a seed is the same run for ever.
 */
export class World implements Machine {
  readonly plan: Plan;
  readonly clock: EventClock;
  readonly random: Random;
  readonly service: FaultyService;
  readonly watch: Watch;
  readonly disk: Disk;
  /** Where the database is now: after a crash the machine comes up with a copy of its files. */
  path: string;
  /** No faults: before the begin, and once the troubles are over. */
  isCalm = true;
  /** Points passed so far: commits, journal lines, requests, answers. */
  points = 0;
  processes = 0;
  /** Calls that the store has said to have kept, and those whose analytics it has. */
  kept = new Kept();
  /** What the last run has written, after so many changes. */
  results: { rows: ExportedLead[]; changes: number; areFinal: boolean } | undefined;
  /** How long the machine is down after the last crash. */
  downMs = 0;
  readonly #folder: string;
  #older: { path: string; kept: Kept } | undefined;
  #operator: Process | undefined;
  #copies = 0;
  #pids = 100;
  readonly #living = new Set<Process>();
  readonly #owners = new WeakMap<Database, Process>();
  /** The process that opens its store just now. */
  #opening: Process | undefined;
  /** The machine's own reads are no statements of the program. */
  #isLooking = false;
  #observer: Database | undefined;
  readonly #keepsLooking: boolean;

  constructor(plan: Plan, folder: string) {
    this.plan = plan;
    this.random = seededRandom(`run ${plan.seed}`);
    this.clock = new EventClock(this.random);
    this.disk = new Disk(this);
    this.#keepsLooking = this.random() < 0.5;
    this.#folder = folder;
    this.path = join(folder, '0.db');
    this.watch = new Watch(this);
    this.service = new FaultyService(this);
  }

  /** Ms since the begin. */
  now(): number {
    return this.clock.monotonic();
  }

  onSend(dial: Dial): void {
    this.watch.onSend(dial);
  }

  spawn(): Process {
    const process = new Process(this.#pids++, this.clock, (who) => {
      this.#reach(who);
    });
    this.#living.add(process);
    this.processes += 1;
    process.knowsTrouble = !this.isCalm && this.plan.disk.length > 0;
    return process;
  }

  /** The process of the operator's commands; another one after a crash. */
  operator(): Process {
    if (this.#operator === undefined || this.#operator.hasEnded()) this.#operator = this.spawn();
    return this.#operator;
  }

  isGone(pid: number): boolean {
    if (!this.plan.seesTheDead) return false;
    return ![...this.#living].some(({ owner }) => owner.pid === pid);
  }

  /** Opens the store for a process as the program does. */
  open(process: Process, mode: 'write' | 'dial'): Store {
    this.#opening = process;
    try {
      return process.own(openSqliteStore({ path: this.path, mode, disk: SMALL_BALLAST }));
    } finally {
      this.#opening = undefined;
    }
  }

  /** The process ends by itself. */
  leave(process: Process): void {
    this.#living.delete(process);
    process.end();
  }

  /** Reads through `db`, or through a connection of its own. */
  look<T>(read: (db: Database) => T, db?: Database): T {
    const own = db ?? (this.#observer ??= new Sqlite(this.path));
    this.#isLooking = true;
    try {
      return read(own);
    } finally {
      this.#isLooking = false;
    }
  }

  freeze(forMs: number): void {
    const [process] = [...this.#living].slice(Math.floor(this.random() * this.#living.size));
    if (process !== undefined) process.frozenUntil = this.now() + forMs;
  }

  /** All processes end at once, and the machine comes up with what is on its disk. */
  crashAll(how: Crash['how']): void {
    const copy = join(this.#folder, `${++this.#copies}.db`);
    this.disk.copy(this.path, copy);
    if (how === 'power') this.disk.losePower(copy, this.#isLogSynced());
    this.path = copy;
    this.#lookAway();
    for (const process of this.#living) this.#crash(process);
  }

  /** Takes a copy of the database, to which it is set back later. */
  keepCopy(): void {
    const path = join(this.#folder, 'older.db');
    this.disk.copy(this.path, path);
    this.#older = { path, kept: this.kept.copy() };
  }

  /** The database is replaced by the older copy of it; its journal stays. */
  restore(): void {
    if (this.#older === undefined) return;
    const current = this.path;
    this.crashAll('kill');
    const copy = join(this.#folder, `${++this.#copies}.db`);
    this.disk.copy(this.#older.path, copy);
    this.disk.copyJournal(current, copy);
    this.path = copy;
    this.#lookAway();
    this.kept = this.#older.kept.copy();
    this.downMs = 2_000;
    this.watch.forgets();
  }

  endAll(): void {
    this.#lookAway();
    for (const process of this.#living) this.leave(process);
  }

  // What the program does to its machine.

  statement(db: Database, sql: string, run: () => unknown): unknown {
    if (this.#isLooking) return run();
    const process = this.#ownerOf(db);
    if (process === undefined) return run();
    if (process.hasEnded()) throw new Gone();
    if (sql === 'COMMIT') this.#reach(process);
    this.disk.failMaybe(db, sql);
    const result = run();
    this.watch.onStatement(db, sql);
    if (sql === 'COMMIT') this.#reach(process);
    return result;
  }

  /** While somebody looks, a program that ends leaves its log: half of the runs see the one, half the other. */
  closing(): void {
    if (!this.#keepsLooking) this.#lookAway();
  }

  opened(fd: number, path: string): void {
    if (this.#opening === undefined || !path.endsWith('.dials')) return;
    this.disk.opened(fd, path, this.#opening);
  }

  closed(fd: number): void {
    this.disk.closed(fd);
  }

  append(fd: number, bytes: Buffer): Promise<number> | undefined {
    return this.disk.append(fd, bytes);
  }

  sync(fd: number): Promise<void> | undefined {
    return this.disk.sync(fd);
  }

  syncNow(fd: number): void {
    this.disk.syncNow(fd);
  }

  soon(work: () => void): void {
    this.clock.soon(work);
  }

  #ownerOf(db: Database): Process | undefined {
    const known = this.#owners.get(db);
    if (known !== undefined || this.#opening === undefined) return known;
    this.#owners.set(db, this.#opening);
    this.#opening.databases.add(db);
    return this.#opening;
  }

  /** A point of the program: the planned crash happens here, or nothing. */
  #reach(process: Process): void {
    if (process.hasEnded()) throw new Gone();
    if (this.isCalm) return;
    this.points += 1;
    const crash = this.plan.crashes.find(({ point }) => point === this.points);
    if (crash === undefined) return;
    this.downMs = crash.downMs;
    if (crash.whom === 'one' && this.#living.size > 1) this.#crash(process);
    else this.crashAll(crash.how);
    throw new Gone();
  }

  #lookAway(): void {
    const observer = this.#observer;
    this.#observer = undefined;
    observer?.close();
  }

  #crash(process: Process): void {
    process.hasCrashed = true;
    this.leave(process);
  }

  /** Whether a power cut leaves all that was committed: every connection must have asked for it. */
  #isLogSynced(): boolean {
    return [...this.#living].every(({ databases }) =>
      [...databases].every((db) => !db.open || db.pragma('synchronous', { simple: true }) === 2),
    );
  }
}
