import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import type { Entry, Options, ZipFile } from 'yauzl';

import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { AppError, messageOf, usageError } from '../../runtime/errors.ts';
import { kindOfArchive, kindOfFile, kindOfOle, TELLING_BYTES } from './file-kinds.ts';
import { unreadable } from './row.ts';

/** How a list is packed, by its first bytes: the name of the file does not count. */
type Packing = 'plain' | 'gzip' | 'zip' | 'workbook';

/** More than a list of 10 million rows needs; bounded, as a small archive may unpack to more than any disk holds. */
const MOST_UNPACKED_BYTES = 4 * 2 ** 30;

/** The packing, by the first bytes of the file. @throws AppError `LIST_NOT_FOUND`, `LIST_UNREADABLE` */
export async function packingOf(path: string): Promise<Packing> {
  const bytes = await firstBytes(path);
  const [a, b, c, d] = bytes;
  if (a === 0x1f && b === 0x8b) return 'gzip';
  const kind =
    a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0
      ? kindOfOle(await oleNames(path))
      : kindOfFile(bytes);
  if (kind !== undefined) throw unreadable(path, kind.is, undefined, kind.next);
  if (a !== 0x50 || b !== 0x4b || c !== 0x03) return 'plain';
  return (await listEntry(path)).kind === 'workbook' ? 'workbook' : 'zip';
}

/** The chunk size of Node's read streams. One buffer serves all reads, which leaves the garbage collector no work. */
const PIECE_BYTES = 65_536;

/**
 * The bytes of a list, unpacked, in chunks; memory does not grow with the file. A chunk is overwritten when the next
 * one is read: copy any bytes that are needed longer.
 * @param most bytes after which an archive is refused; default 4 GiB
 */
export async function* listBytes(
  path: string,
  most = MOST_UNPACKED_BYTES,
): AsyncGenerator<Buffer, void, undefined> {
  const packing = await packingOf(path);
  if (packing === 'plain') {
    yield* plainBytes(path);
    return;
  }
  const stream = await openPacked(path, packing);
  let unpacked = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      unpacked += piece.length;
      if (unpacked > most) throw unreadable(path, `unpacks to more than ${most} bytes`);
      yield piece;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unreadable(path, `cannot be read (${messageOf(error)})`, error);
  } finally {
    stream.destroy();
  }
}

async function* plainBytes(path: string): AsyncGenerator<Buffer, void, undefined> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, PIECE_BYTES, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } catch (error) {
    throw notRead(path, error);
  } finally {
    await handle?.close();
  }
}

async function openPacked(path: string, packing: Packing): Promise<Readable> {
  if (packing === 'zip') {
    const entry = await listEntry(path);
    if (entry.kind === 'list') return entry.open();
  }
  return pipeline(createReadStream(path), createGunzip(), () => {
    // `pipeline` destroys the stream with the error, so the reader of the stream receives the error.
  });
}

async function firstBytes(path: string): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    const stat = await handle.stat();
    if (stat.isDirectory()) {
      throw unreadable(path, 'is a folder', undefined, 'give one of the files in it');
    }
    if (!stat.isFile()) {
      const next = 'give a file, or - to read standard input';
      throw unreadable(path, 'is not a regular file', undefined, next);
    }
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(TELLING_BYTES) });
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw notRead(path, error);
    const place = path === resolve(path) ? '' : ` (looked at ${resolve(path)})`;
    throw usageError(
      'LIST_NOT_FOUND',
      `${path} does not exist${place}.`,
      'check the path; a relative one starts in the current folder',
      error,
    );
  } finally {
    await handle?.close();
  }
}

function notRead(path: string, error: unknown): AppError {
  const { is, check } = fileTroubleOf(error, 'read');
  return unreadable(path, is, error, check);
}

const OLE_ENTRY_BYTES = 128;

const OLE_ENTRIES = 64;

/** The first directory names of a compound file ([MS-CFB] 2.2, 2.6), the format of old and encrypted Office files. */
async function oleNames(path: string): Promise<string[]> {
  const handle = await open(path, 'r');
  try {
    const head = Buffer.alloc(512);
    await handle.read(head, 0, 512, 0);
    const sector = 2 ** Math.min(head.readUInt16LE(30), 16);
    const at = (head.readUInt32LE(48) + 1) * sector;
    const folder = Buffer.alloc(OLE_ENTRY_BYTES * OLE_ENTRIES);
    const { bytesRead } = await handle.read(folder, 0, folder.length, at);
    return Array.from({ length: Math.floor(bytesRead / OLE_ENTRY_BYTES) }, (_, n) => {
      const entry = folder.subarray(n * OLE_ENTRY_BYTES, (n + 1) * OLE_ENTRY_BYTES);
      const bytes = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 64);
      return entry.toString('utf16le', 0, bytes);
    });
  } finally {
    await handle.close();
  }
}

