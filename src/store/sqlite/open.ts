import { existsSync } from 'node:fs';
import { AppError } from '../../runtime/errors.ts';
import type { Store } from '../port.ts';
import { Ballast } from './file/ballast.ts';
import { QUICK_CHECK_UP_TO_BYTES, quickCheck } from './file/check.ts';
import { openConnection } from './file/connection.ts';
import { networkWarning, systemDisk, type Disk } from './file/disk.ts';
import { explainFailure } from './file/failures.ts';
import { FilesInPlace } from './file/files-in-place.ts';
import { elsewhere } from './claim/journal-refusals.ts';
import { DialJournal, journalPath } from './claim/journal.ts';
import { realPath } from './file/real-path.ts';
import { databaseIdOf, recoverFromJournal, type Mended } from './claim/recover.ts';
import { SavedCopies } from './file/save-copies.ts';
import { refuseSecondName } from './file/second-name.ts';
import { createStore } from './store.ts';
import type { Database } from 'better-sqlite3';

export interface OpenOptions {
  /** Absolute path of the database file, or of a link to it. */
  path: string;
  /**
   * `read` never creates, migrates or writes; `write` does all three, and makes good from the dial journal, as far
   * as that is possible, what a database that was set back has forgotten; `dial` refuses where it is not, looks for
   * damage, opens the journal and puts the ballast there.
   */
  mode: 'read' | 'write' | 'dial';
  /** For `dial`: look for damage however large the database is; see `quickCheck`. Default false. */
  checkAlways?: boolean;
  /** For `dial`: whoever a damaged line of the journal may be about is taken for called. Default false. */
  mendJournal?: boolean;
  /** Told what `mendJournal` has come to. */
  onMended?: (mended: Mended) => void;
  /** Told how many forgotten dials came back from the journal, when there are any. */
  onRecovered?: (attempts: number) => void;
  /** Told what is not refused and yet should be known, a sentence each; for `dial` only. */
  onWarning?: (sentence: string) => void;
  /** Default: the system's. */
  disk?: Disk;
}

/**
 * Opens the SQLite store.
 *
 * @throws AppError see `refuseSecondName`, `openConnection`, `quickCheck`, `recoverFromJournal` and `explainFailure`
 */
export function openSqliteStore(options: OpenOptions): Store {
  const { path: name, mode, disk = systemDisk } = options;
  const path = realPath(name);
  if (mode !== 'read') refuseSecondName(path, disk);
  const db = openConnection({ path, mode: mode === 'read' ? 'read' : 'write', disk });
  const ballast = new Ballast(path, disk);
  let journal: DialJournal | undefined;
  try {
    if (mode === 'read') return createStore(db, { name, path }, { ballast });
    // Made with the database, so that every copy of it fits its journal.
    const databaseId = databaseIdOf(db);
    if (mode === 'write') recoverWherePossible(db, options, databaseId);
    else {
      quickCheck(db, path, {
        upToBytes: options.checkAlways === true ? Infinity : QUICK_CHECK_UP_TO_BYTES,
      });
      const warning = networkWarning(path, disk);
      if (warning !== undefined) options.onWarning?.(warning);
      recover(db, options, databaseId);
      // What is in the file itself outlasts damage to the log: first of all which database it is.
      db.pragma('wal_checkpoint(PASSIVE)');
      journal = DialJournal.open(journalPath(path), databaseId);
      ballast.hasRoom();
    }
    const saved = new SavedCopies(db, path, journal);
    const place = new FilesInPlace(name, path, { dials: journal !== undefined, saved });
    return createStore(db, { name, path }, { ballast, journal, place });
  } catch (error) {
    journal?.close();
    db.close();
    throw explainFailure(error, path);
  }
}

/**
 * Who changes what waits must know of the calls that a database which was set back has forgotten: a campaign is
 * cancelled, and a person who was called must not be told of as one who was not. What makes it impossible is said
 * to who dials.
 */
function recoverWherePossible(db: Database, options: OpenOptions, databaseId: string): void {
  try {
    recover(db, options, databaseId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

function recover(db: Database, options: OpenOptions, databaseId: string): void {
  const { path: name, onRecovered, onMended, mendJournal = false } = options;
  const path = realPath(name);
  const journal = journalPath(path);
  const stray = journalPath(name);
  if (existsSync(stray) && realPath(stray) !== realPath(journal)) throw elsewhere(stray, journal);
  const recovered = recoverFromJournal(db, path, databaseId, { mend: mendJournal, onMended });
  if (recovered > 0) onRecovered?.(recovered);
}
