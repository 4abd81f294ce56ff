import { PassThrough } from 'node:stream';
import { constants } from 'node:zlib';
import { ZipFile } from 'yazl';
import type { Sink } from './format.ts';

/** The most bytes of an entry without the zip64 extension, which not every spreadsheet can read. */
export const LARGEST_ENTRY_BYTES = 0xffff_0000;

const OPTIONS = {
  // With a fixed time, an archive of the same rows has the same bytes whenever and wherever it is written.
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
  compressionLevel: constants.Z_BEST_SPEED,
};

/**
 * Writes a zip archive as a stream, one entry after the other, without seeking back: little of the archive is in
 * memory, and it can be written to the standard output.
 */
export function zipWriter(sink: Sink) {
  const zip = new ZipFile();
  const written = pump();
  // An error of the pump is thrown by the next `write` or by `end`; until then it must not count as unhandled.
  written.catch(() => undefined);
  let entry = new PassThrough();
  let size = 0;

  async function pump(): Promise<void> {
    for await (const chunk of zip.outputStream) await sink(chunk);
  }

  return {
    /** Bytes of the entry so far, before they are compressed. */
    get size() {
      return size;
    },
    begin: (name: string) => {
      entry = new PassThrough();
      size = 0;
      zip.addReadStream(entry, name, OPTIONS);
    },
    write: async (text: string) => {
      const bytes = Buffer.from(text);
      size += bytes.length;
      const taken = new Promise((resolve) => entry.write(bytes, resolve));
      await Promise.race([taken, written]);
    },
    /** Ends the entry. */
    finish: () => {
      entry.end();
    },
    /** Ends the archive. */
    end: async () => {
      zip.end();
      await written;
    },
  };
}
