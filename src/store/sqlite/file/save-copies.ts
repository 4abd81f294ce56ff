import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { AppError, messageOf } from '../../../runtime/errors.ts';
import { makeFolder } from '../../../runtime/make-folder.ts';
import { freeName, removeDatabase, sync, temporaryBeside } from './files.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { journalPath, type DialJournal } from '../claim/journal.ts';

/**
 * Copies of files that a process still has open although their names are gone: written beside the place where they
 * were, and once more at the end, when the answers of the calls in flight have come.
 */
export class SavedCopies {
  readonly #db: Database;
  readonly #path: string;
  readonly #journal: DialJournal | undefined;
  #to: string | undefined;

  /** @param path as `realPath` gives it */
  constructor(db: Database, path: string, journal: DialJournal | undefined) {
    this.#db = db;
    this.#path = path;
    this.#journal = journal;
  }

  /** Saves the copies. @returns the error with its next step, which depends on whether that worked */
  explain(error: AppError): AppError {
    const { code, message, exitCode } = error;
    return new AppError(code, message, { hint: this.#save(code), exitCode, cause: error });
  }

  /** Writes the copies once more, where they were written before. */
  again(): void {
    if (this.#to === undefined) return;
    try {
      this.#write(this.#to);
    } catch {
      // The first copies are still there.
    }
  }

  #save(code: string): string {
    const to = this.#to ?? freeName(`${this.#path}.saved`);
    const journal = journalPath(this.#path);
    try {
      this.#write(to);
      this.#to = to;
    } catch (error) {
      return `What this run knew could not be saved (${messageOf(error)}). Put the files back that were there, or a backup (\`callsheet restore FILE\`) beside the newest ${journal}.`;
    }
    const dials = `\`mv ${shellWord(journalPath(to))} ${shellWord(journal)}\``;
    const step = code === 'JOURNAL_GONE' ? dials : `\`callsheet restore ${shellWord(to)}\``;
    const before =
      code === 'JOURNAL_GONE' ? '' : ` (where the journal is gone, too, first ${dials})`;
    return `Put back what was there, or what this run knew, which is saved in ${to}: ${step}${before}.`;
  }

  #write(to: string): void {
    makeFolder(dirname(to));
    const temporary = temporaryBeside(to);
    try {
      this.#db.prepare('VACUUM INTO ?').run(temporary);
      sync(temporary);
      renameSync(temporary, to);
      this.#journal?.copyTo(journalPath(to));
      sync(dirname(to));
    } finally {
      removeDatabase(temporary);
    }
  }
}
