import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { fileTroubleOf } from '../../../domain/file-trouble.ts';
import { AppError, EXIT, usageError } from '../../../runtime/errors.ts';
import { makeFolder, sync } from '../../../runtime/files.ts';
import { inspectCopy, type Holdings } from './backup.ts';
import { openAlone, refuseMoving } from './connection.ts';
import { refuseNetworkDisk, systemDisk, type Disk } from './ballast.ts';
import {
  explainFailure,
  freeName,
  isSameFile,
  linkOrMove,
  realPath,
  removeDatabase,
  temporaryBeside,
} from './files.ts';
import { journalPath, readJournal } from '../../journal/journal.ts';
import { migrate } from '../migrate.ts';
import { sqlOf } from '../../sql/sql.ts';
import { refuseNoDatabase } from './not-a-database.ts';
import { recoverFromJournal } from '../../journal/recover.ts';

export interface RestoreOptions {
  /** Absolute path of the backup; it is only read. */
  from: string;
  /** Absolute path of the database that the backup replaces. */
  path: string;
  /** Added to the name of the database that is replaced, e.g. `replaced-2026-01-05T15-00-00Z`. */
  keepAs: string;
  /** True: the operator says that no process uses the database, which is too damaged to lock. Default false. */
  alone?: boolean;
  /** Default: the real disk. */
  disk?: Disk;
}

/**
 * Replaces the database with a backup. Everything that can fail is done on a copy first: the copy is checked and
 * migrated, and dials that it lacks are recovered from the dial journal, which stays.
 * @returns `recovered`: number of calls that only the journal had; their attempts are `unknown` now. `keptAs`: path of
 *   the replaced database; null when there was none
 * @throws AppError `BACKUP_MISSING`, `BACKUP_OF_ITSELF` (exit 2), `BACKUP_OF_ANOTHER_DATABASE` (exit 5),
 *   `STORE_IN_USE`, `STORE_TOO_DAMAGED_TO_ASK`, `RESTORE_FAILED`, and those of `refuseNoDatabase`, `inspectCopy`,
 *   `recoverFromJournal` and `explainFailure`; the database is then as it was
 */
export function restoreBackup(options: RestoreOptions) {
  const { from, keepAs, alone = false, disk = systemDisk } = options;
  const path = realPath(options.path);
  if (!existsSync(from)) throw missing(from);
  if (!statSync(from).isFile()) throw missing(from, 'is a folder or a device, not a backup');
  if (isSameFile(from, path)) {
    const message = `${from} is the database itself, not a backup of it.`;
    throw usageError('BACKUP_OF_ITSELF', message, NAME_A_BACKUP);
  }
  asBackup(() => refuseNoDatabase(from));
  refuseNoDatabase(path);
  refuseNetworkDisk(path, disk);
  let copy: string | undefined;
  try {
    makeFolder(dirname(path));
    copy = copyBeside(from, path);
    const temporary = copy;
    const holdings = asBackup(() => inspectCopy(temporary, from));
    refuseOtherJournal(from, path, holdings);
    const release = lockAlone(path, alone);
    try {
      const recovered = recoverCopy(copy, path, holdings);
      const keptAs = putInPlace(copy, path, `${path}.${keepAs}`);
      return { holdings, recovered, keptAs };
    } finally {
      release();
    }
  } catch (error) {
    throw explain(error, path);
  } finally {
    if (copy !== undefined) removeDatabase(copy);
  }
}

