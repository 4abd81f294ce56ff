import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Sqlite, { type Database } from 'better-sqlite3';
import { AppError, messageOf, usageError } from '../../../runtime/errors.ts';
import { makeFolder } from '../../../runtime/files.ts';
import { shellWord } from '../../../text/wording.ts';
import { placeTrouble, refuseBesideRests, refuseNoDatabase } from './not-a-database.ts';
import { refuseNetworkDisk, systemDisk, type Disk } from './ballast.ts';
import { BUSY_TIMEOUT_MS, explainFailure, isLocked } from './files.ts';
import { APPLICATION_ID, assertCurrent, isOlder, migrate } from '../migrate.ts';

/** Settings without which people could be called twice. PRAGMA synchronous is read back as a number; FULL is 2. */
const DURABLE = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 };

export interface ConnectionOptions {
  /** Absolute path of the database file. */
  path: string;
  /** `write` creates a missing file and migrates; `read` does neither. */
  mode: 'read' | 'write';
  /** How long a write waits for another process's transaction, ms. Default 5,000. */
  busyTimeoutMs?: number;
  /** Default: the real disk. */
  disk?: Disk;
}

/**
 * Opens the database with the settings that durability needs: WAL, `synchronous=FULL`, foreign keys, a busy timeout.
 * The settings are read back after the first write.
 * @throws AppError `STORE_MISSING`, `STORE_NOT_SQLITE`, `STORE_NOT_OURS`, `STORE_NEWER`, `STORE_OLDER`, `STORE_LOCKED`,
 *   `STORE_FULL`, `STORE_IO_FAILED`, `STORE_CORRUPT`, `STORE_REPLACED`, `STORE_UNUSABLE`, and for writing
 *   `STORE_ON_NETWORK`, `STORE_LOST`, `STORE_IN_USE`, `DATABASE_MOVED`
 */
export function openConnection(options: ConnectionOptions): Database {
  const { path, mode, busyTimeoutMs = BUSY_TIMEOUT_MS, disk = systemDisk } = options;
  let db: Database | undefined;
  try {
    refuseNoDatabase(path);
    if (mode === 'write') refuseNetworkDisk(path, disk);
    const isNew = prepareFile(path, mode);
    const { ino } = statSync(path);
    db = new Sqlite(path, { timeout: busyTimeoutMs });
    if (!isNew) assertOurs(db, path);
    assertSameFile(path, ino);
    configure(db);
    if (mode === 'read') {
      assertCurrent(db, path);
      return db;
    }
    if (!isNew && isOlder(db)) requireAlone(db, path);
    migrate(db, path);
    // better-sqlite3 is compiled so that WAL falls back to NORMAL at the first write: write, then read back.
    db.prepare(
      "INSERT INTO meta VALUES ('opened', '1') ON CONFLICT DO UPDATE SET value = value",
    ).run();
    assertDurable(db, path);
    refuseMoved(db, path);
    refuseMoving(db, path);
    return db;
  } catch (error) {
    db?.close();
    throw explain(error, path, busyTimeoutMs);
  }
}

/** Where `callsheet move` has brought the database, or was bringing it when it was broken off: the URL without a password. */
export function movedTo(
  db: Database,
  key: 'moved_to' | 'moves_to' = 'moved_to',
): string | undefined {
  const hasMeta = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get();
  if (hasMeta === undefined) return undefined;
  return db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck().get(key);
}

/** What was moved is only read: calls are made from the server, and would be made twice. @throws AppError `DATABASE_MOVED` */
function refuseMoved(db: Database, path: string): void {
  const url = movedTo(db);
  if (url === undefined) return;
  throw usageError(
    'DATABASE_MOVED',
    `The database ${path} was moved to ${url}: this file is only read.`,
    `give --db '${url}', or set CALLSHEET_DB to it`,
  );
}

/** A move that was broken off: the server may have all of it, and calls as well. @throws AppError `DATABASE_MOVED` */
export function refuseMoving(db: Database, path: string): void {
  const url = movedTo(db, 'moves_to');
  if (url === undefined) return;
  throw usageError(
    'DATABASE_MOVED',
    `A move of the database ${path} to ${url} was broken off: the server may have all of it, so nobody is called from the file.`,
    `move it again: \`callsheet move --db ${shellWord(path)} --to ${shellWord(url)}\``,
  );
}

/**
 * Opens an existing database in a transaction that no other process reads or writes beside; closing rolls it back. Also
 * moves the write-ahead log into the file.
 * @param refusal the error while another process has it open @throws AppError `DATABASE_MOVED`, those of `openAsItIs`
 */
