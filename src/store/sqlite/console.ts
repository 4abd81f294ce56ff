import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
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
 * @throws AppError `CONSOLE_UNUSABLE`, `STORE_NEWER`, `STORE_UNUSABLE`, `STORE_LOCKED`, `STORE_FULL`, `STORE_IO_FAILED`
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

function unusable(path: string, is: string, cause?: unknown): AppError {
  return usageError(
    'CONSOLE_UNUSABLE',
    `The file of users and tokens ${path} ${is}.`,
    'move it away, then add users and tokens again; no campaign and no call is in it',
    cause,
  );
}

/** Marks the file in its header (PRAGMA application_id): "CALU" in ASCII, so that neither database opens the other. */
const CONSOLE_APPLICATION_ID = 0x43414c55;

const FIRST = `
CREATE TABLE users (
  name TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
  transcripts INTEGER NOT NULL CHECK (transcripts IN (0, 1)),
  password TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL COLLATE NOCASE UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
  transcripts INTEGER NOT NULL CHECK (transcripts IN (0, 1)),
  hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  hash TEXT NOT NULL PRIMARY KEY,
  user TEXT COLLATE NOCASE REFERENCES users (name) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_user ON sessions (user);

CREATE TABLE links (
  hash TEXT NOT NULL PRIMARY KEY,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE drafts (
  id TEXT NOT NULL PRIMARY KEY,
  at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  who TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version > 0),
  body TEXT NOT NULL CHECK (json_valid(body))
) STRICT, WITHOUT ROWID;

CREATE TABLE uploads (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  at INTEGER NOT NULL,
  draft TEXT REFERENCES drafts (id) ON DELETE SET NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX uploads_by_draft ON uploads (draft);

CREATE TABLE log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  target TEXT,
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;
CREATE TRIGGER log_is_kept BEFORE UPDATE ON log BEGIN SELECT raise(ABORT, 'log entries are never changed'); END;
`;

const SECOND = `
CREATE TABLE listening (
  url TEXT NOT NULL PRIMARY KEY,
  owner TEXT NOT NULL CHECK (json_valid(owner)),
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX log_by_who ON log (who);
CREATE INDEX log_by_what ON log (what);
`;

/** The campaign is in the other database. */
const THIRD = `
ALTER TABLE drafts ADD COLUMN campaign TEXT;
`;

/** Drafts are campaigns in state `draft`, in the other database; those that were here are lost, with their lists. */
const FOURTH = `
DROP INDEX uploads_by_draft;
CREATE TABLE sent (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO sent SELECT id, name, path, bytes, at FROM uploads;
DROP TABLE uploads;
DROP TABLE drafts;
ALTER TABLE sent RENAME TO uploads;
`;

/** Machines at one address are two consoles; null: an upload of an older version, which is this machine's. */
const FIFTH = `
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

/** The step to each version; index 0 makes version 1. A released step is never changed. */
const VERSIONS: readonly string[] = [FIRST, SECOND, THIRD, FOURTH, FIFTH];

/**
 * Brings the database to the newest version, each step in one transaction with its number.
 * @throws AppError `STORE_NEWER` when a newer callsheet wrote it
 */
function updateSchema(db: Database, path: string): void {
  if (versionOf(db) > VERSIONS.length) throw newer(path, versionOf(db));
  const step = db.transaction((sql: string, version: number) => {
    // Checked again inside the transaction: another process may have been first.
    if (versionOf(db) >= version) return;
    db.exec(sql);
    db.pragma(`application_id = ${CONSOLE_APPLICATION_ID}`);
    db.pragma(`user_version = ${version}`);
  });
  for (const [index, sql] of VERSIONS.entries()) {
    if (versionOf(db) <= index) step.immediate(sql, index + 1);
  }
}

function newer(path: string, version: number) {
  return usageError(
    'STORE_NEWER',
    `The file of users and tokens ${path} has version ${version}, written by a newer callsheet; this one knows versions up to ${VERSIONS.length}.`,
    'Update callsheet, or give another database with --db.',
  );
}
