import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { AppError, EXIT } from '../../../runtime/errors.ts';
import type { Failures } from '../../sql/engine.ts';

/** Endings of the files that SQLite may keep beside a database file. */
export const COMPANIONS = ['-wal', '-shm', '-journal'] as const;

/** A new, empty file (mode 0600) beside `path`, so that the rename at the end cannot cross file systems. */
export function temporaryBeside(path: string): string {
  for (let n = 1; ; n++) {
    const temporary = join(dirname(path), `.${basename(path)}.${n}.tmp`);
    try {
      closeSync(openSync(temporary, 'wx', 0o600));
      return temporary;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Deletes a database and the files that SQLite kept beside it. */
export function removeDatabase(path: string): void {
  for (const companion of ['', ...COMPANIONS]) rmSync(`${path}${companion}`, { force: true });
}

/** The wanted name, or, if it is taken, the name with the next free number. */
export function freeName(wanted: string): string {
  let name = wanted;
  for (let n = 2; existsSync(name); n++) name = `${wanted}-${n}`;
  return name;
}

/** Gives a file a second name, or moves it if links are not possible. @throws EEXIST if the name is taken */
export function linkOrMove(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // Some file systems have no hard links.
    if (existsSync(to)) throw error;
    renameSync(from, to);
  }
}

/** True when both names lead to the same file, which need not exist yet. */
export function isSameFile(one: string, other: string): boolean {
  return realPath(one) === realPath(other);
}

/**
 * The path of the file itself, with links resolved: journal, write-ahead log and ballast are beside it, so that there
 * is one of each. The file need not exist yet. A path that cannot be resolved is returned, and opening it fails.
 */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return path;
  }
  // A link to a file that does not exist yet: the file would be created where the link leads.
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink) return realPath(resolve(dirname(path), readlinkSync(path)));
  const folder = dirname(path);
  return folder === path ? path : join(realPath(folder), basename(path));
}

/** How long a write waits for another process's transaction, ms. */
export const BUSY_TIMEOUT_MS = 5_000;

/** How failures of this file are understood. @param path of the database */
export const fileFailures = (path: string): Failures => ({
  isFull: isDiskFull,
  isLocked,
  isBroken: isDiskBroken,
  explain: (error) => explainFailure(error, path),
});

/** True when a write failed for lack of space, on the disk or in the user's quota. */
export function isDiskFull(error: unknown): boolean {
  // SQLite has a code of its own for a disk that is too full to enlarge its shared memory file.
  return ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT'].includes(codeOf(error));
}

/** True when another program's transaction has locked the database. */
export function isLocked(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

/** True when the disk can no longer be trusted: after such an error the connection writes nothing more. */
function isDiskBroken(error: unknown): error is Error {
  const code = codeOf(error);
  return /^SQLITE_(IOERR|CORRUPT)/.test(code) && !isDiskFull(error);
}

/**
 * Turns a failure of the disk or a lock into an AppError: `STORE_FULL`, `STORE_CORRUPT` (exit 5), `STORE_LOCKED`,
 * `STORE_IO_FAILED` (exit 1). Any other error is returned unchanged.
 * @param path of the database
 */
export function explainFailure(
  error: unknown,
  path: string,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !('code' in error)) return error;
  const code = codeOf(error);
  if (isDiskFull(error)) return diskFull(path, error);
  if (isLocked(error)) {
    return new AppError(
      'STORE_LOCKED',
      `Another program has kept the database ${path} locked for more than ${busyTimeoutMs / 1000} s.`,
      {
        hint: 'Close that program (callsheet itself never holds the lock for so long), then try again.',
        cause: error,
      },
    );
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return new AppError(
      'STORE_IO_FAILED',
      `The disk of the database ${path} failed: ${error.message} (${code}).`,
      {
        hint: `Check the disk of ${dirname(path)} (is it there, does it have room, may it be written?), then run again.`,
        cause: error,
      },
    );
  }
  if (code.startsWith('SQLITE_CORRUPT')) return corrupt(path, error.message, error);
  return error;
}

export function diskFull(path: string, cause?: unknown): AppError {
  return new AppError('STORE_FULL', `The disk is full: nothing more can be written to ${path}.`, {
    hint: `Make room on the disk of ${dirname(path)}, then run again.`,
    exitCode: EXIT.person,
    cause,
  });
}

export function corrupt(path: string, finding: string, cause?: unknown): AppError {
  return new AppError('STORE_CORRUPT', `The database ${path} is damaged: ${finding}.`, {
    hint: 'Check the disk, then put the last backup in its place with `callsheet restore FILE`; its .dials stays where it is.',
    exitCode: EXIT.person,
    cause,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
