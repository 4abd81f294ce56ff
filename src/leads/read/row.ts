import { unreadable } from './unreadable.ts';

/** A row of a list as it was read. */
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
 *
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
