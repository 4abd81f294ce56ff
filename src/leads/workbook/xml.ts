import { SaxesParser } from 'saxes';
import { decoderFor, type Decode } from '../read/encodings.ts';
import { broken, WorkbookFault } from './fault.ts';

/** The attributes of an element, by their names as they are written. */
export type Attributes = Readonly<Record<string, string>>;

/**
 * Is told what a part holds, in its order. Names are without prefix: workbooks use whatever prefix they like, for the
 * two namespaces of the format (transitional and strict), and `parent` is enough to tell an element from others.
 */
export interface XmlHandler {
  open: (name: string, parent: string, attributes: Attributes) => void;
  /** The text may come in several pieces. */
  text?: (text: string, parent: string) => void;
  close?: (name: string, parent: string) => void;
  /** True once the rest of the part does not matter; it is unpacked all the same, which finds damage. */
  isDone?: boolean;
}

/** Deepest nesting of elements; workbooks need about ten. */
const DEEPEST = 100;

/** Letters of one text, one tag or one row: a cell has 32,767 at most. */
export const LONGEST = 1_000_000;

/**
 * Reads a part of a workbook as it comes, and holds no more than one text of it.
 *
 * @param name of the part, for messages
 * @param take is asked after each piece for what the handler has made of it
 * @throws WorkbookFault where it is not well-formed, declares a document type (and with it entities, which workbooks
 *   may not), nests too deep or has a text without end
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
    const text = decoded(name, decode, piece);
    parser.write(text);
    if (sinceElement(text.length) > LONGEST) {
      throw new WorkbookFault(`has a text of more than ${LONGEST} letters (in ${name})`);
    }
    yield take();
  }
  if (handler.isDone !== true) {
    if (decode !== undefined) parser.write(decoded(name, decode, undefined));
    parser.close();
    yield take();
  }
}

/** An attribute by its name without prefix: `id` is also `r:id`. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  const plain = attributes[name];
  if (plain !== undefined) return plain;
  const found = Object.keys(attributes).find((key) => key.endsWith(`:${name}`));
  return found === undefined ? undefined : attributes[found];
}

/** A text with its next piece. @throws WorkbookFault where it has no end */
export function joined(text: string | null, piece: string): string {
  const all = (text ?? '') + piece;
  if (all.length > LONGEST) throw new WorkbookFault(`has a text of more than ${LONGEST} letters`);
  return all;
}

/** Both spellings of true. */
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

/** The format allows UTF-8 and UTF-16; the latter has a byte order mark, or a zero byte beside the first `<`. */
function encodingOf(piece: Buffer): string {
  const [first = 0, second = 0] = piece;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return 'utf-8';
}

function decoded(name: string, decode: Decode, piece: Buffer | undefined): string {
  try {
    return decode(piece);
  } catch (error) {
    throw broken(`${name} is neither UTF-8 nor UTF-16`, error);
  }
}
