import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../runtime/errors.ts';
import type { Store } from '../port.ts';
import { ballastOf, networkWarning, systemDisk, type Disk } from './file/ballast.ts';
import { QUICK_CHECK_UP_TO_BYTES, quickCheck } from './file/backup.ts';
import { movedTo, openConnection } from './file/connection.ts';
import { BUSY_TIMEOUT_MS, explainFailure, fileFailures, realPath } from './file/files.ts';
import { fileAt, filesInPlace } from './file/files-in-place.ts';
import { DialJournal, journalPath } from '../journal/journal.ts';
import { elsewhere, recoverFromJournal, type Mended } from '../journal/recover.ts';
import { databaseIdOf } from '../sql/claim/restore-dials.ts';
import { sqlOf } from '../sql/sql.ts';
import { refuseSecondName } from './file/not-a-database.ts';
import { journalledStore } from '../journal/journalled-store.ts';
import type { Engine, Room } from '../sql/engine.ts';
import type { CommitListener } from '../sql/group-commit.ts';
import { createStore } from '../sql/store.ts';
import type { Database } from 'better-sqlite3';

export interface OpenOptions {
  /** Absolute path of the database file, or of a link to it. */
  path: string;
  /**
   * `read` never creates, migrates or writes. `write` does all three, and if possible recovers dials from the dial
   * journal that an older copy of the database lacks. `dial` does the same, but throws if dials cannot be recovered; it
   * also checks for damage (unless this process dials from it already), opens the journal and writes the ballast.
   */
  mode: 'read' | 'write' | 'dial';
  /** For `dial`: check for damage however large the database is; see `quickCheck`. Default false. */
  checkAlways?: boolean;
  /** For `dial`: the time now, where people that a damaged journal line may be about are to count as called. */
  mendAt?: number | undefined;
  onMended?: ((mended: Mended) => void) | undefined;
  /** Called with the number of dials that were recovered from the journal, when there are any. */
  onRecovered?: ((attempts: number) => void) | undefined;
  /** For `dial` and `read`: called with a sentence for each problem that does not prevent it. */
  onWarning?: (sentence: string) => void;
  /** Called after every transaction that writes. */
  onCommit?: CommitListener | undefined;
  /** Default: the real disk. */
  disk?: Disk | undefined;
}

/** A reader of each file (`fileAt`) from which this process dials: pages ask every second, and opening takes as long as reading. */
const readers = new Map<string, Store>();

/** The reader that is kept of a file, or a new one. Where this process still dials when it is closed, it is kept. */
function keptReader(file: string, options: OpenOptions): Store {
  const kept = readers.get(file);
  const isSame = kept?.name === options.path;
  if (isSame) readers.delete(file);
  const store = isSame ? kept : openAnew(options);
  const giveBack = async () => {
    if (!DialJournal.isOpenFor(file) || readers.has(file)) await store.close();
    else readers.set(file, store);
  };
  let closed: Promise<void> | undefined;
  return { ...store, close: () => (closed ??= giveBack()) };
}

async function closeReader(file: string): Promise<void> {
  const kept = readers.get(file);
  readers.delete(file);
  await kept?.close();
}

/**
 * Opens the SQLite store.
 * @throws AppError see `refuseSecondName`, `openConnection`, `quickCheck`, `recoverFromJournal` and `explainFailure`
 */
export function openSqliteStore(options: OpenOptions): Store {
  const { path, mode } = options;
  const file = () => fileAt(realPath(path));
  if (mode === 'read' && DialJournal.isOpenFor(file())) return keptReader(file(), options);
  const store = openAnew(options);
  if (mode !== 'dial') return store;
  const opened = file();
  return {
    ...store,
    close: async () => {
      await Promise.all([closeReader(opened), store.close()]);
      // One that was given back meanwhile.
      if (!DialJournal.isOpenFor(opened)) await closeReader(opened);
    },
  };
}

