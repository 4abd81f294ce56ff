import { AppError } from '../../runtime/errors.ts';
import {
  decoderFor,
  hiddenEncoding,
  kindOfContent,
  kindOfText,
  type FileKind,
} from './file-kinds.ts';
import { listBytes } from './list-bytes.ts';
import { unreadable } from './row.ts';

const HEAD_BYTES = 65_536;

/**
 * The beginning of a list, the first 64 KB unpacked: its text (`head`) and its encoding, a name that `TextDecoder`
 * knows.
 * @param given the encoding that the operator names; default: UTF-16 where its byte order mark is there, else UTF-8
 */
export async function readHead(path: string, given?: string) {
  const bytes = await headBytes(path);
  refuse(path, kindOfContent(bytes));
  if (isUtf32(bytes)) refuse(path, { is: 'is UTF-32', next: 'save it as "CSV UTF-8"' });
  const encoding = given ?? encodingOf(bytes);
  const zeros =
    encoding === 'utf-8' ? bytes.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0) : 0;
  if (zeros > bytes.length / 10) {
    const next =
      'save it as "CSV UTF-8"; if it is UTF-16 without its mark, give --encoding utf-16le or utf-16be';
    throw unreadable(path, 'is full of zero bytes: it is not a text file', undefined, next);
  }
  const head = new TextDecoder(encoding).decode(bytes);
  refuse(path, kindOfText(head));
  if (encoding === 'utf-8') refuse(path, hiddenEncoding(head));
  return { head, encoding };
}

function refuse(path: string, kind: FileKind | undefined): void {
  if (kind !== undefined) throw unreadable(path, kind.is, undefined, kind.next);
}

function isUtf32([a, b, c, d]: Buffer): boolean {
  return (a === 0xff && b === 0xfe && c === 0 && d === 0) || (!a && !b && c === 0xfe && d === 0xff);
}

/** The bytes of a list are invalid in the encoding that was tried; `line` is the line of the first such byte. */
export class NotInEncoding extends AppError {
  readonly line: number;

  /** @param isEnd true where the file ends in the middle of a character */
  constructor(path: string, encoding: string, line: number, isEnd: boolean, cause: unknown) {
    const what = isEnd
      ? `ends in the middle of a character of ${encoding.toUpperCase()} (line ${line}): it was cut off`
      : `is not ${encoding.toUpperCase()} text (line ${line})`;
    const { message, hint = '', exitCode } = unreadable(path, what);
    super('LIST_UNREADABLE', message, { hint, exitCode, cause });
    this.line = line;
  }
}

/** What becomes of invalid bytes, and callbacks while a text is read. */
export interface TextListeners {
  /** True: bytes that are invalid in the encoding become U+FFFD. Default: they throw. */
  isDamaged?: boolean | undefined;
  /** Receives all bytes, unpacked and in order. */
  onBytes?: (bytes: Buffer) => void;
  /** Receives the line of the first zero byte of a chunk; zero bytes are removed from the text. */
  onZero?: ((line: number) => void) | undefined;
}

/**
 * The text of a list in chunks; memory does not grow with the file. Byte order marks are removed, also at the beginning
 * of a later line, where two files were joined.
 * @throws NotInEncoding where the bytes are not text in this encoding
 */
export async function* readText(
  path: string,
  encoding: string,
  { isDamaged, onBytes, onZero }: TextListeners,
): AsyncGenerator<string> {
  const decode = decoderFor(encoding, isDamaged !== true);
  let line = 1;
  let isLineBegun = false;
  /** A CR at the end of a chunk ends a line that is counted with the next chunk, which may begin with its LF. */
  let held = '';
  for await (const chunk of listBytes(path)) {
    onBytes?.(chunk);
    let text = decoded(chunk);
    const zero = text.indexOf('\0');
    if (zero !== -1) {
      onZero?.(line + countLines(held + text.slice(0, zero)));
      text = text.replaceAll('\0', '');
    }
    const hidden = text.includes('\x1b') ? hiddenEncoding(text) : undefined;
    if (encoding === 'utf-8') refuse(path, hidden);
    if (text !== '') {
      const counted = held + text;
      held = text.endsWith('\r') ? '\r' : '';
      line += countLines(counted) - held.length;
    }
    if (text.includes(MARK)) {
      const marks = isLineBegun ? /(?<=[\r\n])\ufeff/g : /(?<=^|[\r\n])\ufeff/g;
      text = text.replace(marks, '');
    }
    if (text !== '') isLineBegun = !/[\r\n]$/.test(text);
    yield text;
  }
  yield decoded(undefined);

  function decoded(chunk: Buffer | undefined): string {
    try {
      return decode(chunk);
    } catch (error) {
      const at = line + linesBeforeDamage(chunk, held);
      throw new NotInEncoding(path, encoding, at, chunk === undefined, error);
    }
  }
}

/**
 * True when a list is UTF-8 except for a few bytes, and not in another encoding. In another encoding, invalid bytes
 * outnumber the characters that are UTF-8 by chance. Longer characters count more, as chance makes fewer of them.
 */
export async function isNearlyUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder();
  let [valid, invalid] = [0, 0];
  const count = (text: string) => {
    for (const [sign] of text.matchAll(/[^\0-\x7f]/gu)) {
      if (sign === '\ufffd') invalid += 1;
      else valid += (Buffer.byteLength(sign) - 1) ** 2;
    }
  };
  for await (const chunk of listBytes(path)) {
    count(decoder.decode(chunk, { stream: true }));
    // In the file, U+FFFD is a character as others are.
    const written = chunk.toString('latin1').split('\xef\xbf\xbd').length - 1;
    invalid -= written;
    valid += written * 4;
  }
  count(decoder.decode());
  return valid > 0 && invalid <= valid;
}

const MARK = '\ufeff';

/** How many lines end in `text`; CRLF, LF and CR may be mixed. */
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
    // `listBytes` overwrites a chunk when it reads the next one.
    pieces.push(Buffer.from(piece));
    size += piece.length;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, HEAD_BYTES);
}

function encodingOf([a, b]: Buffer): string {
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return 'utf-8';
}

/**
 * How many lines of the chunk end before its first invalid byte. The first bytes of the chunk may complete a character
 * of the previous one, so they are skipped.
 */
function linesBeforeDamage(chunk: Buffer | undefined, held: string): number {
  if (chunk === undefined) return countLines(held);
  const start = chunk.findIndex((byte) => (byte & 0xc0) !== 0x80);
  const text = new TextDecoder().decode(chunk.subarray(Math.max(start, 0)));
  return countLines(held + text.slice(0, Math.max(text.indexOf('\ufffd'), 0)));
}
