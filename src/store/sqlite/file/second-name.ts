import { lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageError } from '../../../runtime/errors.ts';
import type { Disk } from './ballast.ts';

/**
 * Refuses a file with a second name: under that name it would have another journal and another write-ahead log,
 * without the content of the first ones, and people would be called again.
 *
 * @param path as `realPath` gives it; it need not exist
 * @throws AppError `STORE_HAS_TWO_NAMES`, `STORE_MOUNTED_ALONE` (exit 2)
 */
export function refuseSecondName(path: string, disk: Disk): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // A folder has several links by nature; opening it fails with the right message.
  if (found?.isFile() !== true) return;
  if (found.nlink > 1) {
    const others = namesInFolder(dirname(path), found.ino).filter((name) => name !== path);
    const where = others.length === 0 ? '' : `: ${others.join(', ')}`;
    throw usageError(
      'STORE_HAS_TWO_NAMES',
      `The database ${path} has another name (a hard link)${where}. Each name would have a dial journal of its own, and people could be called twice.`,
      'Remove the other name, or give the database a file of its own: `callsheet backup FILE`, then `callsheet restore FILE`.',
    );
  }
  if (!disk.isMountPoint(path)) return;
  throw usageError(
    'STORE_MOUNTED_ALONE',
    `The database ${path} is mounted as a single file: its dial journal and log would lie in another place, and people could be called twice.`,
    'Mount the folder that it is in, not the file.',
  );
}

function namesInFolder(folder: string, ino: number): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.ino === ino);
}
