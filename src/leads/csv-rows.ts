import { careful } from './careful-rows.ts';
import { readText, type Encoding } from './list-text.ts';
import { RegularRows, type CsvRow } from './regular-rows.ts';

export type { CsvRow } from './regular-rows.ts';

export interface CsvShape {
  delimiter: string;
  encoding: Encoding;
}

/**
 * The rows of a CSV file, some at a time, blank lines and a leading `sep=` line left out. Tolerant of quotes
 * inside a cell, of rows with more or fewer cells and of mixed line ends; not of rows that run into each other.
 * From the first row on that is not as RFC 4180 has it, csv-parse does the rest.
 *
 * @param onBytes is shown every byte of the list, unpacked
 * @param onZero is told the line of zero bytes, which are taken out
 * @throws AppError `LIST_UNREADABLE` naming the line where the quote opened that was not closed
 */
export async function* csvRows(
  path: string,
  shape: CsvShape,
  onBytes: (bytes: Buffer) => void,
  onZero?: (line: number) => void,
): AsyncGenerator<CsvRow[]> {
  const pieces = readText(path, shape.encoding, onBytes, onZero);
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
    yield* careful(path, shape.delimiter, { first: irregular, line: regular.line, pieces });
  } finally {
    await pieces.return(undefined);
  }
}
