import { statSync } from 'node:fs';
import { AppError, EXIT } from '../../runtime/errors.ts';
import { journalPath } from './journal.ts';
import type { SavedCopies } from './save-copies.ts';

/** What lies beside the database while it is open; SQLite's lock table is as good as lost without its file. */
const LOGS = ['-wal', '-shm'] as const;

/**
 * Knows which files were opened. A file that is deleted or replaced can still be written to for as long as it is
 * open, and all of it is gone afterwards: whoever dials looks whether the names still lead to the same files.
 */
export class FilesInPlace {
  readonly #database: Placed;
  readonly #journal: string;
  readonly #logs: Placed[];
  readonly #dials: Placed | undefined;
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
    this.#database = placed(name);
    this.#journal = journalPath(path);
    this.#logs = LOGS.map((end) => placed(path + end));
    this.#dials = dials ? placed(this.#journal) : undefined;
  }

  /** The database alone: a single look, for what is done all the time. @throws AppError `STORE_GONE` (exit 5) */
  assertDatabase(): void {
    if (isInPlace(this.#database)) return;
    const { path } = this.#database;
    throw this.#gone('STORE_GONE', `The database ${path}`, 'what is written now is lost with it');
  }

  /** All of them. @throws AppError `STORE_GONE`, `JOURNAL_GONE` (exit 5) */
  assertAll(): void {
    this.assertDatabase();
    const log = this.#logs.find((each) => !isInPlace(each));
    if (log !== undefined) {
      const why = `the newest of the database ${this.#database.path} is only in it`;
      throw this.#gone('STORE_GONE', `The log ${log.path}`, why);
    }
    if (this.#dials === undefined || isInPlace(this.#dials)) return;
    const why = 'a database that is set back could call people again without it';
    throw this.#gone('JOURNAL_GONE', `The dial journal ${this.#journal}`, why);
  }

  /** What was saved when something was gone, with what has come since. */
  saveAgain(): void {
    this.#saved.again();
  }

  #gone(code: 'STORE_GONE' | 'JOURNAL_GONE', what: string, why: string): AppError {
    const message = `${what} was deleted, moved or replaced while callsheet worked with it; ${why}, so nobody more is called.`;
    return this.#saved.explain(new AppError(code, message, { exitCode: EXIT.person }));
  }
}

/** A name with the file that each led to: device and inode. */
interface Placed {
  path: string;
  file: string;
}

function placed(path: string): Placed {
  return { path, file: fileAt(path) };
}

function isInPlace({ path, file }: Placed): boolean {
  return fileAt(path) === file;
}

function fileAt(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.dev} ${found.ino}`;
}
