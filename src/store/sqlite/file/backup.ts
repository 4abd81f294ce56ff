import { existsSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileTroubleOf } from '../../../domain/file-trouble.ts';
import { AppError, usageError } from '../../../runtime/errors.ts';
import { makeFolder } from '../../../runtime/make-folder.ts';
import { inspectCopy, type Holdings } from './check.ts';
import { openAsItIs } from './connection.ts';
import { explainFailure, isDiskFull } from './failures.ts';
import {
  isSameFile,
  linkOrMove,
  removeDatabase,
  sync,
  temporaryBeside,
  realPath,
} from './files.ts';
import { besideDatabase } from './files-in-place.ts';

export interface BackupOptions {
  /** Absolute path of the database; runners may use it meanwhile. */
  from: string;
  /** Absolute path of the copy. */
  to: string;
  /** Whether an existing file may be replaced. Default false. */
  replace?: boolean;
}

/**
 * Copies the database as it is at one moment into one file (mode 0600), which is synced and checked before it gets
 * its final name.
 *
 * @returns what the copy holds
 * @throws AppError `BACKUP_EXISTS`, `BACKUP_OF_ITSELF` (exit 2), `BACKUP_FAILED`, and those of `inspectCopy`
 *   and `explainFailure`
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
