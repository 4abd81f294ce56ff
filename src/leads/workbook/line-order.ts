import { batchesOf } from '../read/batches.ts';
import { rowSize, type CsvRow } from '../read/row.ts';
import { WorkbookFault } from './fault.ts';

/** How much of a sheet is held in memory to be sorted: only small writers other than spreadsheet programs need it. */
const MOST_ROWS_HELD = 10_000;
const MOST_BYTES_HELD = 10_000_000;

/**
 * Rows in the order of their lines, which is the order in which nearly all workbooks have them.
 *
 * @throws WorkbookFault where a line comes twice, or too late in a long sheet to be put in its place
 */
export async function* inLineOrder(pieces: AsyncIterable<CsvRow[]>): AsyncGenerator<CsvRow[]> {
  let held: CsvRow[] | undefined = [];
  let bytes = 0;
  let last = 0;
  const checked = (rows: CsvRow[]) => {
    for (const { line } of rows) {
      if (line <= last) throw outOfOrder(line, last);
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
    yield* batchesOf(checked(sorted(held)));
    held = undefined;
  }
  if (held !== undefined) yield* batchesOf(checked(sorted(held)));
}

function sorted(rows: CsvRow[]): CsvRow[] {
  return rows.sort((one, other) => one.line - other.line);
}

function outOfOrder(line: number, last: number): WorkbookFault {
  const what = line === last ? `row ${line} is there twice` : `row ${line} comes after row ${last}`;
  return new WorkbookFault(`is a broken workbook: ${what}`);
}
