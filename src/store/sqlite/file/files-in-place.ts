import { renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { AppError, EXIT, messageOf } from '../../../runtime/errors.ts';
import { makeFolder, sync } from '../../../runtime/files.ts';
import { shellWord } from '../../../text/wording.ts';
import type { Place } from '../../journal/journalled-store.ts';
import { journalPath, type DialJournal } from '../../journal/journal.ts';
import { ballastPath } from './ballast.ts';
import { COMPANIONS, freeName, removeDatabase, temporaryBeside } from './files.ts';

/** The write-ahead log and SQLite's lock table (shared memory), which lie beside the database while it is open. */
const LOGS = ['-wal', '-shm'] as const;

/** The paths of all files that may belong to a database, except its own; not all of them exist at any time. */
export function besideDatabase(path: string): string[] {
  return [journalPath(path), ballastPath(path), ...COMPANIONS.map((end) => path + end)];
}

/** A path with the file (device and inode) that was opened there. */
interface Placed {
  path: string;
  file: string;
  code: 'STORE_GONE' | 'JOURNAL_GONE';
  what: string;
  why: string;
}

/**
 * Remembers which files were opened; call it when all of them exist and are open. Data written to a deleted or replaced
 * file is lost when the file is closed, so claims, sweeps and ended imports first check the paths. If one leads
 * elsewhere, copies of the open files are written beside the paths, and again at the end with the answers of calls in
 * flight.
 * @param name what the operator calls the database
 * @param path as `realPath` gives it
 * @param journal undefined when the dial journal is not open
 */
export function filesInPlace(
  db: Database,
  { name, path }: { name: string; path: string },
  journal: DialJournal | undefined,
): Place & { saveAgain(): void } {
  const journalFile = journalPath(path);
  let savedIn: string | undefined;

  const database: Placed = {
    code: 'STORE_GONE',
    what: `The database ${name}`,
    path: name,
    file: fileAt(name),
    why: 'what is written now is lost with it',
  };
  const logs = LOGS.map((end): Placed => {
    const log = path + end;
    const why = `the latest changes to the database ${name} are only in it`;
    return { code: 'STORE_GONE', what: `The log ${log}`, why, path: log, file: fileAt(log) };
  });
  const lines: Placed = {
    code: 'JOURNAL_GONE',
    what: `The dial journal ${journalFile}`,
    path: journalFile,
    why: 'without it an older copy of the database could call people again',
    file: fileAt(journalFile),
  };
  const others = journal === undefined ? logs : [lines, ...logs];

  function assertPlaced({ code, what, why, path: at, file }: Placed): void {
    if (fileAt(at) === file) return;
    const message = `${what} was deleted, moved or replaced while callsheet was using it; ${why}, so no more calls are made.`;
    throw new AppError(code, message, { hint: saveCopies(code), exitCode: EXIT.person });
  }

  /** @returns the next step for the operator, which depends on whether the copies could be written */
  function saveCopies(code: Placed['code']): string {
    const to = savedIn ?? freeName(`${path}.saved`);
    try {
      writeCopies(to);
      savedIn = to;
    } catch (error) {
      return `What this run knew could not be saved (${messageOf(error)}). Put the files back that were there, or a backup (\`callsheet restore FILE\`) beside the newest ${journalFile}.`;
    }
    const dials = `\`mv ${shellWord(journalPath(to))} ${shellWord(journalFile)}\``;
    const step = code === 'JOURNAL_GONE' ? dials : `\`callsheet restore ${shellWord(to)}\``;
    const before =
      code === 'JOURNAL_GONE' ? '' : ` (where the journal is gone, too, first ${dials})`;
    return `Put back what was there, or what this run knew, which is saved in ${to}: ${step}${before}.`;
  }

  function writeCopies(to: string): void {
    makeFolder(dirname(to));
    const temporary = temporaryBeside(to);
    try {
      db.prepare('VACUUM INTO ?').run(temporary);
      sync(temporary);
      renameSync(temporary, to);
      journal?.copyTo(journalPath(to));
      sync(dirname(to));
    } finally {
      removeDatabase(temporary);
    }
  }

  return {
    /** Checks the database alone, with one system call, for frequent use. @throws AppError `STORE_GONE` (exit 5) */
    assertDatabase: (): void => {
      assertPlaced(database);
    },
    /** Checks all files. @throws AppError `STORE_GONE`, `JOURNAL_GONE` (exit 5) */
    assertAll: (): void => {
      for (const each of [database, ...others]) assertPlaced(each);
    },
    /** Writes the saved copies once more, with later answers; does nothing when no copies were needed. */
    saveAgain: (): void => {
      if (savedIn === undefined) return;
      try {
        writeCopies(savedIn);
      } catch {
        // The first copies are still there.
      }
    },
  };
}

/** Device and inode of the file at a path; `none`: there is none. */
export function fileAt(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.dev} ${found.ino}`;
}
