import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import yauzl, { type Entry, type Options, type ZipFile } from 'yauzl';

import { messageOf } from '../../runtime/errors.ts';
import { kindOfArchive } from './file-kinds.ts';
import { unreadable } from './row.ts';

/** What a zip file is: an Office document, most likely a workbook, or one list. */
type Archive = { kind: 'workbook' } | { kind: 'list'; open: () => Promise<Readable> };

/**
 * Looks into a zip file without unpacking its lists. Folders and files that operating systems add by themselves
 * (`__MACOSX`, hidden files) do not count. The sizes that the archive states are checked while it is unpacked.
 * @throws AppError `LIST_UNREADABLE` where there is not exactly one list in it, or it needs a password
 */
export async function listEntry(path: string): Promise<Archive> {
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
  const openFile = promisify<string, Options, ZipFile>(yauzl.open);
  const zip = await openFile(path, { ...options, lazyEntries: true, autoClose: false });
  const close = () => {
    zip.close();
  };
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
    zip.on('end', () => {
      resolve(entries);
    });
    zip.on('error', reject);
    zip.readEntry();
  });
}
