import { createInterface } from 'node:readline/promises';
import type { Io } from '../io.ts';
import { put } from './terminal.ts';

/** Asks on stderr and reads a line from stdin, trimmed; undefined at the end of input or Ctrl-C. */
export async function ask(io: Io, question: string): Promise<string | undefined> {
  put(io, 'err', question);
  const prompt = createInterface({ input: io.stdin, terminal: false });
  const ended = new AbortController();
  const stop = io.underway === undefined ? [] : [io.underway.signal];
  prompt.once('close', () => {
    ended.abort();
  });
  try {
    return (await prompt.question('', { signal: AbortSignal.any([ended.signal, ...stop]) })).trim();
  } catch {
    return undefined;
  } finally {
    prompt.close();
  }
}
