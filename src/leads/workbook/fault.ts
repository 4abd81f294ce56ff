import { AppError, usageError } from '../../runtime/errors.ts';

const SAVE_AGAIN = 'open it in a spreadsheet program and save it again, as .xlsx or as "CSV UTF-8"';

/** A fault of a workbook, thrown where the path is not known: the message is a predicate, e.g. `has no sheet`. */
export class WorkbookFault extends Error {
  readonly hint: string;

  /** @param hint what to do about the fault, where saving the workbook again does not help */
  constructor(what: string, hint = SAVE_AGAIN, cause?: unknown) {
    super(what, { cause });
    this.hint = hint;
  }
}

/** @param what a sentence that says where the workbook is damaged */
export function broken(what: string, cause?: unknown): WorkbookFault {
  return new WorkbookFault(`is a broken workbook: ${what}`, undefined, cause);
}

/** Turns anything thrown while a workbook was read into an error for the operator. */
export function workbookError(path: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const isTold = error instanceof WorkbookFault;
  const fault = isTold ? error : new WorkbookFault('is a workbook that cannot be read');
  return usageError('LIST_UNREADABLE', `${path} ${fault.message}.`, fault.hint, error);
}
