import { PassThrough } from 'node:stream';
import { constants } from 'node:zlib';
import { ZipFile } from 'yazl';
import type { Sink } from './format.ts';

/** A zip archive in the making: entries one after the other, each written as it comes. */
export interface ZipWriter {
  begin(name: string): void;
  write(text: string): Promise<void>;
  /** Ends the entry. */
  finish(): void;
  /** Ends the archive. */
  end(): Promise<void>;
  /** Bytes of the entry so far, before they are compressed. */
  readonly size: number;
}

/** Without the zip64 extension, which not every spreadsheet reads. */
export const LARGEST_ENTRY_BYTES = 0xffff_0000;

const OPTIONS = {
  // An archive of the same rows is the same file whenever and wherever it is written.
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
  compressionLevel: constants.Z_BEST_SPEED,
};

/** Writes a zip archive without going back: little of it is in memory, and it may go to the standard output. */
export function zipWriter(sink: Sink): ZipWriter {
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
    get size() {
      return size;
    },
    begin: (name) => {
      entry = new PassThrough();
      size = 0;
      zip.addReadStream(entry, name, OPTIONS);
    },
    write: async (text) => {
      const bytes = Buffer.from(text);
      size += bytes.length;
      const taken = new Promise((resolve) => entry.write(bytes, resolve));
      await Promise.race([taken, written]);
    },
    finish: () => {
      entry.end();
    },
    end: async () => {
      zip.end();
      await written;
    },
  };
}
