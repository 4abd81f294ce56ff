import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { countLines } from './list-text.ts';
import { isNothing, unguarded } from './rfc4180-rows.ts';
import { rowSize, type CsvRow } from './row.ts';
import { unreadable } from './unreadable.ts';

/** A row as csv-parse returns it with the option `raw`. */
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
 *
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
