import { unreadable } from './unreadable.ts';

/** A row of a list as it was read. */
export interface CsvRow {
  /** The line on which it starts, 1-based; a quoted cell may go over several. In a workbook: its number in the sheet. */
  line: number;
  cells: string[];
  /** The position of its first byte that is not UTF-8, counted from 0 at the beginning of the file. */
  damagedAt?: number | undefined;
}

/** A limit, as each row of a list has room for all of its columns: a small file with many would fill every memory. */
export const MOST_COLUMNS = 4_000;

/** About how many bytes the cells of a row take in memory: their letters, and 8 for each reference to a cell. */
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

/** How many cells a row has, empty ones at its end not counted. */
export function widthOf(cells: readonly string[]): number {
  let width = cells.length;
  while (width > 0 && (cells[width - 1] ?? '').trim() === '') width -= 1;
  return width;
}

/**
 * The rows without empty cells beyond the last column that a list may have; a spreadsheet may write 16,384 of them.
 *
 * @throws AppError `LIST_UNREADABLE` where a row has a value there
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
