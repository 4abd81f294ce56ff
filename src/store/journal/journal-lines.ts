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

const HEADER = 'callsheet-dials-1 ';

/**
 * Each line begins with this and ends with a line end of its own: so no line continues a torn one, and the blank line
 * after a line shows that the line is complete. The space stays at the end of a torn line, however little was written
 * after it.
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
    if (next.isClosed) end(next.at + next.text.length + 1);
    piece = next;
  }
  if (piece === undefined) return;
  for (const line of lineOf(piece, undefined)) {
    if (line.kind === 'damaged') end(piece.at + piece.text.length);
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
  /** One character per byte. */
  text: string;
  /** Whether a line end follows. */
  isClosed: boolean;
}

function* lineOf({ at, text: found }: Piece, next: Piece | undefined): Generator<JournalLine> {
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

function* piecesFrom(fd: number, offset: number): Generator<Piece> {
  const chunk = Buffer.alloc(64 * 1024);
  let rest = '';
  for (let read = -1, at = offset; read !== 0;) {
    read = readSync(fd, chunk, 0, chunk.length, at + rest.length);
    const pieces = (rest + chunk.toString('latin1', 0, read)).split('\n');
    rest = pieces.pop() ?? '';
    for (const text of pieces) {
      yield { at, text, isClosed: true };
      at += text.length + 1;
    }
    if (read === 0) yield { at, text: rest, isClosed: false };
  }
}
