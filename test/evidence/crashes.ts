import type { Connection } from './world/connections.ts';
import type { Disk } from './world/disk.ts';
import type { Crash, Plan } from './plan.ts';
import { Gone, type Process } from './world/process.ts';

export interface CrashingWorld {
  readonly plan: Plan;
  readonly path: string;
  readonly disk: Disk;
  /** No faults: before the begin, and once the troubles are over. */
  readonly isCalm: boolean;
  readonly living: ReadonlySet<Process>;
  random(): number;
  now(): number;
  leave(process: Process): void;
  nextPath(): string;
  moveTo(path: string): void;
}

/** The points of a run, and which processes are stopped and which end there. */
export class Crashes {
  /** Points passed so far: commits, journal lines, requests, answers. */
  points = 0;
  /** How long the machine is down after the last crash. */
  downMs = 0;
  readonly #world: CrashingWorld;

  constructor(world: CrashingWorld) {
    this.#world = world;
  }

  /** A point of the program: what is planned happens here, or nothing. @throws Gone */
  reach(process: Process): void {
    const { plan, isCalm, living } = this.#world;
    if (process.hasEnded()) throw new Gone();
    if (isCalm) return;
    this.points += 1;
    const stop = plan.stops.find(({ point }) => point === this.points);
    if (stop !== undefined) process.frozenUntil = this.#world.now() + stop.forMs;
    const crash = plan.crashes.find(({ point }) => point === this.points);
    if (crash === undefined) return;
    this.downMs = crash.downMs;
    if (crash.whom === 'one' && living.size > 1) this.#crash(process);
    else this.crashAll(crash.how);
    throw new Gone();
  }

  freezeSomebody(forMs: number): void {
    const { living } = this.#world;
    const [process] = [...living].slice(Math.floor(this.#world.random() * living.size));
    if (process !== undefined) process.frozenUntil = this.#world.now() + forMs;
  }

  /** All processes end at once, and the machine comes up with what is on its disk. */
  crashAll(how: Crash['how']): void {
    const { plan, disk, path } = this.#world;
    const isLogSynced = this.#isLogSynced();
    const losesLog = how === 'power' && !isLogSynced;
    if (!plan.copies && !losesLog) {
      this.#crashThem();
      if (how === 'power') disk.losePower(path, isLogSynced);
      return;
    }
    // Whoever closes a database writes its log into it: a copy is as a killed process leaves it.
    const copy = this.#world.nextPath();
    disk.copy(path, copy);
    if (how === 'power') disk.losePower(copy, isLogSynced);
    this.#crashThem();
    this.#world.moveTo(copy);
  }

  #crashThem(): void {
    for (const process of this.#world.living) this.#crash(process);
  }

  #crash(process: Process): void {
    process.hasCrashed = true;
    this.#world.leave(process);
  }

  /** Whether a power cut leaves all that was committed: every connection must have asked for it. */
  #isLogSynced(): boolean {
    return [...this.#world.living].every(({ databases }) => [...databases].every(isSynced));
  }
}

/** Asked of the library itself: a disk that fails does not fail the machine. */
function isSynced(connection: Connection): boolean {
  return !connection.open || connection.db.pragma('synchronous', { simple: true }) === 2;
}
