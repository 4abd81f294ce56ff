import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  fstatSync,
  openSync,
  readSync,
  rmSync,
  write,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { AppError, EXIT, messageOf } from '../../runtime/errors.ts';
import { sync } from '../../runtime/files.ts';
import type { JournalEntry } from '../claims.ts';
import { formatHeader, formatLines, linesFrom, type JournalLine } from './journal-lines.ts';

const writeAsync = promisify(write);
const fdatasyncAsync = promisify(fdatasync);

/** The journal's file name for a database file, see `realPath`. */
export function journalPath(databasePath: string): string {
  return `${databasePath}.dials`;
}

/**
 * The dial journal: an append-only file beside the database, one line per intent, synced after the claim's commit and
 * before the request. A line without a row in the database shows that the database is an older copy.
 */
export class DialJournal {
  /** Those that this process has open. */
  static readonly #open = new Set<DialJournal>();
  readonly #fd: number;
  readonly #path: string;
  readonly #database: string;
  /** The error of a failed sync; after it nothing more is written through this descriptor. */
  #broken: unknown;
  /** The last append; the next one waits for it, as the system reports a failed sync to only one of two. */
  #last: Promise<void> = Promise.resolve();

  private constructor(fd: number, path: string, database: string) {
    this.#fd = fd;
    this.#path = path;
    this.#database = database;
    DialJournal.#open.add(this);
  }

  /** Whether another store of this process dials from this very database file; see `open`. */
  static isOpenFor(database: string): boolean {
    return [...DialJournal.#open].some((journal) => journal.#database === database);
  }

  /**
   * Opens the journal for appending; a new one begins with the database's id.
   * @param database the file of the database, see `fileAt`
   * @throws AppError `JOURNAL_NOT_WRITTEN` (exit 5)
   */
  static open(path: string, databaseId: string, database = ''): DialJournal {
    let fd: number | undefined;
    let isNew = false;
    try {
      fd = openSync(path, 'a+', 0o600);
      if (readDatabaseId(fd) === undefined) {
        isNew = fstatSync(fd).size === 0;
        // The file is new, or a crash tore its first line before another line followed.
        writeWhole(fd, Buffer.from(formatHeader(databaseId, isNew)));
        fsyncSync(fd);
        sync(dirname(path));
      }
      return new DialJournal(fd, path, database);
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      // After a failed sync the next one may report success for lost data, so a new journal is deleted.
      if (isNew) rmSync(path, { force: true });
      throw notWritten(path, error);
    }
  }

  /**
   * Resolves when the lines are on disk. All go into one write, so that lines of several processes never mix. After a
   * failed sync nothing more is written: the system may have dropped the data and still report success next time.
   * @throws AppError `JOURNAL_NOT_WRITTEN` (exit 5): some of the lines may not be on disk
   */
  append(entries: readonly JournalEntry[]): Promise<void> {
    const appended = this.#last.then(() => this.#append(entries));
    this.#last = appended.catch(() => undefined);
    return appended;
  }

  async #append(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    if (this.#broken !== undefined) throw notWritten(this.#path, this.#broken);
    const bytes = Buffer.from(formatLines(entries));
    try {
      const { bytesWritten } = await writeAsync(this.#fd, bytes);
      requireWhole(bytesWritten, bytes.length);
    } catch (error) {
      throw notWritten(this.#path, error);
    }
    try {
      await fdatasyncAsync(this.#fd);
    } catch (error) {
      this.#broken = error;
      throw notWritten(this.#path, error);
    }
  }

  /** Copies the whole journal, even when the file at its path was deleted or replaced. */
  copyTo(path: string): void {
    const chunk = Buffer.alloc(64 * 1024);
    const to = openSync(path, 'w', 0o600);
    try {
      for (let at = 0, read = -1; read !== 0; at += read) {
        read = readSync(this.#fd, chunk, 0, chunk.length, at);
        writeWhole(to, chunk.subarray(0, read));
      }
      fsyncSync(to);
    } finally {
      closeSync(to);
    }
  }

  close(): void {
    DialJournal.#open.delete(this);
    closeSync(this.#fd);
  }
}

function writeWhole(fd: number, bytes: Uint8Array): void {
  requireWhole(writeSync(fd, bytes), bytes.length);
}

/** A nearly full disk writes a part without an error. */
function requireWhole(taken: number, given: number): void {
  if (taken !== given) throw new Error(`${taken} of ${given} bytes were taken`);
}

/** A tail of some twenty lines. */
const TAIL_BYTES = 4_096;

/** A journal's content from `offset` on; `databaseId` is null when the file does not begin with a valid header. */
export interface JournalContent {
  databaseId: string | null;
  size: number;
  lines: Generator<JournalLine>;
  /** The end of the last complete or damaged line that has been read; grows with `lines`. */
  readTo: () => number;
  /** The last whole dial before `offset`. */
  dialBefore: () => JournalEntry | undefined;
  /** A hash of the last bytes before an offset: a journal only grows, so that it never changes. */
  tailBefore: (offset: number) => string;
  close(): void;
}

/** What the first line of a journal names; undefined: there is no journal, or nothing whole in it. */
export function journalId(path: string): string | undefined {
  const journal = readJournal(path, 0);
  journal?.close();
  return journal?.databaseId ?? undefined;
}

/** @returns undefined when the file does not exist. @throws AppError `JOURNAL_NOT_WRITTEN` (exit 5) */
export function readJournal(path: string, offset: number): JournalContent | undefined {
  if (!existsSync(path)) return undefined;
  const fd = openSync(path, 'r');
  try {
    // A process may have been killed before its sync: what is read from here on must survive a power cut.
    fsyncSync(fd);
  } catch (error) {
    closeSync(fd);
    throw notWritten(path, error);
  }
  let end = offset;
  return {
    databaseId: readDatabaseId(fd) ?? null,
    size: fstatSync(fd).size,
    lines: linesFrom(fd, offset, (closed) => (end = closed)),
    readTo: () => end,
    dialBefore: () => lastDialBefore(fd, offset),
    tailBefore: (before) => {
      const tail = Buffer.alloc(Math.min(before, TAIL_BYTES));
      readSync(fd, tail, 0, tail.length, before - tail.length);
      return hash('sha256', tail);
    },
    close: () => closeSync(fd),
  };
}

/** Reads back in longer and longer steps: in the line that a step cuts, the checksum does not fit. */
function lastDialBefore(fd: number, offset: number): JournalEntry | undefined {
  for (let bytes = TAIL_BYTES; ; bytes *= 2) {
    const from = Math.max(0, offset - bytes);
    let last: JournalEntry | undefined;
    for (const line of linesFrom(fd, from)) {
      if (line.at >= offset) break;
      if (line.kind === 'dial') last = line.entry;
    }
    if (last !== undefined || from === 0) return last;
  }
}

/** The database's id in the header: the first line, or the one after a first line that a crash has torn. */
function readDatabaseId(fd: number): string | undefined {
  for (const line of linesFrom(fd, 0)) {
    if (line.kind === 'header') return line.databaseId;
    if (line.kind !== 'torn') return undefined;
  }
  return undefined;
}

function notWritten(path: string, error: unknown): AppError {
  return new AppError(
    'JOURNAL_NOT_WRITTEN',
    `The dial journal ${path} could not be written (${messageOf(error)}); nobody was called for it.`,
    {
      hint: `Check the disk of ${dirname(path)} (does it have room, is it sound, may it be written?), then run again.`,
      exitCode: EXIT.person,
      cause: error,
    },
  );
}
