import { posix } from 'node:path';
import { crc32 } from 'node:zlib';
import { SaxesParser } from 'saxes';
import type { Entry } from 'yauzl';

import { AppError, messageOf, usageError } from '../../runtime/errors.ts';
import { decoded } from '../../text/wording.ts';
import { decoderFor, type Decode } from '../read/file-kinds.ts';
import { openZip, type OpenZip } from '../read/list-bytes.ts';

export type Parts = Awaited<ReturnType<typeof openParts>>;

export interface Part {
  /** The full name, with folders: `xl/workbook.xml`. */
  name: string;
  /** The unpacked bytes, piece by piece. @throws WorkbookFault where they are damaged, or more than `most` */
  read: (most: number) => AsyncGenerator<Buffer, void, undefined>;
}

/** The most bytes of a sheet, or of the shared texts: more than a million rows of 30 columns need. */
export const MOST_SHEET_BYTES = 4 * 2 ** 30;

/** The most bytes of any other part. */
export const MOST_OTHER_BYTES = 30_000_000;

/** The highest compression ratio of a part: above it the part is a zip bomb. Small parts may have a higher ratio. */
const MOST_RATIO = 200;
const SMALL_BYTES = 20_000_000;

/** The parts of a workbook, which is a zip archive. @throws WorkbookFault */
export async function openParts(path: string) {
  const zip = await openZip(path, {
    // With decoding, yauzl refuses names that point outside the archive. Nothing is written to disk here, so such names
    // do no harm.
    decodeStrings: false,
    // Some programs store wrong sizes; `bytesOf` checks the checksum, which finds damage more reliably.
    validateEntrySizes: false,
  }).catch((error: unknown) => {
    throw faultOf(error);
  });
  const entries = new Map(zip.entries.map((entry) => [nameOf(entry), entry]));
  return {
    /** The part of this name, in upper or lower case; undefined: there is no such part. */
    find: (name: string): Part | undefined => {
      const entry = entries.get(name.toLowerCase());
      return entry && { name, read: (most) => bytesOf(zip, name, entry, most) };
    },
    close: zip.close,
  };
}

function faultOf(error: unknown): WorkbookFault {
  if (!(error instanceof Error && 'code' in error)) return damaged('its archive', error);
  return new WorkbookFault(`cannot be read (${messageOf(error)})`, undefined, error);
}

/** Resolves `target`, such as `../media/a.xml` or `/xl/a.xml`, relative to the folder of the part `from`. */
export function resolvePart(from: string, target: string): string {
  const path = decoded(target).replaceAll('\\', '/');
  return posix.resolve('/', posix.dirname(from), path).slice(1);
}

/** Some programs write `\`, or a leading slash; the case of names does not matter (ECMA-376 part 2, 6.2.2.3). */
function nameOf({ fileName }: Entry): string {
  // `fileName` is a buffer here, although its type says string, as `decodeStrings` is off.
  return Buffer.from(fileName).toString().replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

async function* bytesOf(
  zip: OpenZip,
  name: string,
  entry: Entry,
  most: number,
): AsyncGenerator<Buffer, void, undefined> {
  if (entry.isEncrypted()) throw new WorkbookFault('needs a password', 'save it without one');
  const stream = await zip.open(entry).catch((error: unknown) => {
    throw damaged(name, error);
  });
  let unpacked = 0;
  let sum = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      unpacked += piece.length;
      if (unpacked > most) throw tooLarge(name, `${most} bytes`);
      if (unpacked > SMALL_BYTES && unpacked > entry.compressedSize * MOST_RATIO) {
        throw tooLarge(name, `${MOST_RATIO} times its packed size`);
      }
      sum = crc32(piece, sum);
      yield piece;
    }
  } catch (error) {
    throw error instanceof WorkbookFault ? error : damaged(name, error);
  } finally {
    stream.destroy();
  }
  if (sum !== entry.crc32) throw damaged(name, undefined);
}

function tooLarge(name: string, limit: string): WorkbookFault {
  const what = `is too large: ${name} unpacks to more than ${limit}`;
  return new WorkbookFault(what, 'save the sheet as "CSV UTF-8"');
}

function damaged(name: string, cause: unknown): WorkbookFault {
  return broken(`${name} cannot be unpacked`, cause);
}

/** The attributes of an element, by their names with any prefix. */
export type Attributes = Readonly<Record<string, string>>;

/**
 * Receives the content of a part, in document order. Names come without prefix: workbooks use any prefix for the two
 * namespaces of the format (transitional and strict), and name and `parent` together identify an element.
 */
export interface XmlHandler {
  open: (name: string, parent: string, attributes: Attributes) => void;
  /** The text may come in several pieces. */
  text?: (text: string, parent: string) => void;
  close?: (name: string, parent: string) => void;
  /** True once the rest of the part is not needed; the rest is still unpacked, to detect damage. */
  isDone?: boolean;
}

