import { chmodSync, closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';

import { AppError, messageOf, usageError } from '../../runtime/errors.ts';
import { makeFolder } from '../../runtime/files.ts';
import type { ConsoleStore } from '../console.ts';
import { BUSY_TIMEOUT_MS, explainFailure, fileFailures } from './file/files.ts';
import { isSqlite, placeTrouble } from './file/not-a-database.ts';
import { versionOf } from './migrate.ts';
import { createConsole } from '../sql/console.ts';

/**
 * Opens the console's store, and creates a missing file.
 * @param path absolute
 * @throws AppError see `openConsoleConnection`; methods: `CONSOLE_UNUSABLE`, `STORE_LOCKED`, `STORE_FULL`,
 *   `STORE_IO_FAILED`
 */
export function openSqliteConsole(path: string): ConsoleStore {
  const db = openConsoleConnection(path);
  const explain = (error: unknown) => explainConsoleFailure(error, path);
  return createConsole({ db, failures: { ...fileFailures(path), explain } });
}

/**
 * Opens the file of the console, and creates a missing one with mode 0600: write-ahead log, `synchronous=FULL`, foreign
 * keys.
 * @param path absolute
 * @throws AppError `CONSOLE_UNUSABLE`, `STORE_NEWER`, `STORE_OLDER`, `STORE_UNUSABLE`, `STORE_LOCKED`, `STORE_FULL`,
 *   `STORE_IO_FAILED`
 */
export function openConsoleConnection(path: string): Database {
  let db: Database | undefined;
  try {
    const isNew = prepareFile(path);
    db = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
    if (!isNew) assertOurs(db, path);
    db.pragma('journal_mode = WAL');
    db.pragma('foreign_keys = ON');
    updateSchema(db, path);
    // Set last: better-sqlite3 is compiled so that WAL falls back to NORMAL when the file is first used.
    db.pragma('synchronous = FULL');
    db.pragma('fullfsync = 1');
    return db;
  } catch (error) {
    db?.close();
    throw explainConsoleFailure(error, path);
  }
}

/** @returns whether the file is new or empty */
function prepareFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) throw unusable(path, 'is not a regular file');
  if (found !== undefined && found.size > 0) {
    if (!isSqlite(path)) throw unusable(path, 'is not an SQLite database');
    return false;
  }
  makeFolder(dirname(path));
  // Set before SQLite opens the file, because SQLite gives the write-ahead log the mode of the database file.
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  return true;
}

function assertOurs(db: Database, path: string): void {
  const id = db.pragma('application_id', { simple: true });
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number;
  if (id === CONSOLE_APPLICATION_ID || tables === 0) return;
  throw unusable(path, 'is a database of something else');
}

/** Turns a failure of the file, the disk or a lock into an AppError; any other error is returned unchanged. */
function explainConsoleFailure(error: unknown, path: string): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code))
    return unusable(path, `is damaged (${messageOf(error)})`, error);
  const known = explainFailure(error, path);
  return known instanceof AppError ? known : (placeTrouble(path, code, error) ?? error);
}

const BEGIN_AGAIN =
  'move it away, then add users and tokens again; no campaign and no call is in it';

function unusable(path: string, is: string, cause?: unknown): AppError {
  return usageError(
    'CONSOLE_UNUSABLE',
    `The file of users and tokens ${path} ${is}.`,
    BEGIN_AGAIN,
    cause,
  );
}

/** Marks the file in its header (PRAGMA application_id): "CALU" in ASCII, so that neither database opens the other. */
const CONSOLE_APPLICATION_ID = 0x43414c55;

/** The version of a file with the tables of console.sql. */
const VERSION = 5;

/** The step from version 4; no release wrote an earlier one. An upload without a machine is this machine's. */
const FROM_4 = `
CREATE TABLE consoles (
  machine TEXT NOT NULL,
  url TEXT NOT NULL,
  owner TEXT NOT NULL CHECK (json_valid(owner)),
  at INTEGER NOT NULL,
  PRIMARY KEY (machine, url)
) STRICT, WITHOUT ROWID;
INSERT INTO consoles SELECT owner ->> '$.host', url, owner, at FROM listening;
DROP TABLE listening;
ALTER TABLE consoles RENAME TO listening;
ALTER TABLE uploads ADD COLUMN machine TEXT;
`;

/**
 * Brings the database to the newest version in one transaction.
 * @throws AppError `STORE_NEWER` when a newer callsheet wrote it, `STORE_OLDER` when no release wrote its version
 */
function updateSchema(db: Database, path: string): void {
  if (versionOf(db) > VERSION) throw newer(path, versionOf(db));
  if (versionOf(db) === VERSION) return;
  const update = db.transaction(() => {
    // Asked inside the transaction: another process may have been first.
    const version = versionOf(db);
    if (version === VERSION) return;
    if (version !== 0 && version !== 4) throw older(path, version);
    db.exec(
      version === 0 ? readFileSync(new URL('./console.sql', import.meta.url), 'utf8') : FROM_4,
    );
    db.pragma(`application_id = ${CONSOLE_APPLICATION_ID}`);
    db.pragma(`user_version = ${VERSION}`);
  });
  update.immediate();
}

function older(path: string, version: number) {
  return usageError(
    'STORE_OLDER',
    `The file of users and tokens ${path} has version ${version}, which no release wrote.`,
    BEGIN_AGAIN,
  );
}

function newer(path: string, version: number) {
  return usageError(
    'STORE_NEWER',
    `The file of users and tokens ${path} has version ${version}, written by a newer callsheet; this one knows versions up to ${VERSION}.`,
    'Update callsheet, or give another database with --db.',
  );
}
