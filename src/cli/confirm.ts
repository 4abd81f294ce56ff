import { createInterface } from 'node:readline/promises';
import type { Io } from './io.ts';

/**
 * Asks on stderr for a typed `yes`, or for `word` where one is given. Anything else, the end of input or Ctrl-C is a no; off a terminal
 * nobody is asked and it is a no.
 */
export async function confirm(io: Io, question: string, word = 'yes'): Promise<boolean> {
  if (!io.stdinIsTty || !io.stderrIsTty) return false;
  const prompt = createInterface({ input: io.stdin, output: io.stderr, terminal: false });
  const ended = new AbortController();
  prompt.once('close', () => {
    ended.abort();
  });
  try {
    const answer = await prompt.question(`${question} `, { signal: ended.signal });
    return answer.trim().toLowerCase() === word;
  } catch {
    return false;
  } finally {
    prompt.close();
  }
}
