import { crc32, createDeflateRaw, constants } from 'node:zlib';
import type { Sink } from './format.ts';

/** A zip archive in the making: entries one after the other, each written as it comes. */
export interface ZipWriter {
  begin(name: string): void;
  write(text: string): Promise<void>;
  /** Ends the entry. */
  finish(): Promise<void>;
  /** Ends the archive. */
  end(): Promise<void>;
  /** Bytes of the entry so far, before they are compressed. */
  readonly size: number;
}

/** Without the zip64 extension, which not every spreadsheet reads. */
export const LARGEST_ENTRY_BYTES = 0xffff_0000;

/** Bits 3 and 11: sizes after the data, as they are not known before; names in UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
/** 1980-01-01: an archive of the same rows is the same file whenever it is written. */
const DATE = 0x0021;

/**
 * Writes a zip archive (PKWARE APPNOTE 6.3) without going back, so that no more than one chunk is in memory
 * and it may go to the standard output.
 */
export function zipWriter(sink: Sink): ZipWriter {
  const directory: Buffer[] = [];
  let offset = 0;
  let entry: Entry | undefined;

  async function put(bytes: Uint8Array): Promise<void> {
    offset += bytes.length;
    await sink(bytes);
  }

  function current(): Entry {
    if (entry === undefined) throw new Error('no entry was begun');
    return entry;
  }

  return {
    get size() {
      return entry?.size ?? 0;
    },
    begin: (name) => {
      entry = { ...deflater(), name: Buffer.from(name), at: offset, crc: 0, size: 0, packed: 0 };
    },
    write: async (text) => {
      const open = current();
      const bytes = Buffer.from(text);
      if (open.size === 0) await put(localHeader(open.name));
      open.crc = crc32(bytes, open.crc);
      open.size += bytes.length;
      for (const chunk of await open.deflate(bytes)) {
        open.packed += chunk.length;
        await put(chunk);
      }
    },
    finish: async () => {
      const open = current();
      for (const chunk of await open.flush()) {
        open.packed += chunk.length;
        await put(chunk);
      }
      await put(numbers([4, 0x08074b50], [4, open.crc], [4, open.packed], [4, open.size]));
      directory.push(centralHeader(open));
      entry = undefined;
    },
    end: async () => {
      const at = offset;
      for (const header of directory) await put(header);
      const { length } = directory;
      await put(
        numbers(
          [4, 0x06054b50],
          [4, 0],
          [2, length],
          [2, length],
          [4, offset - at],
          [4, at],
          [2, 0],
        ),
      );
    },
  };
}

interface Entry extends Deflater {
  name: Buffer;
  at: number;
  crc: number;
  size: number;
  packed: number;
}

interface Deflater {
  deflate(bytes: Uint8Array): Promise<Buffer[]>;
  flush(): Promise<Buffer[]>;
}

/** Gives what is compressed so far after each chunk: nothing gathers in the stream. */
function deflater(): Deflater {
  const stream = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  let ready: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => ready.push(chunk));
  const take = () => {
    const chunks = ready;
    ready = [];
    return chunks;
  };
  return {
    deflate: (bytes) =>
      new Promise((resolve, reject) => {
        stream.write(bytes, (error) => {
          if (error == null) resolve(take());
          else reject(error);
        });
      }),
    flush: () =>
      new Promise((resolve, reject) => {
        stream.once('error', reject);
        stream.once('end', () => {
          resolve(take());
        });
        stream.end();
      }),
  };
}

function localHeader(name: Buffer): Buffer {
  const sizes: [number, number][] = [
    [4, 0],
    [4, 0],
    [4, 0],
  ];
  return Buffer.concat([
    numbers([4, 0x04034b50], [2, 20], ...methodAndTime(), ...sizes, [2, name.length], [2, 0]),
    name,
  ]);
}

function centralHeader({ name, at, crc, size, packed }: Entry): Buffer {
  const attributes: [number, number][] = [
    [2, 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
  ];
  return Buffer.concat([
    numbers(
      [4, 0x02014b50],
      [2, 20],
      [2, 20],
      ...methodAndTime(),
      [4, crc],
      [4, packed],
      [4, size],
      [2, name.length],
      ...attributes,
      [4, at],
    ),
    name,
  ]);
}

function methodAndTime(): [number, number][] {
  return [
    [2, FLAGS],
    [2, DEFLATED],
    [2, 0],
    [2, DATE],
  ];
}

/** Numbers of so many bytes each, little-endian. */
function numbers(...fields: readonly (readonly [bytes: number, value: number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}