export function openAlone(path: string, refusal: (cause: unknown) => AppError): Database {
  let db: Database | undefined;
  try {
    db = openAsItIs(path);
    // Fails at once while another connection is open; one that opens now begins a write-ahead log again.
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
    if (db.pragma('journal_mode', { simple: true }) !== 'delete') throw refusal(undefined);
    refuseMoved(db, path);
    return db;
  } catch (thrown) {
    db?.close();
    const error = explainFailure(thrown, path);
    throw error instanceof AppError && error.code === 'STORE_LOCKED' ? refusal(error) : error;
  }
}

/** A process of the older version could not write its results after columns were renamed. */
function requireAlone(db: Database, path: string): void {
  try {
    // Fails at once while another connection is open.
    db.pragma('journal_mode = DELETE');
    db.pragma('journal_mode = WAL');
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new AppError(
      'STORE_IN_USE',
      `Another callsheet is using the database ${path}, which an older version wrote: it is brought up to date only while nobody else has it open.`,
      {
        hint: 'let that process end, or end it (`callsheet status` of its version names the runners), then give the command again',
        cause: error,
      },
    );
  }
}

function prepareFile(path: string, mode: 'read' | 'write'): boolean {
  const isNew = !existsSync(path) || statSync(path).size === 0;
  if (!isNew) return false;
  if (mode === 'read') throw missing(path);
  refuseBesideRests(path);
  makeFolder(dirname(path));
  // Set before SQLite opens the file, because SQLite gives the write-ahead log the mode of the database file.
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  return true;
}

function missing(path: string): AppError {
  return usageError(
    'STORE_MISSING',
    `There is no database at ${path}.`,
    'Name the right one with --db, or import a list first.',
  );
}

function configure(db: Database): void {
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('fullfsync = 1');
  // A checkpoint copies and syncs, so it is made after 40 MB of write-ahead log instead of 4 MB (pages of 4 KB).
  db.pragma('wal_autocheckpoint = 10000');
  db.pragma('foreign_keys = ON');
}

/** @throws AppError `STORE_NOT_DURABLE` when a setting that durability needs is not in effect on this connection */
export function assertDurable(db: Database, path: string): void {
  const names = Object.keys(DURABLE);
  const found = Object.fromEntries(names.map((name) => [name, db.pragma(name, { simple: true })]));
  if (isDeepStrictEqual(found, DURABLE)) return;
  throw new AppError(
    'STORE_NOT_DURABLE',
    `The database ${path} does not keep the settings without which people could be called twice: ${JSON.stringify(found)}, expected wal, 2, 1.`,
    { hint: 'Put the database on a local disk (not a network share) and try again.' },
  );
}

function assertOurs(db: Database, path: string): void {
  const id = db.pragma('application_id', { simple: true });
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number;
  if (id === APPLICATION_ID || tables === 0) return;
  throw usageError(
    'STORE_NOT_OURS',
    `${path} is an SQLite database of another program.`,
    'Give callsheet a file of its own with --db.',
  );
}

/** A restore may have replaced the file since `ino` was read: a replaced file must not get a write-ahead log. */
function assertSameFile(path: string, ino: number): void {
  if (statSync(path, { throwIfNoEntry: false })?.ino === ino) return;
  throw new AppError('STORE_REPLACED', `The database ${path} was replaced in this very moment.`, {
    hint: 'Run the same command again.',
  });
}

/**
 * Opens an existing database as it is, for copying: no setting is changed and nothing is migrated.
 * @param name what the operator calls the file, for messages; default its path
 * @throws AppError `STORE_MISSING`, `STORE_NOT_SQLITE`, `STORE_NOT_OURS`, and those of `explainFailure`
 */
export function openAsItIs(path: string, name = path): Database {
  let db: Database | undefined;
  try {
    if (!existsSync(path)) throw missing(name);
    refuseNoDatabase(path, name);
    db = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
    assertOurs(db, name);
    return db;
  } catch (error) {
    db?.close();
    throw explain(error, name, BUSY_TIMEOUT_MS);
  }
}

function explain(thrown: unknown, path: string, busyTimeoutMs: number): unknown {
  const error = explainFailure(thrown, path, busyTimeoutMs);
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'SQLITE_NOTADB') {
    return usageError(
      'STORE_NOT_SQLITE',
      `${path} is not an SQLite database any more (${messageOf(error)}).`,
      'Name the right file with --db; if it is the right one, it is damaged: put the last backup in its place with `callsheet restore FILE`.',
      error,
    );
  }
  const known = placeTrouble(path, code, error);
  if (known !== undefined) return known;
  return new AppError(
    'STORE_UNUSABLE',
    `The database ${path} cannot be used: ${messageOf(error)}.`,
    {
      hint: 'Check that the folder exists and can be written, or name another file with --db.',
      cause: error,
    },
  );
}
