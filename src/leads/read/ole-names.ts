import { open } from 'node:fs/promises';

const ENTRY_BYTES = 128;

/** How many directory entries are read: enough to recognise the file. */
const ENTRIES = 64;

/** The first names in the directory of a compound file ([MS-CFB] 2.2 and 2.6): old and encrypted Office files are such. */
export async function oleNames(path: string): Promise<string[]> {
  const handle = await open(path, 'r');
  try {
    const head = Buffer.alloc(512);
    await handle.read(head, 0, 512, 0);
    const sector = 2 ** Math.min(head.readUInt16LE(30), 16);
    const at = (head.readUInt32LE(48) + 1) * sector;
    const folder = Buffer.alloc(ENTRY_BYTES * ENTRIES);
    const { bytesRead } = await handle.read(folder, 0, folder.length, at);
    return Array.from({ length: Math.floor(bytesRead / ENTRY_BYTES) }, (_, n) => {
      const entry = folder.subarray(n * ENTRY_BYTES, (n + 1) * ENTRY_BYTES);
      const bytes = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 64);
      return entry.toString('utf16le', 0, bytes);
    });
  } finally {
    await handle.close();
  }
}
