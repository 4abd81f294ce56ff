import { pipeline } from 'node:stream';

import { unguard } from '../../domain/lists/spreadsheet.ts';
import { countLines, readText, type TextListeners } from './list-text.ts';
import { MOST_COLUMNS, rowSize, unreadable, type CsvRow } from './row.ts';

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
 */
export async function* parseLenientCsv(
  path: string,
  delimiter: string,
  text: { first: string; line: number; pieces: AsyncIterable<string> },
): AsyncGenerator<CsvRow[]> {
  const { CsvError, parse } = await import('csv-parse');
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

/** What was read from one piece of text. */
interface ReadRows {
  rows: CsvRow[];
  /** The rest of the text, from the first row that does not follow RFC 4180; undefined: no such row so far. */
  irregular: string | undefined;
}

/** The most characters of a row; a longer row counts as irregular. */
const LONGEST_ROW = 200_000;

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const GUARD = 0x27;

/**
 * Reads rows that follow RFC 4180, as nearly all lists do: a cell has no quotes, or is quoted as a whole with the
 * quotes inside doubled. It stops at the first other row. With csv-parse alone the import of a million rows takes 25 %
 * more processor time (33.6 s instead of 26.9 s) and exceeds its limit of 200 MB (206 MB).
 * @param delimiter one character, neither a quote nor a line end
 */
export class RegularRows {
  readonly #delimiter: string;
  #rest = '';
  /** The line on which the next row begins. */
  line = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** The rows that are complete with this piece; blank lines and a leading `sep=` line are left out. */
  read(piece: string, isLast: boolean): ReadRows {
    const text = this.#rest === '' ? piece : this.#rest + piece;
    const rows: CsvRow[] = [];
    let at = 0;
    // The next position of each character; searched again only once `at` has passed that position.
    let lf = text.indexOf('\n');
    let cr = text.indexOf('\r');
    let quote = text.indexOf('"');
    while (at < text.length) {
      if (lf !== -1 && lf < at) lf = text.indexOf('\n', at);
      if (cr !== -1 && cr < at) cr = text.indexOf('\r', at);
      if (quote !== -1 && quote < at) quote = text.indexOf('"', at);
      let end = lf === -1 ? text.length : lf;
      if (cr !== -1 && cr < end) end = cr;
      let cells: string[];
      let lines = 1;
      if (quote === -1 || quote > end) {
        cells = text.slice(at, end).split(this.#delimiter);
      } else {
        const row = this.#quotedRow(text, at, isLast);
        if (row === 'irregular') return { rows, irregular: text.slice(at) };
        if (row === 'incomplete') break;
        cells = row.cells;
        if (row.end > end) lines += countLines(text.slice(at, row.end));
        end = row.end;
      }
      // After a carriage return at the end of the text, the next piece may begin with the line feed.
      const isCut = end >= text.length || (end === text.length - 1 && text.charCodeAt(end) === CR);
      if (isCut && !isLast) break;
      if (end - at > LONGEST_ROW) return { rows, irregular: text.slice(at) };
      if (!isNothing(cells, this.line)) rows.push({ line: this.line, cells: unguarded(cells) });
      this.line += lines;
      at = end + (text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF ? 2 : 1);
    }
    this.#rest = at < text.length ? text.slice(at) : '';
    if (this.#rest.length > LONGEST_ROW) return { rows, irregular: this.#rest };
    return { rows, irregular: undefined };
  }

  /** @returns the cells of the row, and the position of its line end or of the end of the text */
  #quotedRow(
    text: string,
    start: number,
    isLast: boolean,
  ): { cells: string[]; end: number } | 'incomplete' | 'irregular' {
    const delimiter = this.#delimiter.charCodeAt(0);
    const cells: string[] = [];
    let at = start;
    for (;;) {
      let end: number;
      if (text.charCodeAt(at) === QUOTE) {
        const close = closingQuote(text, at + 1);
        if (close === -1) return isLast ? 'irregular' : 'incomplete';
        const cell = text.slice(at + 1, close);
        cells.push(cell.includes('"') ? cell.replaceAll('""', '"') : cell);
        end = close + 1;
        // The next piece may begin with a second quote.
        if (end === text.length && !isLast) return 'incomplete';
      } else {
        end = at;
        for (; end < text.length; end++) {
          const char = text.charCodeAt(end);
          if (char === delimiter || char === LF || char === CR) break;
          if (char === QUOTE) return 'irregular';
        }
        cells.push(text.slice(at, end));
      }
      const after = text.charCodeAt(end);
      if (end >= text.length || after === LF || after === CR) return { cells, end };
      if (after !== delimiter) return 'irregular';
      at = end + 1;
    }
  }
}

/** The position of the quote that ends a cell, skipping doubled quotes; -1 where there is none. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
  return at;
}

/** True for a blank line, and for the `sep=` line that some spreadsheets begin with. */
function isNothing(cells: readonly string[], line: number): boolean {
  const first = cells[0] ?? '';
  return (cells.length === 1 && first.trim() === '') || (line === 1 && /^sep=/i.test(first));
}

/**
 * Removes the `'` that an export puts before cells that a spreadsheet would run as formulas. Cells beyond the last
 * column of a list are refused as they are: a row may have a million.
 */
function unguarded(cells: string[]): string[] {
  for (let index = 0; index < Math.min(cells.length, MOST_COLUMNS); index++) {
    const cell = cells[index] ?? '';
    if (cell.charCodeAt(0) === GUARD) cells[index] = unguard(cell);
  }
  return cells;
}
