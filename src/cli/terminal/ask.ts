import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
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

/**
 * Asks on stderr for a typed `yes`, or for `word` if that is given. Any other answer, the end of input or Ctrl-C is a
 * no. Off a terminal the question is not asked, and the answer is no.
 */
export async function confirm(io: Io, question: string, word = 'yes'): Promise<boolean> {
  if (!io.stdinIsTty || !io.stderrIsTty) return false;
  return (await ask(io, `${question} `))?.toLowerCase() === word;
}

type Keys = Readable & { setRawMode?: (raw: boolean) => unknown };

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const BACKSPACE = ['\b', '\u007f'];

/** Asks on stderr for a secret, which the screen does not show; undefined at the end of input or Ctrl-C. */
export async function askHidden(io: Io, question: string): Promise<string | undefined> {
  put(io, 'err', question);
  const keys: Keys = io.stdin;
  keys.setRawMode?.(true);
  try {
    return (await readLine(keys))?.trim();
  } finally {
    keys.setRawMode?.(false);
    keys.pause();
    put(io, 'err', '\n');
  }
}

function readLine(keys: Keys): Promise<string | undefined> {
  return new Promise((resolve) => {
    let typed = '';
    const end = (answer: string | undefined) => {
      keys.off('data', read);
      keys.off('end', endOfInput);
      resolve(answer);
    };
    const endOfInput = () => {
      end(undefined);
    };
    const read = (chunk: Buffer | string) => {
      for (const key of chunk.toString()) {
        if (key === '\r' || key === '\n') {
          end(typed);
          return;
        }
        if (key === CTRL_C || key === CTRL_D) {
          end(undefined);
          return;
        }
        typed = BACKSPACE.includes(key) ? typed.slice(0, -1) : typed + key;
      }
    };
    keys.on('data', read);
    keys.once('end', endOfInput);
    keys.resume();
  });
}
