import { Writable } from 'node:stream';
import { SingleBar, type Options as BarOptions } from 'cli-progress';
import { shownJson, shownText } from '../domain/shown.ts';
import { painted } from './colour.ts';
import type { Io } from './io.ts';

/*
 * The only file that writes to stdout and stderr (the lint holds the others): all text goes through
 * src/domain/shown.ts here, whoever wrote it.
 */

type Streams = Pick<Io, 'stdout' | 'stderr' | 'stdoutIsTty' | 'colour'>;

/** Text for a person, in lines of ours: whoever puts foreign text into it makes one line of it first. */
export function put(io: Streams, to: 'out' | 'err', text: string): void {
  const shown = shownText(text);
  if (to === 'out') io.stdout.write(shown);
  else io.stderr.write(io.colour === true ? painted(shown) : shown);
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
      io.stdout.write(shownText(decoder.decode(chunk, { stream: true })), done);
    },
  });
}

/** Where log lines go: JSON, one a line. */
export function logStream(io: Streams): { write(line: string): void } {
  return {
    write: (line) => {
      io.stderr.write(shownJson(line));
    },
  };
}

/** A bar on stderr; `format` is text of ours. */
export function createBar(io: Streams, options: Omit<BarOptions, 'stream'>): SingleBar {
  return new SingleBar({ hideCursor: true, gracefulExit: false, ...options, stream: io.stderr });
}

/** A reader that has seen enough (`| head`) is no error; whatever else stops our output is. */
export function watchForBrokenPipe(io: Streams): { error: Error | undefined } {
  const broken: { error: Error | undefined } = { error: undefined };
  for (const stream of [io.stdout, io.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') broken.error ??= error;
    });
  }
  return broken;
}
