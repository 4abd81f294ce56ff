import { AppError, EXIT } from '../runtime/errors.ts';
import type { World } from './world.ts';

interface Asked {
  question: string;
  /** The word that has to be typed; default `yes`. */
  word?: string;
  /** Why a confirmation is needed, for the error without a terminal, e.g. `Calls to real people need a yes`. */
  needed: string;
  /** What did not happen because of a no, e.g. `nobody was called`. */
  undone: string;
  /** The next step after a no; default: to type the word in full. */
  retry?: string;
  /** The next step without a terminal; default: to use a terminal, or --yes. */
  hint?: string;
  code?: string;
}

/** A person was asked, and did not type the word. */
export class Declined extends AppError {}

/**
 * Asks a question, and throws unless the word is typed.
 *
 * @throws Declined after a no, AppError where nobody can be asked: `NOT_CONFIRMED`, or `code` (exit 2)
 */
export async function requireConfirmed(asked: Asked, world: World): Promise<void> {
  const { question, word = 'yes', needed, undone, code = 'NOT_CONFIRMED' } = asked;
  if (await world.confirm(question, word)) return;
  const { retry = `run it again and type ${word}, in full` } = asked;
  const { hint = 'run it on a terminal, or give --yes' } = asked;
  const exitCode = EXIT.usage;
  if (world.attended)
    throw new Declined(code, `Not confirmed: ${undone}.`, { hint: retry, exitCode });
  const message = `${needed}, and there is no terminal to ask on; ${undone}.`;
  throw new AppError(code, message, { hint, exitCode });
}
