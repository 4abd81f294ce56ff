import { setImmediate } from 'node:timers/promises';

import { AppError, usageError } from '../../runtime/errors.ts';
import { grouped } from '../../text/amounts.ts';

export interface CsvRow {
  /** The line on which the row starts, from 1; quoted cells may span lines. In a workbook: its number in the sheet. */
  line: number;
  cells: string[];
  /** True: some bytes of the row are not valid UTF-8, and U+FFFD stands for them. */
  isDamaged?: boolean;
}

/** Bounded, as every row gets a cell for every column: a small file with very many columns would fill the memory. */
export const MOST_COLUMNS = 4_000;

/** About how many bytes the cells of a row take in memory: one per character, and 8 for each reference to a cell. */
export function rowSize({ cells }: CsvRow): number {
  let size = cells.length * 8;
  for (const cell of cells) size += cell.length;
  return size;
}

/** A row with as many cells as there are columns; the missing ones are `filler`. */
export function padded(cells: string[], width: number, filler = ''): string[] {
  if (cells.length === width) return cells;
  return Array.from({ length: width }, (_, at) => cells[at] ?? filler);
}

/** How many cells a row has without the empty ones at its end. */
export function widthOf(cells: readonly string[]): number {
  let width = cells.length;
  while (width > 0 && (cells[width - 1] ?? '').trim() === '') width -= 1;
  return width;
}

/**
 * The rows without empty cells beyond column `MOST_COLUMNS`; a spreadsheet may write rows of 16,384 cells.
 * @throws AppError `LIST_UNREADABLE` where a row has a value beyond that column
 */
export function withinColumns(path: string, rows: CsvRow[]): CsvRow[] {
  return rows.map((row) => {
    if (row.cells.length <= MOST_COLUMNS) return row;
    const width = widthOf(row.cells);
    if (width <= MOST_COLUMNS) return { ...row, cells: row.cells.slice(0, width) };
    throw unreadable(
      path,
      `has ${width} cells in line ${row.line}, and a list has at most ${MOST_COLUMNS} columns`,
    );
  });
}

/**
 * The error for a file that exists and cannot be read as a list.
 * @param next what to do, where a more specific advice than the default is known
 */
export function unreadable(
  path: string,
  what: string,
  cause?: unknown,
  next = 'mend the file, or export it again as "CSV UTF-8"',
): AppError {
  return usageError(
    'LIST_UNREADABLE',
    `${path} ${what}; a list is CSV text, also as .gz or .zip, or a workbook (.xlsx).`,
    next,
    cause,
  );
}

/** Each takes memory, and the sender of a list need not have a shell here. */
const MOST_SENT_ROWS = 3_000_000;

/** Refuses a list of more rows than the console takes, when that many were read. @throws AppError `LIST_UNREADABLE` */
export function boundOf(path: string) {
  return (rows: number): boolean => {
    if (rows <= MOST_SENT_ROWS) return false;
    const next = 'send it in parts, or import it in a terminal';
    throw unreadable(path, `has more than ${grouped(MOST_SENT_ROWS)} rows`, undefined, next);
  };
}

/** The error for a list whose second reading gave other bytes than the first. */
export function listChanged(path: string): AppError {
  return new AppError(
    'LIST_CHANGED',
    `${path} was changed while it was read; none of its leads is called.`,
    {
      hint: 'run the same command again when nothing writes to the file',
    },
  );
}

/** Regroups arrays of any length into batches of `size()` items; `size` is called for each item. The order is kept. */
export async function* inBatches<T>(
  pieces: AsyncIterable<T[]>,
  size: () => number,
): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const piece of pieces) {
    for (const item of piece) {
      if (chunk.push(item) < size()) continue;
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}

/** Read and judged in some 10 ms; of hostile cells, a thousand characters take up to 3 ms. */
const AT_ONE_TURN = { rows: 250, characters: 20_000 };

/** Rows in short batches, with a turn of the event loop after each, so that calls beside a list are not kept waiting. */
export async function* inTurns(
  pieces: AsyncIterable<CsvRow[]> | Iterable<CsvRow[]>,
): AsyncGenerator<CsvRow[]> {
  let size = 0;
  const isFull = (row: CsvRow, count: number) =>
    (size += rowSize(row)) >= AT_ONE_TURN.characters || count >= AT_ONE_TURN.rows;
  for await (const piece of pieces) {
    let from = 0;
    for (const [at, row] of piece.entries()) {
      if (!isFull(row, at + 1 - from) && at + 1 < piece.length) continue;
      yield piece.slice(from, at + 1);
      [from, size] = [at + 1, 0];
      await setImmediate();
    }
  }
}

export function* batchesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += 1_000) yield items.slice(at, at + 1_000);
}
