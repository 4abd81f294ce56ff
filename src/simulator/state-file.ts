import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { AppError, messageOf } from '../runtime/errors.ts';
import type { AgentRecord } from './account.ts';
import type { CallRecord } from './calls/timeline.ts';
import type { EventRecord } from './webhooks/webhook-events.ts';
import type { EventState } from './webhooks/webhook-outbox.ts';

/** One line of the state file, with the id of the account that it belongs to. */
export type StateRecord =
  | { account: string; agent: AgentRecord }
  | { account: string; call: CallRecord }
  | { account: string; event: EventRecord }
  /** The delivery of this event has ended. */
  | { account: string; told: { event: string; state: EventState } };

const HEADER = '{"callsheet":"simulator state","version":1}';
const CHUNK_BYTES = 1 << 16;
const NEWLINE = 0x0a;

/**
 * Agents, calls and events as an append-only JSONL file. A record is written before its request is answered, so a kill
 * loses nothing (there is no fsync: a power cut may lose the last seconds). Several processes may have the file open:
 * each reads what the other processes have appended.
 */
export class StateFile {
  readonly #path: string;
  readonly #file: number;
  /** Bytes read so far, whole lines only. */
  #readTo = 0;
  /** Bytes appended by this process since the last reading. */
  #appended = 0;
  /** True if the file may end in an incomplete line. */
  #torn = false;

  /** @throws AppError `SIMULATOR_STATE_UNUSABLE` */
  constructor(path: string) {
    this.#path = path;
    this.#file = openFile(path);
    try {
      this.#begin(fstatSync(this.#file).size);
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
    this.#readTo = HEADER.length + 1;
    this.#appended = 0;
  }

  append(record: StateRecord): void {
    this.#write(`${JSON.stringify(record)}\n`);
  }

  /**
   * Visits the records appended since the last reading, unless this process has written all of them. Records of this
   * process may be visited again, together with those of other processes.
   */
  readNew(visit: (record: StateRecord) => void): void {
    const size = fstatSync(this.#file).size;
    if (size === this.#readTo + this.#appended) return;
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let rest = Buffer.alloc(0);
    for (let at = this.#readTo; at < size;) {
      const length = readSync(this.#file, chunk, 0, CHUNK_BYTES, at);
      if (length === 0) break;
      at += length;
      const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      this.#readTo += end;
      rest = bytes.subarray(end);
      for (const line of bytes.toString('utf8', 0, end).split('\n')) {
        const record = parsed(line);
        if (record !== undefined) visit(record);
      }
    }
    this.#appended = 0;
  }

  close(): void {
    closeSync(this.#file);
  }

  #begin(size: number): void {
    if (size === 0) {
      this.#write(`${HEADER}\n`);
      return;
    }
    if (this.#textAt(0, HEADER.length + 1) !== `${HEADER}\n`) {
      throw unusable(
        this.#path,
        'is not a state file of this program, or of another version of it',
      );
    }
    this.#torn = this.#textAt(size - 1, 1) !== '\n';
  }

  #textAt(position: number, length: number): string {
    const bytes = Buffer.alloc(length);
    readSync(this.#file, bytes, 0, length, position);
    return bytes.toString('utf8');
  }

  /** Each record is written with one system call: with O_APPEND, lines of several processes do not mix. */
  #write(line: string): void {
    const bytes = Buffer.from(this.#torn ? `\n${line}` : line);
    this.#torn = true;
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#file, bytes, written);
    } catch (error) {
      throw unusable(this.#path, `cannot be written (${messageOf(error)})`);
    } finally {
      this.#appended += written;
    }
    this.#torn = false;
  }
}

/** Ignores a line that is not JSON: a kill or a full disk has cut it short, and its request was never answered. */
function parsed(line: string): StateRecord | undefined {
  try {
    return JSON.parse(line) as StateRecord;
  } catch {
    return undefined;
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'a+', 0o600);
  } catch (error) {
    throw unusable(path, `cannot be opened (${messageOf(error)})`);
  }
}

function unusable(path: string, why: string): AppError {
  return new AppError(
    'SIMULATOR_STATE_UNUSABLE',
    `State file "${path}" ${why}; allowed is a new path or a file that the embedded service wrote.`,
    { hint: 'Pass another path, or leave --state out to keep everything in memory.' },
  );
}
