import { AppError } from '../runtime/errors.ts';
import { decoderFor } from './decoder.ts';
import { listBytes } from './list-bytes.ts';
import { unreadable } from './unreadable.ts';

/** A name that `TextDecoder` knows, e.g. `utf-8`, `utf-16le`, `windows-1252`, `shift_jis`. */
export type Encoding = string;

const HEAD_BYTES = 65_536;

/** The beginning of a list. */
export interface Head {
  /** The first 64 KB as text, unpacked. */
  head: string;
  encoding: Encoding;
}

/**
 * @param given the encoding that the operator names; default: told by the mark at the beginning or by the
 *   zero bytes of UTF-16, else UTF-8
 * @throws AppError `LIST_NOT_FOUND`, `LIST_UNREADABLE`
 */
export async function readHead(path: string, given?: Encoding): Promise<Head> {
  const bytes = await headBytes(path);
  const encoding = given ?? encodingOf(bytes);
  const zeros =
    encoding === 'utf-8' ? bytes.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0) : 0;
  if (zeros > bytes.length / 10) {
    throw unreadable(path, 'is full of zero bytes: it is not a text file');
  }
  return { head: new TextDecoder(encoding).decode(bytes), encoding };
}

/** A list whose bytes are not text in the encoding that was tried; `line` says where. */
export class NotInEncoding extends AppError {
  readonly line: number;

  constructor(path: string, encoding: Encoding, line: number, cause: unknown) {
    const {
      message,
      hint = '',
      exitCode,
    } = unreadable(path, `is not ${encoding.toUpperCase()} text (line ${line})`);
    super('LIST_UNREADABLE', message, { hint, exitCode, cause });
    this.line = line;
  }
}

/**
 * The text of a list, piece by piece; memory does not grow with the file.
 *
 * @param onBytes is shown every byte, unpacked and in order
 * @param onZero is told the line of the first zero byte of each piece; they are taken out of the text
 * @throws NotInEncoding where the bytes are not text in this encoding
 */
export async function* readText(
  path: string,
  encoding: Encoding,
  onBytes: (bytes: Buffer) => void,
  onZero: (line: number) => void = () => undefined,
): AsyncGenerator<string> {
  const decode = decoderFor(encoding);
  let line = 1;
  for await (const chunk of listBytes(path)) {
    onBytes(chunk);
    const text = decoded(chunk);
    const zero = text.indexOf('\0');
    if (zero !== -1) onZero(line + countLines(text.slice(0, zero)));
    line += countLines(text);
    yield zero === -1 ? text : text.replaceAll('\0', '');
  }
  yield decoded(undefined);

  function decoded(chunk: Buffer | undefined): string {
    try {
      return decode(chunk);
    } catch (error) {
      throw new NotInEncoding(path, encoding, line + linesBeforeDamage(chunk), error);
    }
  }
}

/** How many lines end in `text`: CRLF, LF or CR, mixed as they come. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1)) {
    if (text[at + 1] !== '\n') count += 1;
  }
  return count;
}

async function headBytes(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of listBytes(path)) {
    // The next piece takes its place.
    pieces.push(Buffer.from(piece));
    size += piece.length;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, HEAD_BYTES);
}

function encodingOf(bytes: Buffer): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  // Without its mark UTF-16 shows by its zeros: every second byte of Latin letters and digits.
  let even = 0;
  let odd = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const many = bytes.length / 5;
  if (odd > many && even < many / 10) return 'utf-16le';
  if (even > many && odd < many / 10) return 'utf-16be';
  return 'utf-8';
}

/** Counts in the damaged piece alone; its first bytes may belong to a character of the piece before. */
function linesBeforeDamage(chunk: Buffer | undefined): number {
  if (chunk === undefined) return 0;
  const start = chunk.findIndex((byte) => (byte & 0xc0) !== 0x80);
  const text = new TextDecoder().decode(chunk.subarray(Math.max(start, 0)));
  return countLines(text.slice(0, Math.max(text.indexOf('\ufffd'), 0)));
}
