import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { type AppError, usageError } from '../../../runtime/errors.ts';
import { fileTrouble } from '../../../domain/file-trouble.ts';
import { journalPath } from '../journal/journal.ts';

/** The first bytes of every SQLite file (https://sqlite.org/fileformat2.html, 1.3.1). */
const BEGINNING = 'SQLite format 3\0';

const ANOTHER =
  'give another path with --db (without it, it is data/callsheet.db), or leave it out';

/**
 * Refuses a path that is not a database and never was one, such as a folder or a list given by mistake. That file
 * is the operator's, so it is neither written to nor replaced. A file with a dial journal beside it was a database.
 *
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
 *
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
