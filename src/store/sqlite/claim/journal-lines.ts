import { hash } from 'node:crypto';
import { readSync } from 'node:fs';

/** One dial that was allowed. */
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

/** A piece of the journal; blank lines are none. */
export type JournalLine = { at: number } & (
  | { kind: 'dial'; entry: JournalEntry }
  | { kind: 'header'; databaseId: string }
  /** The beginning of a line whose writing was cut off (crash, full disk): its request was never sent. */
  | { kind: 'torn' }
  /** Something was there once, perhaps a dial: it is not what was written. */
  | { kind: 'damaged'; text: string }
);

const HEADER = 'callsheet-dials-1 ';

/** The first line of a journal. */
export function formatHeader(databaseId: string): string {
  return `${HEADER}${databaseId}\n`;
}

/**
 * Lines for one write. Each stands between line ends of its own, so that none is glued to one that was torn, and
 * the blank line after it shows that it was written to its end.
 */
export function formatLines(entries: readonly JournalEntry[]): string {
  return entries
    .map((entry) => {
      const json = JSON.stringify(entry);
      return `\n${checksum(json)} ${json}\n`;
    })
    .join('');
}

/** The lines from `offset` on; `end` is told where the last piece ended that was written to its line end. */
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
  if (piece !== undefined) yield* lineOf(piece, undefined);
}

interface Piece {
  /** Offset of its first byte. */
  at: number;
  /** A byte a character. */
  text: string;
  /** Whether a line end follows. */
  isClosed: boolean;
}

function* lineOf({ at, text }: Piece, next: Piece | undefined): Generator<JournalLine> {
  if (text === '') return;
  const entry = parseEntry(text);
  // A blank line follows what was written to its end; others write directly below what was torn.
  const isWhole = next?.text === '' && next.isClosed;
  const databaseId = /^callsheet-dials-1 (\S+)$/.exec(text)?.[1];
  if (entry !== undefined) yield { at, kind: 'dial', entry };
  else if (databaseId !== undefined && next?.text === '') yield { at, kind: 'header', databaseId };
  else if (!isWhole && (databaseId !== undefined || looksTorn(text))) yield { at, kind: 'torn' };
  else yield { at, kind: 'damaged', text: Buffer.from(text, 'latin1').toString('utf8') };
}

/** The beginning of a line, or of the header, and nothing else; a power cut may leave zeros for the rest. */
function looksTorn(text: string): boolean {
  const written = text.replace(/\0+$/, '');
  const isBeginning =
    /^[0-9a-f]{0,8}$|^[0-9a-f]{8} [^}\0]*$/.test(written) || HEADER.startsWith(written);
  // Whole but for its last sign, it was written to its end.
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