/** Deepest nesting of elements; workbooks need about ten. */
const DEEPEST = 100;

/** The most characters of one text, one tag or one row; a spreadsheet cell has at most 32,767. */
export const LONGEST = 1_000_000;

/**
 * Parses a part of a workbook as a stream, and holds at most one of its texts in memory.
 * @param name the part's name, for messages
 * @param take called after each piece; returns what the handler has made of the piece
 * @throws WorkbookFault where the XML is not well-formed, declares a document type (which may define entities and is
 *   not allowed in workbooks), nests deeper than 100 elements or has a text of more than `LONGEST` characters
 */
export async function* readXml<T>(
  name: string,
  pieces: AsyncIterable<Buffer>,
  handler: XmlHandler,
  take: () => T,
): AsyncGenerator<T> {
  const { parser, sinceElement } = parserFor(name, handler);
  let decode: Decode | undefined;
  for await (const piece of pieces) {
    if (handler.isDone === true) continue;
    decode ??= decoderFor(encodingOf(piece));
    const text = decodedPart(name, decode, piece);
    parser.write(text);
    if (sinceElement(text.length) > LONGEST) {
      throw new WorkbookFault(`has a text of more than ${LONGEST} letters (in ${name})`);
    }
    yield take();
  }
  if (handler.isDone !== true) {
    if (decode !== undefined) parser.write(decodedPart(name, decode, undefined));
    parser.close();
    yield take();
  }
}

/** An attribute by its name without prefix: `id` also finds `r:id`. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  const plain = attributes[name];
  if (plain !== undefined) return plain;
  const found = Object.keys(attributes).find((key) => key.endsWith(`:${name}`));
  return found === undefined ? undefined : attributes[found];
}

/** A text with its next piece appended. @throws WorkbookFault where it is longer than `LONGEST` */
export function joined(text: string | null, piece: string): string {
  const all = (text ?? '') + piece;
  if (all.length > LONGEST) throw new WorkbookFault(`has a text of more than ${LONGEST} letters`);
  return all;
}

export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

function parserFor(name: string, handler: XmlHandler) {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({
    xmlns: false,
    position: false,
  });
  const above: string[] = [];
  let letters = 0;

  parser.on('error', (error) => {
    throw broken(`${name} is not well-formed XML (${error.message.replace(/\.$/, '')})`, error);
  });
  parser.on('doctype', () => {
    throw broken(`${name} declares a document type, which workbooks may not`);
  });
  parser.on('opentag', (tag) => {
    letters = 0;
    const local = tag.name.slice(tag.name.indexOf(':') + 1);
    handler.open(local, above.at(-1) ?? '', tag.attributes);
    if (above.push(local) > DEEPEST)
      throw broken(`${name} has more than ${DEEPEST} elements in each other`);
  });
  const onText = (text: string) => {
    handler.text?.(text, above.at(-1) ?? '');
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', () => {
    letters = 0;
    const local = above.pop() ?? '';
    handler.close?.(local, above.at(-1) ?? '');
  });
  return { parser, sinceElement: (more: number) => (letters += more) };
}

/** The format allows UTF-8 and UTF-16; UTF-16 has a byte order mark, or a zero byte beside the first `<`. */
function encodingOf(piece: Buffer): string {
  const [first = 0, second = 0] = piece;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return 'utf-8';
}

function decodedPart(name: string, decode: Decode, piece: Buffer | undefined): string {
  try {
    return decode(piece);
  } catch (error) {
    throw broken(`${name} is neither UTF-8 nor UTF-16`, error);
  }
}

const SAVE_AGAIN = 'open it in a spreadsheet program and save it again, as .xlsx or as "CSV UTF-8"';

/** A fault of a workbook, thrown where the path is not known: the message is a predicate, e.g. `has no sheet`. */
export class WorkbookFault extends Error {
  readonly hint: string;

  /** @param hint what to do about the fault, where saving the workbook again does not help */
  constructor(what: string, hint = SAVE_AGAIN, cause?: unknown) {
    super(what, { cause });
    this.hint = hint;
  }
}

/** @param what a sentence that says where the workbook is damaged */
export function broken(what: string, cause?: unknown): WorkbookFault {
  return new WorkbookFault(`is a broken workbook: ${what}`, undefined, cause);
}

/** Turns anything thrown while a workbook was read into an error for the operator. */
export function workbookError(path: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const isTold = error instanceof WorkbookFault;
  const fault = isTold ? error : new WorkbookFault('is a workbook that cannot be read');
  return usageError('LIST_UNREADABLE', `${path} ${fault.message}.`, fault.hint, error);
}