/** Copies a backup. One that was made by hand may have its newest data in a write-ahead log beside it. */
function copyBeside(from: string, path: string): string {
  const copy = temporaryBeside(path);
  copyFileSync(from, copy);
  chmodSync(copy, 0o600);
  if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${copy}-wal`);
  return copy;
}

/** Changes the hint of errors about a wrong backup: the operator must name another file, not another database. */
function asBackup<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof AppError) || !NO_BACKUP.includes(error.code)) throw error;
    const { code, message, exitCode } = error;
    throw new AppError(code, message, { hint: NAME_A_BACKUP, exitCode, cause: error });
  }
}
const NO_BACKUP = ['STORE_NOT_SQLITE', 'STORE_NOT_OURS'];
const NAME_A_BACKUP = 'Name the file that `callsheet backup FILE` wrote.';

function refuseOtherJournal(from: string, path: string, { databaseId }: Holdings): void {
  const journal = readJournal(journalPath(path), 0);
  journal?.close();
  if (journal === undefined || journal.databaseId === null) return;
  if (journal.databaseId === databaseId) return;
  throw new AppError(
    'BACKUP_OF_ANOTHER_DATABASE',
    `${from} is a backup of a database other than the one whose dial journal is ${journalPath(path)}: it does not know whom that one called, so it is not put there.`,
    {
      hint: 'Name a backup of this very database, or restore this one elsewhere with --db PATH.',
      exitCode: EXIT.person,
    },
  );
}

/** Locks the database: no other process has it open, or can open it, until the returned function is called. */
function lockAlone(path: string, alone: boolean): () => void {
  if (!existsSync(path)) return () => undefined;
  let db: Sqlite.Database | undefined;
  try {
    db = openAlone(path, (cause) => inUse(path, cause));
    // A backup from before the move would call from the file beside the server.
    refuseMoving(db, path);
    const held = db;
    return () => held.close();
  } catch (thrown) {
    db?.close();
    const error = explainFailure(thrown, path);
    if (!(error instanceof AppError)) throw error;
    if (error.code !== 'STORE_CORRUPT' && error.code !== 'STORE_NOT_SQLITE') throw error;
    if (!alone) throw tooDamaged(path, error);
    return () => undefined;
  }
}

function recoverCopy(copy: string, path: string, { databaseId }: Holdings): number {
  const db = new Sqlite(copy);
  try {
    db.pragma('journal_mode = DELETE');
    db.pragma('foreign_keys = ON');
    migrate(db, path);
    return recoverFromJournal(sqlOf(db), {
      path: journalPath(path),
      database: path,
      id: databaseId,
    });
  } finally {
    db.close();
  }
}

function putInPlace(copy: string, path: string, keepAs: string): string | null {
  sync(copy);
  const kept = freeName(keepAs);
  // The logs are moved first, because SQLite would apply the old database's log to the new file.
  for (const end of ['-wal', '-journal']) {
    if (existsSync(path + end)) renameSync(path + end, kept + end);
  }
  rmSync(`${path}-shm`, { force: true });
  const had = existsSync(path);
  if (had) linkOrMove(path, kept);
  renameSync(copy, path);
  sync(dirname(path));
  return had ? kept : null;
}

function missing(from: string, what = 'does not exist'): AppError {
  return usageError('BACKUP_MISSING', `There is no backup at ${from}: it ${what}.`, NAME_A_BACKUP);
}

function inUse(path: string, cause: unknown): AppError {
  return new AppError(
    'STORE_IN_USE',
    `Another callsheet is using the database ${path}, so it was not replaced.`,
    {
      hint: 'End every callsheet on it (Ctrl-C in its terminal; `callsheet status` names the runners), then restore again.',
      cause,
    },
  );
}

function tooDamaged(path: string, cause: unknown): AppError {
  return new AppError(
    'STORE_TOO_DAMAGED_TO_ASK',
    `The database ${path} is so damaged that it cannot say whether another callsheet is using it, so it was not replaced.`,
    {
      hint: 'End every callsheet on it, then restore again with --alone.',
      exitCode: EXIT.person,
      cause,
    },
  );
}

function explain(error: unknown, path: string): unknown {
  const told = explainFailure(error, path);
  if (told instanceof AppError || !(told instanceof Error)) return told;
  const { is, check } = fileTroubleOf(told, 'written');
  return new AppError('RESTORE_FAILED', `The database was not replaced: ${path} ${is}.`, {
    hint: `${check} Then restore again.`,
    cause: told,
  });
}
