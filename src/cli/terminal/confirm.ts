import { ask } from './ask.ts';
import type { Io } from '../io.ts';

/**
 * Asks on stderr for a typed `yes`, or for `word` where one is given. Anything else, the end of input or Ctrl-C is a no; off a terminal
 * nobody is asked and it is a no.
 */
export async function confirm(io: Io, question: string, word = 'yes'): Promise<boolean> {
  if (!io.stdinIsTty || !io.stderrIsTty) return false;
  return (await ask(io, `${question} `))?.toLowerCase() === word;
}
