import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The file itself, whatever name leads to it: journal, write-ahead log and ballast lie beside it, so that there is
 * one of each. It need not exist yet; where it cannot be resolved the given path is returned, and opening it fails.
 */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return path;
  }
  // A link to a file that does not exist yet: the file would be created where the link leads.
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink) return realPath(resolve(dirname(path), readlinkSync(path)));
  const folder = dirname(path);
  return folder === path ? path : join(realPath(folder), basename(path));
}
