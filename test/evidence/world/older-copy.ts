import { join } from 'node:path';
import { AppError } from '../../../src/runtime/errors.ts';
import { backUp } from '../../../src/store/sqlite/file/backup.ts';
import { restoreBackup } from '../../../src/store/sqlite/file/restore.ts';
import { openReally } from './connections.ts';
import type { Disk } from './disk.ts';
import type { Kept } from './kept.ts';
import { asItIs } from './machine.ts';
import type { Plan } from '../plan.ts';
import type { ServerDatabase } from './server.ts';
import type { Watch } from './watch.ts';
import type { Store } from '../../../src/store/port.ts';

export interface CopiedWorld {
  readonly plan: Plan;
  readonly folder: string;
  readonly path: string;
  readonly server: ServerDatabase | undefined;
  readonly disk: Disk;
  readonly watch: Watch;
  kept: Kept;
  random(): number;
  crashAll(how: 'kill'): void;
  nextPath(): string;
  moveTo(path: string): void;
  openAt(path: string, mode: 'dial', machine?: number): Store;
}

/** A copy of the database, to which it is set back later. */
export class OlderCopy {
  readonly #world: CopiedWorld;
  #taken: { path: string; kept: Kept } | undefined;

  constructor(world: CopiedWorld) {
    this.#world = world;
  }

  take(): void {
    const { plan, disk, folder, path: from, kept, server } = this.#world;
    const path = join(folder, 'older.db');
    if (server !== undefined) server.keep();
    else if (plan.restore?.how === 'backup') asItIs(() => backUp({ from, to: path }));
    else disk.copy(from, path);
    this.#taken = { path, kept: kept.copy() };
  }

  /** All processes end, and the copy takes the place of the database. */
  putBack(): void {
    const taken = this.#taken;
    const { plan, disk, path: current, server } = this.#world;
    if (plan.restore === null || taken === undefined) return;
    this.#world.crashAll('kill');
    const path = this.#world.nextPath();
    if (plan.restore.how === 'backup' && server === undefined) {
      disk.copy(this.#world.path, path);
      asItIs(() => restoreBackup({ from: taken.path, path, keepAs: 'replaced' }));
      // Reading a journal syncs it first.
      disk.journalSynced(path);
    } else {
      if (server === undefined) disk.copy(taken.path, path, false);
      else server.putBackOlder(this.#world.random());
      if (plan.restore.how === 'no journal' && server === undefined) this.#isRefused(path);
      disk.copyJournals(current, path);
    }
    this.#world.moveTo(path);
    for (const machine of server?.unknown(path) ?? [])
      asItIs(() => void this.#world.openAt(path, 'dial', machine).close());
    this.#world.kept = taken.kept.copy();
    this.#world.watch.forgets();
  }

  /** What has dialled, and whose journal is missing, could dial again what it has forgotten. */
  #isRefused(path: string): void {
    try {
      const store = asItIs(() => this.#world.openAt(path, 'dial'));
      void store.close();
    } catch (error) {
      if (error instanceof AppError && error.code === 'JOURNAL_MISSING') return;
      throw error;
    }
    const db = openReally(path);
    const dials = db.prepare('SELECT count(*) FROM attempts').pluck().get();
    db.close();
    if (dials === 0) return;
    this.#world.watch.violations.push('a database without its journal was opened to dial');
  }
}
