import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { realPath } from './real-path.ts';

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

/** Deletes a database with all that SQLite kept beside it. */
export function removeDatabase(path: string): void {
  for (const companion of ['', ...COMPANIONS]) rmSync(`${path}${companion}`, { force: true });
}

/** The name, or where that is taken the name with the next free number. */
export function freeName(wanted: string): string {
  let name = wanted;
  for (let n = 2; existsSync(name); n++) name = `${wanted}-${n}`;
  return name;
}

/** Gives a file a second name, or moves it where that is not possible. @throws EEXIST where the name is taken */
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

/** True when both names lead to one file, whether it is there yet or not. */
export function isSameFile(one: string, other: string): boolean {
  return realPath(one) === realPath(other);
}
