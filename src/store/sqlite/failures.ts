import { dirname } from 'node:path';
import { AppError, EXIT } from '../../runtime/errors.ts';

/** How long a write waits for another process's transaction, ms. */
export const BUSY_TIMEOUT_MS = 5_000;

/**
 * A failure of the disk or of the lock, for the person who can mend it: `STORE_FULL` (exit 5),
 * `STORE_LOCKED`, `STORE_IO_FAILED` (exit 1). Anything else comes back as it is.
 *
 * @param path of the database
 */
export function explainFailure(
  error: unknown,
  path: string,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  if (code === 'SQLITE_FULL') {
    return new AppError('STORE_FULL', `The disk is full: nothing more can be written to ${path}.`, {
      hint: `Make room on the disk of ${dirname(path)}, then run again.`,
      exitCode: EXIT.person,
      cause: error,
    });
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new AppError(
      'STORE_LOCKED',
      `The database ${path} is locked by another program for more than ${busyTimeoutMs / 1000} s.`,
      {
        hint: 'Close the program that holds it (another callsheet never does for long), then try again.',
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
  return error;
}