/** What a zip file is: an Office document, most likely a workbook, or one list. */
type Archive = { kind: 'workbook' } | { kind: 'list'; open: () => Promise<Readable> };

/**
 * Looks into a zip file without unpacking its lists. Folders and files that operating systems add by themselves
 * (`__MACOSX`, hidden files) do not count. The sizes that the archive states are checked while it is unpacked.
 * @throws AppError `LIST_UNREADABLE` where there is not exactly one list in it, or it needs a password
 */
async function listEntry(path: string): Promise<Archive> {
  const zip = await openArchive(path);
  const { entries } = zip;
  const names = entries.map(({ fileName }) => fileName);
  const kind = kindOfArchive(names, await mimetypeOf(zip).finally(zip.close));
  if (kind !== undefined) throw unreadable(path, kind.is, undefined, kind.next);
  if (entries.some(({ fileName }) => OFFICE_PART.test(fileName))) return { kind: 'workbook' };
  const files = entries.filter(({ fileName }) => !/(?:^|\/)(?:\.|__MACOSX\/)|\/$/.test(fileName));
  const [entry] = files;
  if (entry === undefined || files.length > 1) {
    const some = files.slice(0, 5).map(({ fileName }) => fileName);
    const has = some.length === 0 ? 'no file' : `${files.length} files (${some.join(', ')})`;
    const next = 'unpack it, and give the lists one by one';
    throw unreadable(path, `holds ${has}, and one list is wanted`, undefined, next);
  }
  if (entry.isEncrypted()) {
    const next = 'unpack it with its password, and give the list that is in it';
    throw unreadable(path, 'needs a password', undefined, next);
  }
  return { kind: 'list', open: () => openEntry(path, entry) };
}

/** Every Office document has `[Content_Types].xml`, whatever its other parts are called; the case does not matter. */
const OFFICE_PART = /^(?:\[content_types\]|xl\/workbook)\.xml$/i;

/** The content of the entry `mimetype`, by which OpenDocument files name their kind; empty where it is missing. */
async function mimetypeOf(zip: OpenZip): Promise<string> {
  const entry = zip.entries.find(({ fileName }) => fileName === 'mimetype');
  if (entry === undefined || entry.uncompressedSize > 200 || entry.isEncrypted()) return '';
  return (await buffer(await zip.open(entry))).toString('latin1');
}

async function openEntry(path: string, entry: Entry): Promise<Readable> {
  const zip = await openArchive(path);
  try {
    return await zip.open(entry);
  } catch (error) {
    throw unreadable(path, `cannot be unpacked (${messageOf(error)})`, error);
  } finally {
    zip.close();
  }
}

async function openArchive(path: string): Promise<OpenZip> {
  try {
    return await openZip(path);
  } catch (error) {
    if (error instanceof ArchiveTooLarge)
      throw unreadable(
        path,
        `holds ${error.message}`,
        error,
        'unpack it and give the list in it; save a sheet of a workbook as "CSV UTF-8"',
      );
    throw unreadable(path, `is a broken archive (${messageOf(error)})`, error);
  }
}

export type OpenZip = Awaited<ReturnType<typeof openZip>>;

/**
 * Opens a zip archive and reads its directory; nothing is unpacked yet.
 * @param options those of yauzl
 * @returns `entries`, and `open`, which streams the unpacked bytes of an entry; call `close` in the end
 * @throws ArchiveTooLarge before more than 5,000 entries, or 10 million bytes of their names, are read
 */
export async function openZip(path: string, options: Options = {}) {
  const { default: yauzl } = await import('yauzl');
  const openFile = promisify<string, Options, ZipFile>(yauzl.open);
  const zip = await openFile(path, { ...options, lazyEntries: true, autoClose: false });
  const close = () => zip.close();
  try {
    if (zip.entryCount > MOST_ENTRIES)
      throw new ArchiveTooLarge(`${zip.entryCount} files, and ${MOST_ENTRIES} are read at most`);
    const entries = await entriesOf(zip);
    return { entries, open: promisify<Entry, Readable>(zip.openReadStream.bind(zip)), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** A workbook has about twenty, and two more for each picture. */
const MOST_ENTRIES = 5_000;
const MOST_NAME_BYTES = 10_000_000;

/** The message says what there is too much of: `500000 files, and 5000 are read at most`. */
class ArchiveTooLarge extends Error {}

function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      bytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (bytes > MOST_NAME_BYTES) {
        reject(new ArchiveTooLarge(`names of more than ${MOST_NAME_BYTES} bytes`));
        return;
      }
      entries.push(entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', reject);
    zip.readEntry();
  });
}
