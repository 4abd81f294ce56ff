import type { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { messageOf } from '../../runtime/errors.ts';
import { kindOfArchive } from './file-kinds.ts';
import { unreadable } from './unreadable.ts';

/** What a zip file is: an Office document, most likely a workbook, or one list. */
export type Archive = { kind: 'workbook' } | { kind: 'list'; open: () => Promise<Readable> };

/**
 * Looks into a zip file without unpacking it. Folders and what systems add by themselves (`__MACOSX`,
 * hidden files) do not count. The sizes that it names are checked while it is unpacked.
 *
 * @throws AppError `LIST_UNREADABLE` where there is not exactly one list in it, or it needs a password
 */
export async function listEntry(path: string): Promise<Archive> {
  const entries = await entriesOf(path);
  const kind = kindOfArchive(
    entries.map(({ fileName }) => fileName),
    await mimetypeOf(path, entries),
  );
  if (kind !== undefined) throw unreadable(path, kind.is, undefined, kind.next);
  if (entries.some(({ fileName }) => OFFICE_PART.test(fileName))) return { kind: 'workbook' };
  const files = entries.filter(({ fileName }) => !/(?:^|\/)(?:\.|__MACOSX\/)|\/$/.test(fileName));
  const [entry] = files;
  if (entry === undefined || files.length > 1) {
    const names = files.slice(0, 5).map(({ fileName }) => fileName);
    const has = names.length === 0 ? 'no file' : `${files.length} files (${names.join(', ')})`;
    const next = 'unpack it, and give the lists one by one';
    throw unreadable(path, `holds ${has}, and one list is wanted`, undefined, next);
  }
  if (entry.isEncrypted()) {
    const next = 'unpack it with its password, and give the list that is in it';
    throw unreadable(path, 'needs a password', undefined, next);
  }
  return { kind: 'list', open: () => openEntry(path, entry.fileName) };
}

/** Each Office document has the first, whatever its other parts are called; the case of names does not matter. */
const OFFICE_PART = /^(?:\[content_types\]|xl\/workbook)\.xml$/i;

/** What OpenDocument files say of themselves, in their first entry; `` where there is none. */
async function mimetypeOf(path: string, entries: readonly Entry[]): Promise<string> {
  const entry = entries.find(({ fileName }) => fileName === 'mimetype');
  if (entry === undefined || entry.uncompressedSize > 200 || entry.isEncrypted()) return '';
  const stream = await openEntry(path, entry.fileName);
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString('latin1');
}

async function entriesOf(path: string): Promise<Entry[]> {
  const zip = await openZip(path);
  const entries: Entry[] = [];
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.on('end', () => {
      resolve(entries);
    });
    zip.on('error', (error: Error) => {
      reject(unreadable(path, `is a broken archive (${messageOf(error)})`, error));
    });
    zip.readEntry();
  });
}

async function openEntry(path: string, name: string): Promise<Readable> {
  const zip = await openZip(path);
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      if (entry.fileName !== name) {
        zip.readEntry();
        return;
      }
      zip.openReadStream(entry, (error, stream) => {
        if (error === null) resolve(stream);
        else reject(unreadable(path, `cannot be unpacked (${messageOf(error)})`, error));
      });
    });
    zip.on('error', reject);
    zip.readEntry();
  });
}

function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true }, (error, zip) => {
      if (error === null) resolve(zip);
      else reject(unreadable(path, `is a broken archive (${messageOf(error)})`, error));
    });
  });
}
