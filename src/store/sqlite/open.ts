import { AppError } from '../../runtime/errors.ts';
import type { Store } from '../port.ts';
import { Ballast } from './ballast.ts';
import { QUICK_CHECK_UP_TO_BYTES, quickCheck } from './check.ts';
import { openConnection } from './connection.ts';
import { networkWarning, systemDisk, type Disk } from './disk.ts';
import { explainFailure } from './failures.ts';
import { DialJournal, journalPath } from './journal.ts';
import { databaseIdOf, recoverFromJournal } from './recover.ts';
import { createStore } from './store.ts';
import type { Database } from 'better-sqlite3';

export interface OpenOptions {
  /** Absolute path of the database file. */
  path: string;
  /**
   * `read` never creates, migrates or writes; `write` does all three, and makes good from the dial journal, as far
   * as that is possible, what a database that was set back has forgotten; `dial` refuses where it is not, looks for
   * damage, opens the journal and puts the ballast there.
   */
  mode: 'read' | 'write' | 'dial';
  /** For `dial`: look for damage however large the database is; see `quickCheck`. Default false. */
  checkAlways?: boolean;
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
 * @throws AppError see `openConnection`, `quickCheck`, `recoverFromJournal` and `explainFailure`
 */
export function openSqliteStore(options: OpenOptions): Store {
  const { path, mode, disk = systemDisk } = options;
  const db = openConnection({ path, mode: mode === 'read' ? 'read' : 'write', disk });
  const ballast = new Ballast(path, disk);
  try {
    // Made with the database, so that every copy of it fits its journal.
    if (mode !== 'read') databaseIdOf(db);
    if (mode === 'write') recoverWherePossible(db, path, options.onRecovered);
    if (mode !== 'dial') return createStore(db, path, { ballast });
    quickCheck(db, path, {
      upToBytes: options.checkAlways === true ? Infinity : QUICK_CHECK_UP_TO_BYTES,
    });
    const warning = networkWarning(path, disk);
    if (warning !== undefined) options.onWarning?.(warning);
    const journal = openJournal(db, path, options.onRecovered);
    ballast.hasRoom();
    return createStore(db, path, { ballast, journal });
  } catch (error) {
    db.close();
    throw explainFailure(error, path);
  }
}

/**
 * Who changes what waits must know of the calls that a database which was set back has forgotten: a campaign is
 * cancelled, and a person who was called must not be told of as one who was not. What makes it impossible is said
 * to who dials.
 */
function recoverWherePossible(
  db: Database,
  path: string,
  onRecovered?: (attempts: number) => void,
): void {
  try {
    const recovered = recoverFromJournal(db, path, databaseIdOf(db));
    if (recovered > 0) onRecovered?.(recovered);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

function openJournal(db: Database, path: string, onRecovered?: (n: number) => void): DialJournal {
  const databaseId = databaseIdOf(db);
  const recovered = recoverFromJournal(db, path, databaseId);
  if (recovered > 0) onRecovered?.(recovered);
  return DialJournal.open(journalPath(path), databaseId);
}
