import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import yauzl, { type Entry, type Options, type ZipFile } from 'yauzl';

export type OpenZip = Awaited<ReturnType<typeof openZip>>;

/**
 * Opens a zip archive and reads its directory; nothing is unpacked yet.
 *
 * @param options those of yauzl, and `most`: the most entries that the archive may have
 * @returns `entries`, and `open`, which streams the unpacked bytes of an entry; call `close` in the end
 * @throws TooManyEntries
 */
export async function openZip(
  path: string,
  { most = Infinity, ...options }: Options & { most?: number } = {},
) {
  const openFile = promisify<string, Options, ZipFile>(yauzl.open);
  const zip = await openFile(path, { ...options, lazyEntries: true, autoClose: false });
  const close = () => {
    zip.close();
  };
  try {
    if (zip.entryCount > most) throw new TooManyEntries();
    const entries = await entriesOf(zip);
    return { entries, open: promisify<Entry, Readable>(zip.openReadStream.bind(zip)), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The archive states that it has more entries than the limit. */
export class TooManyEntries extends Error {}

function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
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
