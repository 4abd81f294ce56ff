import { parseLenientCsv } from './lenient-csv.ts';
import { readText, type TextListeners } from './list-text.ts';
import { RegularRows } from './rfc4180-rows.ts';
import type { CsvRow } from './row.ts';

export interface CsvShape {
  delimiter: string;
  encoding: string;
  /** True: the file is UTF-8 with some invalid bytes, and rows that contain some are marked. Default: they throw. */
  isDamaged?: boolean | undefined;
}

/**
 * The rows of a CSV file in batches, without blank lines and a leading `sep=` line. Tolerates quotes inside a cell,
 * rows with more or fewer cells and mixed line ends, but not a missing quote that joins several rows. `RegularRows`
 * reads the rows up to the first one that does not follow RFC 4180; csv-parse reads that row and all after it.
 *
 * @throws AppError `LIST_UNREADABLE` naming the line where the quote opened that was not closed
 */
export async function* csvRows(
  path: string,
  shape: CsvShape,
  listeners: Omit<TextListeners, 'isDamaged'> = {},
): AsyncGenerator<CsvRow[]> {
  const { isDamaged } = shape;
  for await (const rows of rowsOf(path, shape, { ...listeners, isDamaged })) {
    if (isDamaged === true)
      for (const row of rows) row.isDamaged = row.cells.some((cell) => cell.includes('\ufffd'));
    yield rows;
  }
}

async function* rowsOf(
  path: string,
  shape: CsvShape,
  listeners: TextListeners,
): AsyncGenerator<CsvRow[]> {
  const pieces = readText(path, shape.encoding, listeners);
  const regular = new RegularRows(shape.delimiter);
  let irregular = /^[^"\r\n\ud800-\udfff]$/.test(shape.delimiter) ? undefined : '';
  try {
    while (irregular === undefined) {
      const piece = await pieces.next();
      const isLast = piece.done === true;
      const read = regular.read(piece.done === true ? '' : piece.value, isLast);
      irregular = read.irregular;
      if (read.rows.length > 0) yield read.rows;
      if (isLast && irregular === undefined) return;
    }
    yield* parseLenientCsv(path, shape.delimiter, { first: irregular, line: regular.line, pieces });
  } finally {
    await pieces.return(undefined);
  }
}
