import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import type { Random } from '../../../src/runtime/random.ts';
import { SqliteError, type Connection } from './connections.ts';
import type { Plan } from '../plan.ts';
import type { Process } from './process.ts';

/** SQLite's log: a header, then frames of a header and one page each. */
const WAL_HEADER = 32;
const WAL_FRAME = 24 + 4_096;

/** With room, and a page of ballast, which every start after a crash writes: it is given up like four megabytes. */
export const SMALL_DISK = {
  freeBytes: () => Infinity,
  fileSystemType: () => 0,
  isMountPoint: () => false,
  ballastBytes: 4_096,
};

/** Of a database in a file the first alone; a server has a journal for each of two machines. */
const JOURNALS = ['.dials', '.b.dials'];

/** The dial journals beside a database that are there. */
const journalsOf = (databasePath: string) =>
  JOURNALS.map((end) => databasePath + end).filter((path) => existsSync(path));

export interface DiskWorld {
  plan: Plan;
  random: Random;
  isCalm: boolean;
  now(): number;
}

/** The disk of the machine: what fails on it, what is surely on it, and what a crash leaves of it. */
export class Disk {
  readonly #world: DiskWorld;
  /** Journals that are open for appending. */
  readonly #files = new Map<number, { process: Process; path: string }>();
  /** How much of each journal is surely on disk. */
  readonly #synced = new Map<string, number>();

  constructor(world: DiskWorld) {
    this.#world = world;
  }

  opened(fd: number, path: string, process: Process): void {
    this.#files.set(fd, { process, path });
    process.files.add(fd);
  }

  closed(fd: number): void {
    this.#files.get(fd)?.process.files.delete(fd);
    this.#files.delete(fd);
  }

  append(fd: number, bytes: Buffer): Promise<number> | undefined {
    const file = this.#files.get(fd);
    return file === undefined ? undefined : this.#append(fd, bytes, file.process);
  }

  sync(fd: number): Promise<void> | undefined {
    const file = this.#files.get(fd);
    return file === undefined ? undefined : this.#sync(file);
  }

  syncNow(fd: number): void {
    const file = this.#files.get(fd);
    if (file !== undefined) this.#isSynced(file.path);
  }

  /** What happens to this statement. */
  troubleOf(sql: string): 'locked' | 'full' | 'io' | undefined {
    if (sql.startsWith('BEGIN') && this.#isLocked()) return 'locked';
    const kind = sql.startsWith('ROLLBACK') ? undefined : this.#failure();
    return kind === 'full' && sql !== 'COMMIT' ? undefined : kind;
  }

  /** Throws what SQLite throws when the disk fails under this statement. */
  failMaybe(db: Connection, sql: string): void {
    const kind = this.troubleOf(sql);
    if (kind === undefined) return;
    if (kind === 'locked') throw new SqliteError('database is locked', 'SQLITE_BUSY');
    // SQLite may have rolled the transaction back by itself, or not.
    if (db.inTransaction && this.#world.random() < 0.5) db.exec('ROLLBACK');
    throw kind === 'full'
      ? new SqliteError('database or disk is full', 'SQLITE_FULL')
      : new SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE');
  }

  /** True when the journal's line of a dial is on disk and synced. */
  hasJournalled(databasePath: string, key: string): boolean {
    return journalsOf(databasePath).some((journal) => {
      const synced = readFileSync(journal).subarray(0, this.#synced.get(journal) ?? 0);
      return synced.includes(`"${key}"`);
    });
  }

  /** Copies database and log as they are, and the journals. */
  copy(from: string, to: string, withJournal = true): void {
    for (const end of ['', '-wal']) {
      if (existsSync(from + end)) copyFileSync(from + end, to + end);
    }
    if (withJournal) this.copyJournals(from, to);
  }

  copyJournals(from: string, to: string): void {
    for (const journal of journalsOf(from)) {
      const copy = to + journal.slice(from.length);
      copyFileSync(journal, copy);
      this.#synced.set(copy, this.#synced.get(journal) ?? 0);
    }
  }

  /** All of a database's journal is on disk. */
  journalSynced(databasePath: string): void {
    for (const journal of journalsOf(databasePath)) this.#isSynced(journal);
  }

  /** Takes from a copy what a power cut takes: what was not synced, wholly or down to a torn piece. */
  losePower(path: string, isLogSynced: boolean): void {
    for (const journal of journalsOf(path)) {
      this.#tear(journal, this.#synced.get(journal) ?? 0, 1);
      this.#isSynced(journal);
    }
    const log = `${path}-wal`;
    if (!isLogSynced && existsSync(log)) this.#tear(log, WAL_HEADER, WAL_FRAME);
  }

  async #append(fd: number, bytes: Buffer, process: Process): Promise<number> {
    await process.reach();
    const kind = this.#failure();
    if (kind !== undefined) {
      const torn = Math.floor(this.#world.random() * bytes.length);
      writeSync(fd, bytes.subarray(0, torn));
      if (kind === 'full') return torn;
      throw Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' });
    }
    const written = writeSync(fd, bytes);
    await process.reach();
    return written;
  }

  async #sync({ process, path }: { process: Process; path: string }): Promise<void> {
    const { plan, random } = this.#world;
    if (plan.slowDisk) await process.clock.sleep(Math.floor(random() * 7_000));
    if (this.#failure() !== undefined) {
      throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    }
    this.#isSynced(path);
    await process.reach();
  }

  #failure(): 'full' | 'io' | undefined {
    const { plan, random, isCalm } = this.#world;
    if (isCalm || plan.disk.length === 0) return undefined;
    const now = this.#world.now();
    const trouble = plan.disk.find(({ from, to }) => now >= from && now < to);
    return trouble !== undefined && random() < trouble.rate ? trouble.kind : undefined;
  }

  #isLocked(): boolean {
    const { plan, isCalm } = this.#world;
    const now = this.#world.now();
    return !isCalm && plan.locks.some(({ from, to }) => now >= from && now < to);
  }

  #isSynced(path: string): void {
    this.#synced.set(path, statSync(path).size);
  }

  #tear(path: string, kept: number, unit: number): void {
    const units = Math.floor((statSync(path).size - kept) / unit);
    if (units <= 0) return;
    truncateSync(path, kept + Math.floor(this.#world.random() * (units + 1)) * unit);
  }
}
