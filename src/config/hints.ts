import { type AppError, usageError } from '../runtime/errors.ts';

/** The hint for a value that is not allowed; the command line adds the command's name to it. */
export const MEND_VALUE = 'correct the value; `callsheet --help` says what is allowed';

/** The hint for a campaign file with a mistake; the command line adds the command's name to it. */
export const MEND_FILE = 'mend the file; `callsheet --help` says what is allowed';

/** The error `FLAG_INVALID` (exit 2) for a flag, or for the same value given through another interface. */
export function invalidFlag(message: string): AppError {
  return usageError('FLAG_INVALID', message, MEND_VALUE);
}

/** The example file that shows every key, relative to the folder that holds `campaigns/`; the file need not exist. */
export const EXAMPLE_FILE = 'campaigns/example.yaml';