function openAnew(options: OpenOptions): Store {
  const { path: name, mode, disk = systemDisk, onCommit } = options;
  const path = realPath(name);
  if (mode !== 'read') refuseSecondName(path, disk);
  const db = openConnection({ path, mode: mode === 'read' ? 'read' : 'write', disk });
  const room = ballastOf(path, disk);
  let journal: DialJournal | undefined;
  try {
    if (mode === 'read') {
      const url = movedTo(db);
      if (url !== undefined)
        options.onWarning?.(`The database ${name} was moved to ${url}; what it held then is read.`);
      return journalledStore(createStore(fileEngine(db, { name, path }, { room })), { room });
    }
    // The id is written when the database is created, so that every copy of it matches its journal.
    const databaseId = databaseIdOf(sqlOf(db));
    if (mode === 'write') recoverWherePossible(db, options, databaseId);
    else {
      // Beside calls of this process both would hold up its calls, and the first store did both.
      const file = fileAt(path);
      const isFirst = !DialJournal.isOpenFor(file);
      const upToBytes = isFirst ? QUICK_CHECK_UP_TO_BYTES : 0;
      quickCheck(db, path, { upToBytes: options.checkAlways === true ? Infinity : upToBytes });
      const warning = networkWarning(path, disk);
      if (warning !== undefined) options.onWarning?.(warning);
      recover(db, options, databaseId);
      // Copied into the database file, data (above all the id) survives damage to the write-ahead log.
      if (isFirst) db.pragma('wal_checkpoint(PASSIVE)');
      journal = DialJournal.open(journalPath(path), databaseId, file);
      room.hasRoom();
    }
    const place = filesInPlace(db, { name, path }, journal);
    // What is wrong with the journal is refused at the next start; reading it again would take longer each time.
    let isSound = journal !== undefined;
    const verify = explained(path, () => {
      if (isSound)
        isSound = recoverWherePossible(db, { ...options, mendAt: undefined }, databaseId);
    });
    const checkpoint = explained(path, () => db.pragma('wal_checkpoint(PASSIVE)'));
    const engine = fileEngine(db, { name, path }, { room, place });
    const store = createStore(engine, { onCommit });
    return journalledStore(store, { journal, room, place, checkpoint, verify });
  } catch (error) {
    journal?.close();
    db.close();
    throw explainFailure(error, path);
  }
}

/** @param path of the database */
function explained(path: string, work: () => unknown) {
  return async (): Promise<void> => {
    try {
      work();
    } catch (error) {
      throw explainFailure(error, path);
    }
  };
}

/**
 * Commands that change waiting leads need the calls that an older copy of the database lacks, else a cancelled campaign
 * would report called people as not called. Mode `dial` reports why recovery is not possible.
 * @returns false where it is not possible
 */
function recoverWherePossible(db: Database, options: OpenOptions, databaseId: string): boolean {
  try {
    recover(db, options, databaseId);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}

export function recover(
  db: Database,
  options: Omit<OpenOptions, 'mode'>,
  databaseId: string,
): void {
  const { path: name, onRecovered, onMended, mendAt } = options;
  const path = realPath(name);
  const journal = journalPath(path);
  const stray = journalPath(name);
  if (existsSync(stray) && realPath(stray) !== realPath(journal)) throw elsewhere(stray, journal);
  const of = { path: journal, database: path, id: databaseId };
  recoverFromJournal(sqlOf(db), of, { mendAt, onRecovered, onMended });
}

/** SQLite blocks the thread while it waits for a lock, so after one wait without success the next waits are short. */
const BUSY_AGAIN_TIMEOUT_MS = 100;

/** The engine of an open database file. @param path as `realPath` gives it */
export function fileEngine(
  db: Database,
  { name, path }: { name: string; path: string },
  { room, place }: { room: Room; place?: { saveAgain(): void } },
): Engine {
  return {
    db,
    name,
    folder: dirname(name),
    openToRead: () => openConnection({ path, mode: 'read' }),
    failures: fileFailures(path),
    room,
    close: () => {
      place?.saveAgain();
      db.close();
    },
    noteLock: (isLockedNow) => {
      const timeoutMs = isLockedNow ? BUSY_AGAIN_TIMEOUT_MS : BUSY_TIMEOUT_MS;
      try {
        db.pragma(`busy_timeout = ${timeoutMs}`);
      } catch {
        // The timeout is not essential: the outcome of the commit has to be reported all the same.
      }
    },
  };
}
