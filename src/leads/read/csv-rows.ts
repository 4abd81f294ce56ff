import { parseLenientCsv } from './lenient-csv.ts';
import { readText, type TextListeners } from './list-text.ts';
import { RegularRows } from './rfc4180-rows.ts';
import type { CsvRow } from './row.ts';
import { DAMAGE } from './utf8-damage.ts';

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
  listeners: Omit<TextListeners, 'onDamage'> = {},
): AsyncGenerator<CsvRow[]> {
  if (shape.isDamaged !== true) {
    yield* rowsOf(path, shape, listeners);
    return;
  }
  // Positions of invalid bytes, in order; a row takes as many of them as its cells have `DAMAGE` marks.
  const damage: number[] = [];
  const onDamage = (byte: number) => damage.push(byte);
  for await (const rows of rowsOf(path, shape, { ...listeners, onDamage })) {
    for (const row of rows) {
      const pieces = row.cells.join('').split(DAMAGE).length - 1;
      if (pieces === 0) continue;
      [row.damagedAt] = damage.splice(0, pieces);
      row.cells = row.cells.map((cell) => cell.replaceAll(DAMAGE, '\ufffd'));
    }
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
