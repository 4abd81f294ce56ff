import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import yauzl, { type Entry, type Options, type ZipFile } from 'yauzl';

export type OpenZip = Awaited<ReturnType<typeof openZip>>;

/**
 * Opens a zip archive and reads its directory; nothing is unpacked yet.
 *
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

/** What an archive holds too much of: `500000 files, and 5000 are read at most`. */
export class ArchiveTooLarge extends Error {}

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
