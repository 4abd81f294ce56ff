import { Writable } from 'node:stream';
import { SingleBar, type Options as BarOptions } from 'cli-progress';
import { shownJson, shownText } from '../../domain/safe-text.ts';
import { painted } from './colour.ts';
import type { Io } from '../io.ts';

/*
 * The only file that writes to stdout and stderr (the lint holds the others): all text goes through
 * src/domain/safe-text.ts here, whoever wrote it.
 */

type Streams = Pick<Io, 'stdout' | 'stderr' | 'stdoutIsTty' | 'stderrIsTty' | 'colour'>;

/** Text for a person, in lines of ours: whoever puts foreign text into it makes one line of it first. */
export function put(io: Streams, to: 'out' | 'err', text: string): void {
  const stream = to === 'out' ? io.stdout : io.stderr;
  if (gone.has(stream)) return;
  const shown = shownText(text);
  stream.write(to === 'err' && io.colour === true ? painted(shown) : shown);
}

/** JSON that is already text; the value stays the same. */
export function putJson(io: Streams, to: 'out' | 'err', json: string): void {
  put(io, to, `${shownJson(json)}\n`);
}

/** Where a file goes with `-o -`: byte for byte into a pipe or a file, as text that is fit to be seen on a terminal. */
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

/** Where log lines go, JSON, one a line: into the log file where there is one. */
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

/** A bar on stderr; `format` is text of ours. */
export function createBar(io: Streams, options: Omit<BarOptions, 'stream'>): SingleBar {
  const { stderr } = io;
  const stream = Object.create(stderr, {
    write: {
      value: (...given: Parameters<typeof stderr.write>) =>
        gone.has(stderr) || stderr.write(...given),
    },
  }) as typeof stderr;
  return new SingleBar({ hideCursor: true, gracefulExit: false, ...options, stream });
}

/** The width of the terminal, which may have been made narrower meanwhile. */
export function widthNow({ stderr, columns }: Pick<Io, 'stderr' | 'columns'>): number {
  return (stderr as { columns?: number }).columns ?? columns;
}

/** Nobody reads these any more: their terminal was closed, or their reader left. */
const gone = new WeakSet<object>();

/** The terminal was closed: nothing more is written to it. What goes to a file or a pipe still goes there. */
export function hangUp(io: Streams): void {
  if (io.stdoutIsTty) gone.add(io.stdout);
  if (io.stderrIsTty) gone.add(io.stderr);
}

/**
 * A reader that has seen enough (`| head`) is no error, nor is a terminal that was closed; whatever else stops our data
 * is. Messages that cannot be written never decide how a command ends: calls and results are worth more.
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
