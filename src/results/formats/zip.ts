import { PassThrough } from 'node:stream';
import { constants } from 'node:zlib';
import { ZipFile } from 'yazl';
import type { Sink } from './format.ts';

/** Without the zip64 extension, which not every spreadsheet reads. */
export const LARGEST_ENTRY_BYTES = 0xffff_0000;

const OPTIONS = {
  // An archive of the same rows is the same file whenever and wherever it is written.
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
  compressionLevel: constants.Z_BEST_SPEED,
};

/**
 * Writes a zip archive, one entry after the other, without going back: little of it is in memory, and it may go to the
 * standard output.
 */
export function zipWriter(sink: Sink) {
  const zip = new ZipFile();
  const written = pump();
  // Told by the next write, or at the end.
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
