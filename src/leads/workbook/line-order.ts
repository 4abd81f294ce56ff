import { batchesOf } from '../read/batches.ts';
import { rowSize, type CsvRow } from '../read/row.ts';
import { broken } from './fault.ts';

/** The most of a sheet that is held in memory to be sorted; spreadsheet programs write rows in order anyway. */
const MOST_ROWS_HELD = 10_000;
const MOST_BYTES_HELD = 10_000_000;

/**
 * Rows in the order of their lines, which is the order in which nearly all workbooks store them.
 *
 * @throws WorkbookFault where a line comes twice, or a row is out of order after the part of the sheet that is sorted
 */
export async function* inLineOrder(pieces: AsyncIterable<CsvRow[]>): AsyncGenerator<CsvRow[]> {
  let held: CsvRow[] | undefined = [];
  let bytes = 0;
  let last = 0;
  const checked = (rows: CsvRow[]) => {
    for (const { line } of rows) {
      if (line === last) throw broken(`row ${line} is there twice`);
      if (line < last) throw broken(`row ${line} comes after row ${last}`);
      last = line;
    }
    return rows;
  };
  for await (const piece of pieces) {
    if (held === undefined) {
      yield checked(piece);
      continue;
    }
    for (const row of piece) {
      held.push(row);
      bytes += rowSize(row);
    }
    if (held.length < MOST_ROWS_HELD && bytes < MOST_BYTES_HELD) continue;
    yield* batchesOf(checked(held.sort(byLine)));
    held = undefined;
  }
  if (held !== undefined) yield* batchesOf(checked(held.sort(byLine)));
}

function byLine(one: CsvRow, other: CsvRow): number {
  return one.line - other.line;
}
