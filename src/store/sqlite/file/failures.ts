import { dirname } from 'node:path';
import { AppError, EXIT } from '../../../runtime/errors.ts';

/** How long a write waits for another process's transaction, ms. */
export const BUSY_TIMEOUT_MS = 5_000;

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
export function isDiskBroken(error: unknown): error is Error {
  const code = codeOf(error);
  return /^SQLITE_(IOERR|CORRUPT)/.test(code) && !isDiskFull(error);
}

/**
 * Turns a failure of the disk or a lock into an AppError: `STORE_FULL`, `STORE_CORRUPT` (exit 5), `STORE_LOCKED`,
 * `STORE_IO_FAILED` (exit 1). Any other error is returned unchanged.
 *
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
