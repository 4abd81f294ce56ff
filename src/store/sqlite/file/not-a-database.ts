import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { fileTrouble } from '../../../domain/file-trouble.ts';
import { AppError, EXIT, usageError } from '../../../runtime/errors.ts';
import { shellWord } from '../../../text/wording.ts';
import { journalPath } from '../../journal/journal.ts';
import type { Disk } from './ballast.ts';

/** The first bytes of every SQLite file (https://sqlite.org/fileformat2.html, 1.3.1). */
const BEGINNING = 'SQLite format 3\0';

const ANOTHER =
  'give another path with --db (without it, it is data/callsheet.db), or leave it out';

/**
 * Refuses a path that is not a database and never was one, such as a folder or a list given by mistake. That file is
 * the operator's, so it is neither written to nor replaced. A file with a dial journal beside it was a database.
 * @param path as `realPath` gives it; it need not exist
 * @param name what the operator calls it, for messages
 * @throws AppError `STORE_UNUSABLE`, `STORE_NOT_SQLITE` (exit 2)
 */
export function refuseNoDatabase(path: string, name = path): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isFile()) {
    const what = found.isDirectory() ? 'is a folder' : 'is not a regular file';
    throw usageError(
      'STORE_UNUSABLE',
      `${name} ${what}; a database is one file.`,
      found.isDirectory() ? `name the file in it: --db ${name}/callsheet.db` : ANOTHER,
    );
  }
  if (found.size === 0 || existsSync(journalPath(path)) || isSqlite(path)) return;
  throw usageError(
    'STORE_NOT_SQLITE',
    `${name} is not an SQLite database, and nothing beside it says that it was one: it stays as it is.`,
    ANOTHER,
  );
}

/** True when the file begins with SQLite's first bytes. @throws errors of `node:fs` */
export function isSqlite(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(BEGINNING.length);
    readSync(file, bytes);
    return bytes.toString('latin1') === BEGINNING;
  } finally {
    closeSync(file);
  }
}

/**
 * Explains why a database file cannot be used, from an error code of the system or of SQLite.
 * @param code the error code of `cause`
 * @returns `STORE_UNUSABLE` (exit 2), or undefined for a code that does not say why
 */
export function placeTrouble(path: string, code: string, cause: unknown): AppError | undefined {
  // SQLite reports every failed open(2) as SQLITE_CANTOPEN, so the system is asked for the reason.
  const trouble = fileTrouble(code === 'SQLITE_CANTOPEN' ? whyNotOpened(path) : code, 'written');
  if (trouble === undefined) return undefined;
  return usageError(
    'STORE_UNUSABLE',
    `The database ${path} ${trouble.is}.`,
    `${trouble.check} Another database is named with --db.`,
    cause,
  );
}

function whyNotOpened(path: string): string {
  try {
    closeSync(openSync(path, 'r+'));
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
  // The file itself can be opened: then the files beside it cannot be created.
  return 'SQLITE_READONLY_DIRECTORY';
}

/** Endings of files that only a used database leaves behind; see also `freeName`. */
const RESTS =
  /^\.(dials|ballast|saved(-\d+)?(\.dials)?|replaced-[^.]+(\.dials)?)$|^(-wal|-shm|-journal)$/;

/** A database that another process is making right now may have these two already. */
const NEW_ONES_TOO = /^(-journal)$/;

/**
 * Refuses to create a database where one was: a new one would not know who was called before.
 * @param path as `realPath` gives it; the file is missing, or empty
 * @throws AppError `STORE_LOST` (exit 5), naming the command that brings the database back
 */
export function refuseBesideRests(path: string): void {
  const name = basename(path);
  const folder = dirname(path);
  if (!existsSync(folder)) return;
  const isEmpty = existsSync(path);
  const rests = readdirSync(folder)
    .filter((file) => file.startsWith(name) && RESTS.test(file.slice(name.length)))
    .filter((file) => !isEmpty || !NEW_ONES_TOO.test(file.slice(name.length)))
    .toSorted();
  // Another process may have created it meanwhile, with its journal.
  if (rests.length === 0 || existsSync(path) !== isEmpty) return;
  throw new AppError(
    'STORE_LOST',
    `There is no database at ${path}, but ${rests.join(', ')} ${rests.length === 1 ? 'is' : 'are'} still beside it: a new one would call everybody again, so nobody is called.`,
    { hint: wayBack(path, rests), exitCode: EXIT.person },
  );
}

function wayBack(path: string, rests: readonly string[]): string {
  const at = (file: string) => shellWord(join(dirname(path), file));
  const copies = rests.filter((file) => !/\.dials$|\.ballast$|-wal$|-shm$|-journal$/.test(file));
  const journal = journalPath(path);
  const elsewhere = `To begin a new one all the same, name another path with --db.`;
  const [copy] = copies.filter((file) => file.includes('.saved')).toReversed();
  if (copy === undefined)
    return `put the database back with the files beside it, or the newest backup: \`callsheet restore ${copies[0] === undefined ? 'FILE' : at(copies[0])} --db ${shellWord(path)}\`. ${elsewhere}`;
  const dials = `${copy}.dials`;
  const first =
    existsSync(journal) || !rests.includes(dials)
      ? ''
      : `mv ${at(dials)} ${shellWord(journal)} && `;
  return `\`${first}callsheet restore ${at(copy)} --db ${shellWord(path)}\` brings it back as the last run knew it. ${elsewhere}`;
}

/**
 * Refuses a file with a second name: under that name it would have another journal and another write-ahead log, without
 * the content of the first ones, and people would be called again.
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
