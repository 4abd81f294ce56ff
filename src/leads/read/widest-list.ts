import type { CsvRow } from './csv-rows.ts';
import { widthOf } from '../rows/row-shape.ts';
import { unreadable } from './unreadable.ts';

/** Each row of a list has room for all of its columns: some thousand more, and a small file would fill every memory. */
export const MOST_COLUMNS = 4_000;

/**
 * The rows without what is empty beyond the last column that a list may have; a spreadsheet may write 16,384.
 *
 * @throws AppError `LIST_UNREADABLE` where a row holds something there
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
