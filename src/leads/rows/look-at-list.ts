import { mapTable } from '../columns/layout.ts';
import type { ColumnChoice } from '../columns/column-choices.ts';
import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import type { FormatOptions } from '../read/list-rows.ts';
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
  let cells = new CellCounts([]);
  const list = await scanList(path, { ...options, unmapped: true }, ({ headers }) => {
    cells = new CellCounts(headers);
    return (rows) => {
      for (const row of rows) cells.count(row.cells);
    };
  });
  const { format, headers, headerLine, samples, warnings, rows, memory, table } = list;
  memory.forget();
  const mapBy = (choices: readonly ColumnChoice[]) =>
    mapTable(table, headerLine !== 0, { choices });
  return { format, headers, headerLine, samples, warnings, rows, mapBy, cells };
}
