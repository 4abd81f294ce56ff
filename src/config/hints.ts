import { type AppError, usageError } from '../runtime/errors.ts';

/** The hint for a value that is not allowed; the command line adds the command's name to it. */
export const MEND_VALUE = 'correct the value; `callsheet --help` says what is allowed';

/** The same for a campaign file. */
export const MEND_FILE = 'mend the file; `callsheet --help` says what is allowed';

/** A flag, or what another face calls so, whose value is not allowed: `FLAG_INVALID` (exit 2). */
export function invalidFlag(message: string): AppError {
  return usageError('FLAG_INVALID', message, MEND_VALUE);
}

/** The example that shows every key, where it exists; from the folder that holds `campaigns/`. */
export const EXAMPLE_FILE = 'campaigns/example.yaml';
