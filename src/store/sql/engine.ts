import type { Database as Sqlite } from 'better-sqlite3';

/** A connection; one to a server sends several statements at once. */
export type Database = Sqlite & Partial<Together>;

interface Together {
  /**
   * Runs a write that nobody waits for with the next statement that is waited for. `one`: what follows fails unless it
   * changes one row. @returns with `number`, the number of the row that was added; with `changes`, how many were changed
   */
  later(
    text: string,
    args: readonly unknown[],
    expects?: 'one' | 'number' | 'changes',
  ): () => number;
  /**
   * Asks for what `work` reads when it finds nothing, all at once, so that the same reads later in the transaction need
   * not wait. Answers that a write may change are asked again.
   */
  ahead(work: () => void): void;
}

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
  /** The database's own clock, epoch ms, where several machines share it; default: the time of each claim. */
  readonly now?: () => number;
  /** Asked by a claim that found somebody, before it is committed; default: it may. False: nobody is called yet. */
  mayDial?(): boolean;
  /**
   * Of an error of `COMMIT` after which nobody knows whether it was committed: looks it up, in the next transaction that
   * writes. Undefined: nothing was committed.
   */
  lookUp?(error: unknown): (() => boolean) | undefined;
  /** Called when a write found the database locked, and again when one did not. */
  noteLock?(isLocked: boolean): void;
  /** Called once, when all writes are written. */
  close(): void;
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
}

/** Room for answers of calls when the database is full. */
export interface Room {
  /** Makes room for answers of calls. @returns false when nothing was kept for that */
  giveUp(): boolean;
  /** How often room was made: a write that failed before the latest time may succeed now. */
  timesGivenUp(): number;
}
