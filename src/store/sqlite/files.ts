import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What SQLite may keep beside a database file. */
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

/** Removes a database that is not wanted, with all that SQLite kept beside it. */
export function removeDatabase(path: string): void {
  for (const companion of ['', ...COMPANIONS]) rmSync(`${path}${companion}`, { force: true });
}

/** Gives a file a second name. @throws EEXIST where that is taken */
export function linkOrMove(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // Some file systems know no second names.
    if (existsSync(to)) throw error;
    renameSync(from, to);
  }
}

export function sync(path: string): void {
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

/** True when both names lead to one file. */
export function isSameFile(one: string, other: string): boolean {
  if (one === other) return true;
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}
