import { posix } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';
import { openZip, type OpenZip } from '../read/list-archive.ts';
import { messageOf } from '../../runtime/errors.ts';
import { broken, WorkbookFault } from './xml.ts';
import { decoded } from '../../text/wording.ts';

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
