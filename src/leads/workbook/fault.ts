import { AppError, usageError } from '../../runtime/errors.ts';

/** What is wrong with a workbook, where its path is not known: a predicate, e.g. `has no sheet`. */
export class WorkbookFault extends Error {
  /** What to do about it, where saving it again does not help. */
  readonly hint: string | undefined;

  constructor(what: string, options: { hint?: string; cause?: unknown } = {}) {
    super(what, { cause: options.cause });
    this.hint = options.hint;
  }
}

const SAVE_AGAIN = 'open it in a spreadsheet program and save it again, as .xlsx or as "CSV UTF-8"';

/** Whatever was thrown while the workbook was read, as the one sentence for it. */
export function workbookError(path: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const isTold = error instanceof WorkbookFault;
  const what = isTold ? error.message : 'is a workbook that cannot be read';
  return usageError(
    'LIST_UNREADABLE',
    `${path} ${what}.`,
    (isTold ? error.hint : undefined) ?? SAVE_AGAIN,
    error,
  );
}
