import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  fstatSync,
  openSync,
  readSync,
  write,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { AppError, EXIT, messageOf } from '../../runtime/errors.ts';

const writeAsync = promisify(write);
const fdatasyncAsync = promisify(fdatasync);

const HEADER = /^callsheet-dials-1 (\S+)$\n/m;

/**
 * The dial journal: an append-only file beside the database, one line an intent, synced after the claim's
 * commit and before the request. A line without a row shows that the database was set back.
 */
export interface JournalEntry {
  seq: number;
  campaignId: string;
  key: string;
  ordinal: number;
  phone: string;
  service: string;
  agent: string;
  intentAt: number;
}

/** The journal's file name for a database file. */
export function journalPath(databasePath: string): string {
  return `${databasePath}.dials`;
}

export class DialJournal {
  readonly #fd: number;
  readonly #path: string;

  private constructor(fd: number, path: string) {
    this.#fd = fd;
    this.#path = path;
  }

  /** Opens the journal for appending; a new one begins with the database's id. */
  static open(path: string, databaseId: string): DialJournal {
    const fd = openSync(path, 'a+', 0o600);
    if (readDatabaseId(fd) === undefined) {
      // New, or a crash tore the first line before anything could follow it.
      writeSync(fd, `${fstatSync(fd).size === 0 ? '' : '\n'}callsheet-dials-1 ${databaseId}\n`);
      fsyncSync(fd);
      syncFolder(dirname(path));
    }
    return new DialJournal(fd, path);
  }

  /**
   * Resolves when the lines are on disk. One write, so that lines of several processes never mix; it begins
   * with a line end, so that none is glued to one that was torn (a crash or a full disk in another process).
   *
   * @throws AppError `JOURNAL_NOT_WRITTEN` (exit 5): not all of them are surely on disk
   */
  async append(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const bytes = Buffer.from(`\n${entries.map(formatLine).join('\n')}\n`);
    try {
      const { bytesWritten } = await writeAsync(this.#fd, bytes);
      if (bytesWritten !== bytes.length) {
        throw new Error(`${bytesWritten} of ${bytes.length} bytes were taken`);
      }
      await fdatasyncAsync(this.#fd);
    } catch (error) {
      throw new AppError(
        'JOURNAL_NOT_WRITTEN',
        `The dial journal ${this.#path} could not be written (${messageOf(error)}); nobody was called for it.`,
        {
          hint: `Make room on the disk of ${dirname(this.#path)}, then run again.`,
          exitCode: EXIT.person,
          cause: error,
        },
      );
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** What a journal holds from `offset` on; `databaseId` is null when its beginning is not ours. */
export interface JournalContent {
  databaseId: string | null;
  size: number;
  entries: Generator<JournalEntry>;
  close(): void;
}

export function readJournal(path: string, offset: number): JournalContent | undefined {
  if (!existsSync(path)) return undefined;
  const fd = openSync(path, 'r');
  // Of a process that was killed before its sync: what counts as read from now on must outlast a power cut.
  fsyncSync(fd);
  const size = fstatSync(fd).size;
  return {
    databaseId: readDatabaseId(fd) ?? null,
    size,
    entries: entriesFrom(fd, offset),
    close: () => {
      closeSync(fd);
    },
  };
}

function formatLine(entry: JournalEntry): string {
  const json = JSON.stringify(entry);
  return `${checksum(json)} ${json}`;
}

/** Undefined for a torn or damaged line: a torn one is the last of a crash, before its request was sent. */
function parseLine(line: string): JournalEntry | undefined {
  const json = line.slice(9);
  return line.slice(0, 8) === checksum(json) ? (JSON.parse(json) as JournalEntry) : undefined;
}

function checksum(text: string): string {
  return hash('sha256', text).slice(0, 8);
}

function* entriesFrom(fd: number, offset: number): Generator<JournalEntry> {
  const chunk = Buffer.alloc(64 * 1024);
  let rest = '';
  for (let at = offset; ;) {
    const read = readSync(fd, chunk, 0, chunk.length, at);
    if (read === 0) return;
    at += read;
    const lines = (rest + chunk.toString('latin1', 0, read)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const entry = parseLine(Buffer.from(line, 'latin1').toString('utf8'));
      if (entry !== undefined) yield entry;
    }
  }
}

/** The database's id in the header: the first line, or the one after a first line that a crash has torn. */
function readDatabaseId(fd: number): string | undefined {
  const start = Buffer.alloc(256);
  const read = readSync(fd, start, 0, start.length, 0);
  return HEADER.exec(start.toString('latin1', 0, read))?.[1];
}

function syncFolder(path: string): void {
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}
