import { AppError, usageError } from '../../runtime/errors.ts';

const SAVE_AGAIN = 'open it in a spreadsheet program and save it again, as .xlsx or as "CSV UTF-8"';

/** What is wrong with a workbook, where its path is not known: a predicate, e.g. `has no sheet`. */
export class WorkbookFault extends Error {
  readonly hint: string;

  /** @param hint what to do about it, where saving it again does not help */
  constructor(what: string, hint = SAVE_AGAIN, cause?: unknown) {
    super(what, { cause });
    this.hint = hint;
  }
}

/** @param what the sentence that says where it is damaged */
export function broken(what: string, cause?: unknown): WorkbookFault {
  return new WorkbookFault(`is a broken workbook: ${what}`, undefined, cause);
}

/** Whatever was thrown while the workbook was read, as the one sentence for it. */
export function workbookError(path: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const isTold = error instanceof WorkbookFault;
  const fault = isTold ? error : new WorkbookFault('is a workbook that cannot be read');
  return usageError('LIST_UNREADABLE', `${path} ${fault.message}.`, fault.hint, error);
}
