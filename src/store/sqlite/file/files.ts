import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Endings of the files that SQLite may keep beside a database file. */
export const COMPANIONS = ['-wal', '-shm', '-journal'] as const;

/** A new, empty file (mode 0600) beside `path`, so that the rename at the end cannot cross file systems. */
export function temporaryBeside(path: string): string {
  for (let n = 1; ; n++) {
    const temporary = join(dirname(path), `.${basename(path)}.${n}.tmp`);
    try {
      closeSync(openSync(temporary, 'wx', 0o600));
      return temporary;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Deletes a database and the files that SQLite kept beside it. */
export function removeDatabase(path: string): void {
  for (const companion of ['', ...COMPANIONS]) rmSync(`${path}${companion}`, { force: true });
}

/** The wanted name, or, if it is taken, the name with the next free number. */
export function freeName(wanted: string): string {
  let name = wanted;
  for (let n = 2; existsSync(name); n++) name = `${wanted}-${n}`;
  return name;
}

/** Gives a file a second name, or moves it if links are not possible. @throws EEXIST if the name is taken */
export function linkOrMove(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // Some file systems have no hard links.
    if (existsSync(to)) throw error;
    renameSync(from, to);
  }
}

export function sync(path: string): void {
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

/** True when both names lead to the same file, which need not exist yet. */
export function isSameFile(one: string, other: string): boolean {
  return realPath(one) === realPath(other);
}

/**
 * The path of the file itself, with links resolved: journal, write-ahead log and ballast are beside it, so that there
 * is one of each. The file need not exist yet. A path that cannot be resolved is returned, and opening it fails.
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
