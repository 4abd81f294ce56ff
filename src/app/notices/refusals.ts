import { AppError, EXIT } from '../../runtime/errors.ts';

/** Errors of wrong usage (exit 2) that are no mistake in a command, but come with time. */
const COME_WITH_TIME = ['SUPPRESSION_TOO_OLD', 'SERVICE_KEY_MISSING', 'LIST_UNFINISHED'];

/** Whether an error that ends a run will end the next one, too, until a person has done something. */
export function needsPerson(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false;
  const { code, exitCode } = error;
  return exitCode === EXIT.key || exitCode === EXIT.person || COME_WITH_TIME.includes(code);
}

/** Message and next step as one line. */
export function refusalText({ lines, hint }: AppError): string {
  return `${lines.join(' ')}${hint === undefined ? '' : ` Next: ${hint}`}`;
}
