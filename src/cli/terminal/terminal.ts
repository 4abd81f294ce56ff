import { createInterface } from 'node:readline/promises';
import { Writable, type Readable } from 'node:stream';
import { styleText } from 'node:util';

import { shownJson, shownLine, shownText } from '../../domain/safe-text.ts';
import type { Io } from '../io.ts';

/**
 * Whether messages may have colours: on a terminal that names its type, unless NO_COLOR is set or TERM is `dumb`.
 * FORCE_COLOR overrides all of that, as in Node itself (`0` and `false`: no colours).
 */
export function wantsColour({ env, stderrIsTty }: Pick<Io, 'env' | 'stderrIsTty'>): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '' || !stderrIsTty) return false;
  const { TERM: kind = '', COLORTERM: more = '', WT_SESSION: windows = '' } = env;
  return kind === 'dumb' ? false : kind !== '' || more !== '' || windows !== '';
}

type Style = Parameters<typeof styleText>[0];

/** Styles by the beginning of a message; only the part that matches is painted. */
const STYLES: readonly (readonly [RegExp, Style])[] = [
  [/^callsheet: [^]*/, 'red'],
  [/^Warning:/, 'yellow'],
  [/^LIVE(?= )/, 'bold'],
  [/^REHEARSAL(?= )/, 'dim'],
  [/^Every lead is final\./, 'green'],
];

/** Adds colours. Called after wrapping and escaping, so that colours change no width. */
function painted(text: string): string {
  for (const [pattern, style] of STYLES) {
    if (!pattern.test(text)) continue;
    return text.replace(pattern, (found) =>
      found.replaceAll(/[^\n]+/g, (line) => styleText(style, line, { validateStream: false })),
    );
  }
  return text;
}

/*
 * The only file that writes to stdout and stderr (a lint rule forbids it in all others): all text, whatever its origin,
 * goes through src/domain/safe-text.ts here.
 */

type Streams = Pick<Io, 'stdout' | 'stderr' | 'stdoutIsTty' | 'stderrIsTty' | 'colour'>;

/** Prints text for a person. Line breaks are kept, so the caller must remove them from foreign text first. */
export function put(io: Streams, to: 'out' | 'err', text: string): void {
  const stream = to === 'out' ? io.stdout : io.stderr;
  if (gone.has(stream)) return;
  const shown = shownText(text);
  stream.write(to === 'err' && io.colour === true ? painted(shown) : shown);
}

/** Prints JSON; characters that are not visible are escaped, which leaves the value the same. */
export function putJson(io: Streams, to: 'out' | 'err', json: string): void {
  put(io, to, `${shownJson(json)}\n`);
}

/** Where a file goes with `-o -`: unchanged into a pipe or a file; as safe text (`shownText`) on a terminal. */
export function dataStream(io: Streams): Writable {
  if (!io.stdoutIsTty) return io.stdout;
  const decoder = new TextDecoder();
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (gone.has(io.stdout)) done();
      else io.stdout.write(shownText(decoder.decode(chunk, { stream: true })), done);
    },
  });
}

/** Where log lines go, one JSON object a line: into the log file if there is one, else to stderr. */
export function logStream(io: Streams & Pick<Io, 'messages'>): { write(line: string): void } {
  return {
    write: (line) => {
      if (io.messages?.file !== undefined) {
        io.messages.keep(shownJson(line.trimEnd()));
        return;
      }
      if (!gone.has(io.stderr)) io.stderr.write(shownJson(line));
    },
  };
}

export type Bar = ReturnType<typeof createBar>;

/** A bar of `size` characters on stderr, drawn over itself, with a text behind it. */
export function createBar(io: Streams, size: number) {
  const write = (text: string) => gone.has(io.stderr) || io.stderr.write(text);
  return {
    /** @param done from 0 to 1 */
    draw: (done: number, text: string) => {
      const share = Math.min(Math.max(done, 0), 1);
      const full = Math.round(share * size);
      const bar = '='.repeat(full) + '-'.repeat(size - full);
      write(`\x1b[?25l\r\x1b[2K${bar} ${Math.floor(share * 100)}% ${shownLine(text)}`);
    },
    /** Removes the bar and shows the cursor again. */
    clear: () => {
      write('\x1b[?25h\r\x1b[2K');
    },
  };
}

/** The current width of the terminal, which may have changed since the start. */
export function widthNow({ stderr, columns }: Pick<Io, 'stderr' | 'columns'>): number {
  return (stderr as { columns?: number }).columns ?? columns;
}

/** Streams that are not written to any more: their terminal was closed, or their reader has ended. */
const gone = new WeakSet<object>();

/** Called when the terminal was closed: nothing more is written to it, while files and pipes still get their output. */
export function hangUp(io: Streams): void {
  if (io.stdoutIsTty) gone.add(io.stdout);
  if (io.stderrIsTty) gone.add(io.stderr);
}

/**
 * A reader that ends early (`| head`) or a closed terminal is not an error; any other failure to write data is.
 * Messages that cannot be written never decide the exit code: calls and results are worth more.
 */
export function watchForBrokenPipe(io: Streams): { error: Error | undefined } {
  const broken: { error: Error | undefined } = { error: undefined };
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isGone = error.code === 'EPIPE' || (io.stdoutIsTty && error.code === 'EIO');
    if (isGone) gone.add(io.stdout);
    else broken.error ??= error;
  });
  io.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || error.code === 'EIO') gone.add(io.stderr);
  });
  return broken;
}

/** Asks on stderr and reads a line from stdin, trimmed; undefined at the end of input or Ctrl-C. */
export async function ask(io: Io, question: string): Promise<string | undefined> {
  put(io, 'err', question);
  const prompt = createInterface({ input: io.stdin, terminal: false });
  const ended = new AbortController();
  const stop = io.underway === undefined ? [] : [io.underway.signal];
  prompt.once('close', () => ended.abort());
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
    const endOfInput = () => end(undefined);
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
