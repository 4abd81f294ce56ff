import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';

import { countLines, readText, type TextListeners } from './list-text.ts';
import { isNothing, RegularRows, unguarded } from './rfc4180-rows.ts';
import { rowSize, unreadable, type CsvRow } from './row.ts';

interface CsvShape {
  delimiter: string;
  encoding: string;
  /** True: the file is UTF-8 with some invalid bytes, and rows that contain some are marked. Default: they throw. */
  isDamaged?: boolean | undefined;
}

/**
 * The rows of a CSV file in batches, without blank lines and a leading `sep=` line. Tolerates quotes inside a cell,
 * rows with more or fewer cells and mixed line ends, but not a missing quote that joins several rows. `RegularRows`
 * reads the rows up to the first one that does not follow RFC 4180; csv-parse reads that row and all after it.
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

interface ParsedRow {
  record: string[];
  raw: string;
}

/** A limit, so that a quote which is never closed does not read the rest of a large file into memory. */
const LONGEST_ROW_BYTES = 1_000_000;

const ROWS_AT_ONCE = 500;
/** Fewer of them where they are long: the event loop turns only between batches. */
const BYTES_AT_ONCE = 250_000;

/**
 * Reads rows with csv-parse, which accepts rows that break RFC 4180; `csvRows` calls this where `RegularRows` stops.
 * @param path for messages
 * @param text the first piece of text, the line on which that piece begins, and the following pieces
 * @throws AppError `LIST_UNREADABLE`
 */
export async function* parseLenientCsv(
  path: string,
  delimiter: string,
  text: { first: string; line: number; pieces: AsyncIterable<string> },
): AsyncGenerator<CsvRow[]> {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    // The line count of csv-parse is one too high after a CRLF inside quotes, so lines are counted in the raw row.
    raw: true,
    max_record_size: LONGEST_ROW_BYTES,
  });
  let { line } = text;
  pipeline(together(text), parser, () => {
    // The parser is destroyed with the error, and the loop below throws it.
  });
  try {
    let rows: CsvRow[] = [];
    let size = 0;
    for await (const parsed of parser as AsyncIterable<ParsedRow>) {
      const row = toRow(parsed);
      if (row === null) continue;
      size += rowSize(row);
      if (rows.push(row) < ROWS_AT_ONCE && size < BYTES_AT_ONCE) continue;
      yield rows;
      rows = [];
      size = 0;
    }
    if (rows.length > 0) yield rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE') {
      const what = `line ${line} begins a row of more than ${LONGEST_ROW_BYTES} bytes`;
      throw unreadable(path, `is broken: ${what} (most likely a quote is not closed)`, error);
    }
    const raw: unknown = error['raw'];
    throw runTogether(typeof raw === 'string' ? raw : '', error);
  }

  function toRow({ record, raw }: ParsedRow): CsvRow | null {
    const start = line;
    const lines = Math.max(countLines(raw), 1);
    if (lines > 1 && strayQuote(raw, delimiter) !== undefined) throw runTogether(raw);
    line += lines;
    return isNothing(record, start) ? null : { line: start, cells: unguarded(record) };
  }

  function runTogether(raw: string, cause?: unknown) {
    const opened = strayQuote(raw, delimiter) ?? 0;
    const at = line + countLines(raw.slice(0, opened));
    const what = `line ${at} opens a quote that is not closed before the next column, so that lines run together`;
    return unreadable(path, `is broken: ${what}`, cause);
  }
}

async function* together(text: { first: string; pieces: AsyncIterable<string> }) {
  if (text.first !== '') yield text.first;
  yield* text.pieces;
}

/**
 * The position of a quoted cell that is malformed by RFC 4180: never closed, or with a bare quote inside. In a row of
 * several lines this means that a quote is missing and the following rows were read as a part of this row.
 */
function strayQuote(raw: string, delimiter: string): number | undefined {
  const ends = new Set([delimiter, '\r', '\n', undefined]);
  let at = 0;
  while (at < raw.length) {
    const opened = at;
    if (raw[at] === '"') {
      at += 1;
      while (at < raw.length && (raw[at] !== '"' || raw[at + 1] === '"')) {
        at += raw[at] === '"' ? 2 : 1;
      }
      if (at >= raw.length || !ends.has(raw[at + 1])) return opened;
      at += 1;
    }
    while (at < raw.length && !ends.has(raw[at])) at += 1;
    at += 1;
  }
  return undefined;
}

/** Delimiters that lists use, the most likely first. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

const LINES = 50;

const NUMBER = /^[\s"'=+(]*\d[\d\s()./-]{5,}(?:"\s*)?$/;

/**
 * The delimiter of a list: the one that a `sep=` line names, else the one that splits the most lines into the same
 * number of cells; of two equally good ones, the one that leaves more whole numbers in cells. The detection of
 * csv-parse splits one-column files at a digit.
 * @param head the beginning of the file
 */
export function sniffDelimiter(head: string): string {
  const named = /^\ufeff?sep=(.)\r?\n/i.exec(head)?.[1];
  if (named !== undefined) return named;
  const lines = linesOf(head);
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, score: scoreOf(lines, delimiter) }));
  return scored.reduce((best, next) => (isBetter(next.score, best.score) ? next : best)).delimiter;
}

/** The lines without quoted text and without the last line, which may be cut off. */
function linesOf(head: string): string[] {
  const pieces = head.split('"');
  // Every second piece is quoted, but not behind a quote without an end.
  const bare = pieces.filter((_, at) => at % 2 === 0 || at === pieces.length - 1).join('"');
  const lines = bare.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return lines.slice(0, Math.max(1, Math.min(LINES, lines.length - 1)));
}

/** Scores, most important first: lines with the usual number of cells, cells that are numbers, cells per line. */
function scoreOf(lines: readonly string[], delimiter: string): number[] {
  const widths = new Map<number, number>();
  let numbers = 0;
  for (const line of lines) {
    const cells = line.split(delimiter);
    if (cells.length > 1) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
    numbers += cells.filter((cell) => NUMBER.test(cell)).length;
  }
  const [width = 1, agreeing = 0] = [...widths].sort((a, b) => b[1] - a[1])[0] ?? [];
  return [agreeing, numbers, width];
}

function isBetter(score: readonly number[], than: readonly number[]): boolean {
  const at = score.findIndex((value, place) => value !== than[place]);
  return (score[at] ?? 0) > (than[at] ?? 0);
}
