import { hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

import type { JournalEntry } from '../claims.ts';

/** A line of the journal that is not blank, and its offset in the file. */
export type JournalLine = { at: number } & (
  | { kind: 'dial'; entry: JournalEntry }
  | { kind: 'header'; databaseId: string }
  /** The beginning of a line whose write was cut off (crash, full disk): its request was never sent. */
  | { kind: 'torn' }
  /** Differs from what was written; it may have been a dial. */
  | { kind: 'damaged'; text: string }
);

/** Bytes; a line of callsheet has some 200, and the ids in it come from an operator. */
const LONGEST_LINE = 64 * 1024;
const LINE_END = 0x0a;

const HEADER = 'callsheet-dials-1 ';

/**
 * Stands before each record, which ends with `\n`. After a whole record it makes a line with nothing but a space; after
 * a torn one it ends that line, with the space as the mark, and the next record still begins on a line of its own.
 */
const BEGIN = ' \n';

/** The header of a journal; first: nothing stands before it. */
export function formatHeader(databaseId: string, first: boolean): string {
  return `${first ? '' : BEGIN}${HEADER}${databaseId}\n`;
}

export function formatLines(entries: readonly JournalEntry[]): string {
  return entries
    .map((entry) => {
      const json = JSON.stringify(entry);
      return `${BEGIN}${checksum(json)} ${json}\n`;
    })
    .join('');
}

/** The lines from `offset` on; `end` is called with the offset behind each line that will not grow. */
export function* linesFrom(
  fd: number,
  offset: number,
  end: (offset: number) => void = () => undefined,
): Generator<JournalLine> {
  let piece: Piece | undefined;
  for (const next of piecesFrom(fd, offset)) {
    if (piece !== undefined) yield* lineOf(piece, next);
    if (next.isClosed) end(next.end + 1);
    piece = next;
  }
  if (piece === undefined) return;
  for (const line of lineOf(piece, undefined)) {
    if (line.kind === 'damaged') end(piece.end);
    yield line;
  }
}

/** The number of the line at an offset, as an editor counts, from 1. */
export function lineNumber(path: string, at: number): number {
  const fd = openSync(path, 'r');
  try {
    let number = 1;
    for (const piece of piecesFrom(fd, 0)) {
      if (piece.at >= at) break;
      number += 1;
    }
    return number;
  } finally {
    closeSync(fd);
  }
}

interface Piece {
  /** Offset of its first byte. */
  at: number;
  /** Offset of its line end. */
  end: number;
  /** One character per byte; of more than `LONGEST_LINE` bytes only the beginning. */
  text: string;
  /** Whether a line end follows. */
  isClosed: boolean;
}

function* lineOf(piece: Piece, next: Piece | undefined): Generator<JournalLine> {
  const { at, end, text: found } = piece;
  if (end - at > LONGEST_LINE) {
    // It may be about anybody: without a text nobody is looked for in it.
    yield { at, kind: 'damaged', text: '' };
    return;
  }
  const text = found.trimEnd();
  if (text === '') return;
  const entry = parseEntry(text);
  const hasOwnEnd = text === found && next?.text.trimEnd() === '';
  const isWhole = hasOwnEnd && next.isClosed;
  const databaseId = /^callsheet-dials-1 (\S+)$/.exec(text)?.[1];
  if (entry !== undefined) yield { at, kind: 'dial', entry };
  else if (databaseId !== undefined && hasOwnEnd) yield { at, kind: 'header', databaseId };
  else if (!isWhole && (databaseId !== undefined || looksTorn(text))) yield { at, kind: 'torn' };
  else yield { at, kind: 'damaged', text: Buffer.from(text, 'latin1').toString('utf8') };
}

/** True for the mere beginning of a line or of the header; a power cut may leave zero bytes for the rest. */
function looksTorn(text: string): boolean {
  const written = text.replace(/(?<!\0)\0+$/, '');
  const isBeginning =
    /^[0-9a-f]{0,8}$|^[0-9a-f]{8} [^}\0]*$/.test(written) || HEADER.startsWith(written);
  // When only the last character differs from a complete line, all of it was written: that is damage.
  return isBeginning && parseEntry(`${written.slice(0, -1)}}`) === undefined;
}

function parseEntry(text: string): JournalEntry | undefined {
  const json = Buffer.from(text.slice(9), 'latin1').toString('utf8');
  return text.slice(0, 8) === checksum(json) ? (JSON.parse(json) as JournalEntry) : undefined;
}

function checksum(text: string): string {
  return hash('sha256', text).slice(0, 8);
}

/** Pieces of a file, in memory that does not grow with it, and in time that grows with its length. */
function* piecesFrom(fd: number, offset: number): Generator<Piece> {
  const chunk = Buffer.alloc(LONGEST_LINE);
  let [at, text, end] = [offset, '', offset];
  const piece = (isClosed: boolean): Piece => ({ at, end, text, isClosed });
  for (let read = -1; read !== 0;) {
    read = readSync(fd, chunk, 0, chunk.length, end);
    const bytes = chunk.subarray(0, read);
    for (let from = 0; from < read;) {
      const found = bytes.indexOf(LINE_END, from);
      const to = found < 0 ? read : found;
      end += to - from;
      if (end - at <= LONGEST_LINE) text += bytes.toString('latin1', from, to);
      from = to;
      if (found < 0) continue;
      yield piece(true);
      [at, text, end] = [end + 1, '', end + 1];
      from += 1;
    }
  }
  yield piece(false);
}
