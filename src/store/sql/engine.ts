import type { Database } from 'better-sqlite3';

import type { AppError } from '../../runtime/errors.ts';
import type { JournalEntry } from '../claims.ts';

/** A database behind the statements of this folder: one connection, and what differs from one kind to the other. */
export interface Engine {
  readonly db: Database;
  /** What the operator calls the database. */
  readonly name: string;
  /** As in `Store`. */
  readonly folder: string;
  /** A further connection, for a long read. */
  readonly openToRead: () => Database;
  readonly failures: Failures;
  readonly room: Room;
  /** Called when a write found the database locked, and again when one did not. */
  noteLock?(isLocked: boolean): void;
  /** Only of a file that is open to write. */
  readonly place?: Place | undefined;
}

/** How a failure is understood. */
export interface Failures {
  /** True when a write failed for lack of space. */
  isFull(error: unknown): boolean;
  /** True when another program's transaction has locked the database. */
  isLocked(error: unknown): boolean;
  /** True when the database can no longer be trusted: after such an error the connection writes nothing more. */
  isBroken(error: unknown): error is Error;
  /** Turns a failure of the database into an AppError; any other error is returned unchanged. */
  explain(error: unknown): unknown;
  full(): AppError;
}

/** Keeps dials outside of the database, so that an older copy of it calls nobody again. */
export interface Journal {
  /** Resolves once the lines are on disk. @throws AppError `JOURNAL_NOT_WRITTEN` */
  append(entries: readonly JournalEntry[]): Promise<void>;
  close(): void;
}

/** Whether the files of a database are still where they were opened. */
export interface Place {
  /** Checks the database alone, with one system call, for frequent use. @throws AppError `STORE_GONE` (exit 5) */
  assertDatabase(): void;
  /** Checks all files. @throws AppError `STORE_GONE`, `JOURNAL_GONE` (exit 5) */
  assertAll(): void;
  /** Writes the copies once more that were saved when a file was gone; does nothing when none were needed. */
  saveAgain(): void;
}

/** Room for what has to be written. */
export interface Room {
  /** True while there is more room than callsheet keeps free. */
  hasFreeSpace(): boolean;
  /** True while leads may be claimed. */
  hasRoom(): boolean;
  /** Makes room for answers of calls. @returns false when nothing was kept for that */
  giveUp(): boolean;
  /** How often room was made: a write that failed before the latest time may succeed now. */
  timesGivenUp(): number;
}
