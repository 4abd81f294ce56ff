import type { Readable } from 'node:stream';
import type { Io } from '../io.ts';
import { put } from './terminal.ts';

type Keys = Readable & { setRawMode?: (raw: boolean) => unknown };

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const BACKSPACE = ['\b', '\u007f'];

/** Asks on stderr for what nobody else shall see on the screen; undefined at the end of input or Ctrl-C. */
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
