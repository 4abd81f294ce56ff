import { AppError, EXIT } from '../runtime/errors.ts';

/** The one error for a list that is there and cannot be read as rows. */
export function unreadable(path: string, what: string, cause?: unknown): AppError {
  return new AppError(
    'LIST_UNREADABLE',
    `${path} ${what}; allowed is CSV text, also as .gz or .zip, or a workbook (.xlsx).`,
    {
      hint: 'mend the file, or export it again as "CSV UTF-8"',
      exitCode: EXIT.usage,
      cause,
    },
  );
}
