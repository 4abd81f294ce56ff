import { statSync } from 'node:fs';
import { AppError, EXIT } from '../../../runtime/errors.ts';
import { journalPath } from '../claim/journal.ts';
import type { SavedCopies } from './save-copies.ts';

/** The write-ahead log and SQLite's lock table (shared memory), which lie beside the database while it is open. */
const LOGS = ['-wal', '-shm'] as const;

/**
 * Knows which files were opened. A file that is deleted or replaced can still be written to while it is open, and
 * all of it is lost afterwards: whoever dials checks that the names still lead to the same files.
 */
export class FilesInPlace {
  readonly #database: Placed;
  readonly #others: Placed[];
  readonly #saved: SavedCopies;

  /**
   * To be made once all of them are there and open.
   *
   * @param name what the operator calls the database
   * @param path as `realPath` gives it
   * @param dials whether its journal is open, too
   */
  constructor(
    name: string,
    path: string,
    { dials, saved }: { dials: boolean; saved: SavedCopies },
  ) {
    this.#saved = saved;
    this.#database = {
      ...{ code: 'STORE_GONE', what: `The database ${name}`, path: name, file: fileAt(name) },
      why: 'what is written now is lost with it',
    };
    const logs = LOGS.map((end): Placed => {
      const log = path + end;
      const why = `the newest of the database ${name} is only in it`;
      return { code: 'STORE_GONE', what: `The log ${log}`, why, path: log, file: fileAt(log) };
    });
    const journal = journalPath(path);
    const lines: Placed = {
      ...{ code: 'JOURNAL_GONE', what: `The dial journal ${journal}`, path: journal },
      ...{ why: 'without it a database that is set back could call people again' },
      file: fileAt(journal),
    };
    this.#others = dials ? [lines, ...logs] : logs;
  }

  /** The database alone: one system call, for what happens all the time. @throws AppError `STORE_GONE` (exit 5) */
  assertDatabase(): void {
    this.#assert(this.#database);
  }

  /** All of them. @throws AppError `STORE_GONE`, `JOURNAL_GONE` (exit 5) */
  assertAll(): void {
    for (const each of [this.#database, ...this.#others]) this.#assert(each);
  }

  /** Writes the saved copies once more, with what has come since; nothing where none were needed. */
  saveAgain(): void {
    this.#saved.again();
  }

  #assert({ code, what, why, path, file }: Placed): void {
    if (fileAt(path) === file) return;
    const message = `${what} was deleted, moved or replaced while callsheet worked with it; ${why}, so nobody more is called.`;
    throw this.#saved.explain(new AppError(code, message, { exitCode: EXIT.person }));
  }
}

/** A path with the file that it led to: device and inode. */
interface Placed {
  path: string;
  file: string;
  code: 'STORE_GONE' | 'JOURNAL_GONE';
  what: string;
  why: string;
}

function fileAt(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.dev} ${found.ino}`;
}
