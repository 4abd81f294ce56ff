import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';

import { AppError, messageOf, usageError } from '../../../runtime/errors.ts';
import { makeFolder } from '../../../runtime/files.ts';
import type { ConsoleStore } from '../../console.ts';
import { BUSY_TIMEOUT_MS, explainFailure } from '../file/failures.ts';
import { isSqlite, placeTrouble } from '../file/not-a-database.ts';
import { each, type MethodsOf } from '../sql.ts';
import { CONSOLE_APPLICATION_ID, updateSchema } from './schema.ts';

/**
 * Opens the file of the console, and creates a missing one with mode 0600: write-ahead log, `synchronous=FULL`,
 * foreign keys.
 *
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
export function explainConsoleFailure(error: unknown, path: string): unknown {
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

export type ConsoleMethods = MethodsOf<Omit<ConsoleStore, 'close'>>;

/** Makes methods of the port from synchronous functions; `run` runs each call. */
export const asMethods = each as unknown as <Name extends keyof ConsoleMethods>(
  run: <T>(work: () => T) => Promise<T>,
  functions: Pick<ConsoleMethods, Name>,
) => Pick<ConsoleStore, Name>;
