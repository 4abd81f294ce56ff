import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError, EXIT, messageOf } from '../runtime/errors.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

const HEAD_BYTES = 65_536;

/** The first 64 KB of a list as text, and how it is encoded. @throws AppError `LIST_NOT_FOUND`, `LIST_UNREADABLE` */
export async function readHead(path: string): Promise<{ head: string; encoding: Encoding }> {
  const bytes = await headBytes(path);
  const encoding = encodingOf(bytes);
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03) {
    throw unreadable(path, 'is a workbook or an archive, not a text file');
  }
  if (encoding === 'utf-8' && bytes.includes(0)) {
    throw unreadable(path, 'has zero bytes: it is not a text file, or UTF-16 without its mark');
  }
  return { head: new TextDecoder(encoding).decode(bytes), encoding };
}

/**
 * The text of a list, piece by piece; memory does not grow with the file.
 *
 * @param onBytes is shown every byte, in order
 * @throws AppError `LIST_UNREADABLE` where the bytes are not text in this encoding
 */
export async function* readText(
  path: string,
  encoding: Encoding,
  onBytes: (bytes: Buffer) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let line = 1;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    onBytes(chunk);
    const text = decode(chunk);
    line += countLines(text);
    yield text;
  }
  yield decode(undefined);

  function decode(chunk: Buffer | undefined): string {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      const at = line + linesBeforeDamage(chunk);
      throw unreadable(path, `is not ${encoding.toUpperCase()} text (line ${at})`, error);
    }
  }
}

/** How many lines end in `text`: CRLF, LF or CR, mixed as they come. */
export function countLines(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

/** The one error for a list that is there and cannot be read as rows. */
export function unreadable(path: string, what: string, cause?: unknown): AppError {
  return new AppError('LIST_UNREADABLE', `${path} ${what}; allowed is CSV text in UTF-8.`, {
    hint: 'mend the file, or export it again as "CSV UTF-8"',
    exitCode: EXIT.usage,
    cause,
  });
}

async function headBytes(path: string): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    if (!(await handle.stat()).isFile()) throw unreadable(path, 'is not a regular file');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw unreadable(path, `cannot be read (${messageOf(error)})`, error);
    }
    throw new AppError('LIST_NOT_FOUND', `${path} does not exist (looked at ${resolve(path)}).`, {
      hint: 'check the path; a relative one starts in the current folder',
      exitCode: EXIT.usage,
      cause: error,
    });
  } finally {
    await handle?.close();
  }
}

function encodingOf(bytes: Buffer): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Counts in the damaged piece alone; its first bytes may belong to a character of the piece before. */
function linesBeforeDamage(chunk: Buffer | undefined): number {
  if (chunk === undefined) return 0;
  const start = chunk.findIndex((byte) => (byte & 0xc0) !== 0x80);
  const text = new TextDecoder().decode(chunk.subarray(Math.max(start, 0)));
  return countLines(text.slice(0, Math.max(text.indexOf('\ufffd'), 0)));
}
