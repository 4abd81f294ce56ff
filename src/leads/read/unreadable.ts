import { AppError, usageError } from '../../runtime/errors.ts';

/**
 * The error for a file that exists and cannot be read as a list.
 *
 * @param next what to do, where a more specific advice than the default is known
 */
export function unreadable(
  path: string,
  what: string,
  cause?: unknown,
  next = 'mend the file, or export it again as "CSV UTF-8"',
): AppError {
  return usageError(
    'LIST_UNREADABLE',
    `${path} ${what}; a list is CSV text, also as .gz or .zip, or a workbook (.xlsx).`,
    next,
    cause,
  );
}

/** The error for a list whose second reading gave other bytes than the first. */
export function listChanged(path: string): AppError {
  return new AppError(
    'LIST_CHANGED',
    `${path} was changed while it was read; none of its leads is called.`,
    {
      hint: 'run the same command again when nothing writes to the file',
    },
  );
}
