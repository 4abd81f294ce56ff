import { mapTable } from '../columns/layout.ts';
import type { ColumnChoice } from '../columns/column-choices.ts';
import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import type { FormatOptions } from '../read/list-rows.ts';
import { widthOf } from '../read/row.ts';
import { CellCounts } from './cell-counts.ts';
import { scanList, type ScannedList } from './first-reading.ts';

/** A list that was read to its end, before anybody has said what its columns hold. */
export interface ListLook extends Pick<
  ScannedList,
  'format' | 'headers' | 'headerLine' | 'samples' | 'warnings' | 'rows'
> {
  /**
   * What the columns hold, by themselves or as they were chosen.
   *
   * @throws AppError those of `mapColumns`
   */
  mapBy(choices: readonly ColumnChoice[]): ListMapping;
  /** What the cells of all its rows hold. */
  cells: CellCounts;
}

/** How many rows are looked at to find out which columns hold what. */
const FIRST_ROWS = 200;

/**
 * Reads a list for a person who is to say what its columns hold: unlike the survey, it does not refuse a list because
 * the columns are unclear.
 *
 * @param path its name, for messages
 * @throws AppError those of `scanList`, without those about columns
 */
export async function lookAtList(
  path: string,
  options: FormatOptions & { file: string },
): Promise<ListLook> {
  const first: string[][] = [];
  let counts = new CellCounts([]);
  const list = await scanList(path, { ...options, unmapped: true }, ({ shape, headers }) => {
    first.length = 0;
    counts = new CellCounts(headers);
    return (rows) => {
      const isStraight = ({ cells }: { cells: string[] }) => widthOf(cells) <= shape.columns;
      for (const row of rows) counts.count(row.cells);
      for (const row of rows.slice(0, FIRST_ROWS - first.length).filter(isStraight))
        first.push(row.cells);
    };
  });
  const { format, headers, headerLine, samples, warnings, rows, memory } = list;
  memory.forget();
  const table = { path, headers, rows: first };
  const mapBy = (choices: readonly ColumnChoice[]) =>
    mapTable(table, headerLine !== 0, { choices });
  return { format, headers, headerLine, samples, warnings, rows, mapBy, cells: counts };
}
