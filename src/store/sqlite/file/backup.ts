import { existsSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';

import { fileTroubleOf } from '../../../domain/file-trouble.ts';
import { AppError, usageError } from '../../../runtime/errors.ts';
import { makeFolder, sync } from '../../../runtime/files.ts';
import { refuseNewer } from '../migrate.ts';
import { openAsItIs } from './connection.ts';
import {
  corrupt,
  explainFailure,
  isDiskFull,
  isSameFile,
  linkOrMove,
  realPath,
  removeDatabase,
  temporaryBeside,
} from './files.ts';
import { besideDatabase } from './files-in-place.ts';

/**
 * Largest database that is checked when it is opened to dial, bytes, because the check delays the start: 1.6 to 2.5 s
 * for 100 MB of leads on a slow core. `doctor` checks any size; `backup` and `restore` run integrity_check instead.
 */
export const QUICK_CHECK_UP_TO_BYTES = 64 * 1024 * 1024;

/**
 * Runs `quick_check`, which checks pages, rows and CHECKs, but not whether indexes agree with their tables.
 * @param options.upToBytes a larger database is not checked
 * @throws AppError `STORE_CORRUPT` (exit 5), with the first thing found
 */
export function quickCheck(db: Database, path: string, { upToBytes }: { upToBytes: number }): void {
  if (statSync(path).size > upToBytes) return;
  refuseDamage(db, path, 'quick_check(1)');
}

export interface Holdings {
  /** The database's id; its dial journal has the same. */
  databaseId: string;
  campaigns: number;
  leads: number;
  attempts: number;
}

/**
 * Checks a copy completely (integrity_check and foreign keys).
 * @param name what the operator calls it, for messages
 * @throws AppError `STORE_CORRUPT`, `STORE_NOT_SQLITE`, `STORE_NOT_OURS`, `STORE_NEWER`
 */
export function inspectCopy(path: string, name: string): Holdings {
  const db = openAsItIs(path, name);
  try {
    refuseNewer(db, name);
    refuseDamage(db, name, 'integrity_check(1)');
    if ((db.pragma('foreign_key_check') as unknown[]).length > 0) {
      throw corrupt(name, 'a row belongs to one that is not there');
    }
    return holdingsOf(db, name);
  } catch (error) {
    throw explainFailure(error, name);
  } finally {
    db.close();
  }
}

function refuseDamage(db: Database, path: string, check: string): void {
  const finding = String(db.pragma(check, { simple: true }));
  if (finding !== 'ok') throw corrupt(path, finding.replaceAll(/\s+/g, ' '));
}

function holdingsOf(db: Database, name: string): Holdings {
  const hasMeta = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined;
  const selectId = "SELECT value FROM meta WHERE key = 'database_id'";
  const databaseId = hasMeta ? db.prepare(selectId).pluck().get() : undefined;
  if (typeof databaseId !== 'string') {
    throw usageError(
      'STORE_NOT_OURS',
      `${name} holds no database of callsheet.`,
      'Name the right file; `callsheet backup FILE` makes one.',
    );
  }
  const count = (table: string) =>
    db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  return {
    databaseId,
    campaigns: count('campaigns'),
    leads: count('leads'),
    attempts: count('attempts'),
  };
}

interface BackupOptions {
  /** Absolute path of the database; runners may use it meanwhile. */
  from: string;
  /** Absolute path of the copy. */
  to: string;
  /** Whether an existing file may be replaced. Default false. */
  replace?: boolean;
}

/**
 * Copies the database as it is at one moment into one file (mode 0600), which is synced and checked before it gets its
 * final name.
 * @returns what the copy holds
 * @throws AppError `BACKUP_EXISTS`, `BACKUP_OF_ITSELF` (exit 2), `BACKUP_FAILED`, and those of `inspectCopy` and
 *   `explainFailure`
 */
export function backUp({ from: name, to, replace = false }: BackupOptions): Holdings {
  const from = realPath(name);
  if ([from, ...besideDatabase(from)].some((path) => isSameFile(path, to))) {
    throw usageError(
      'BACKUP_OF_ITSELF',
      `${to} belongs to the database ${from} itself.`,
      'Give the backup a name of its own, best on another disk.',
    );
  }
  if (existsSync(to) && statSync(to).isDirectory()) {
    throw usageError(
      'BACKUP_FAILED',
      `${to} is a folder, and a backup is one file.`,
      `Name a file in it, e.g. ${join(to, 'callsheet.db')}.`,
    );
  }
  if (!replace && existsSync(to)) throw alreadyThere(to);
  const db = openAsItIs(from);
  let temporary: string | undefined;
  try {
    makeFolder(dirname(to));
    temporary = temporaryBeside(to);
    // This is one read transaction, so other processes may write meanwhile.
    db.prepare('VACUUM INTO ?').run(temporary);
    const holdings = inspectCopy(temporary, to);
    sync(temporary);
    if (replace) renameSync(temporary, to);
    else linkOrMove(temporary, to);
    sync(dirname(to));
    return holdings;
  } catch (error) {
    throw explain(error, from, to);
  } finally {
    if (temporary !== undefined) removeDatabase(temporary);
    db.close();
  }
}

function alreadyThere(to: string): AppError {
  return usageError(
    'BACKUP_EXISTS',
    `${to} is there already, and nothing was written.`,
    'Give another name, or --force to replace it.',
  );
}

/** SQLite's own failures are reported for the database, other errors for the path of the copy. */
function explain(error: unknown, from: string, to: string): unknown {
  if (isDiskFull(error)) return explainFailure(error, to);
  const told = explainFailure(error, from);
  if (told instanceof AppError || !(told instanceof Error)) return told;
  if ('syscall' in told && told.syscall === 'link') return alreadyThere(to);
  const { is, check } = fileTroubleOf(told, 'written');
  return new AppError('BACKUP_FAILED', `The backup was not made: ${to} ${is}.`, {
    hint: `${check} Another file can be named.`,
    cause: told,
  });
}
