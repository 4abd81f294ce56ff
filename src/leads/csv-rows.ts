import { pipeline } from 'node:stream';
import { CsvError, parse, type Options } from 'csv-parse';
import { unguard } from '../domain/csv.ts';
import { countLines, readText, type Encoding } from './list-text.ts';
import { unreadable } from './unreadable.ts';

export interface CsvRow {
  /** The line on which it starts, 1-based; a quoted cell may go over several. */
  line: number;
  cells: string[];
}

export interface CsvShape {
  delimiter: string;
  encoding: Encoding;
}

/** What csv-parse gives with the option `raw`. */
interface ParsedRow {
  record: string[];
  raw: string;
}

/** A quote that never closes must not gather the rest of a large file in memory. */
const LONGEST_ROW_BYTES = 1_000_000;

/**
 * The rows of a CSV file, blank lines and a leading `sep=` line left out. Tolerant of quotes inside a cell,
 * of rows with more or fewer cells and of mixed line ends; not of rows that run into each other.
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
): AsyncGenerator<CsvRow> {
  const options: Options = {
    delimiter: shape.delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    // csv-parse's own count is one too high after a CRLF inside quotes: lines are counted on the raw row.
    raw: true,
    max_record_size: LONGEST_ROW_BYTES,
  };
  const parser = parse(options);
  let line = 1;
  pipeline(readText(path, shape.encoding, onBytes, onZero), parser, () => {
    // The parser is destroyed with the error, and the loop below throws it.
  });
  try {
    for await (const parsed of parser as AsyncIterable<ParsedRow>) {
      const row = toRow(parsed);
      if (row !== null) yield row;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw tooLong(error);
    const raw: unknown = error['raw'];
    throw runTogether(typeof raw === 'string' ? raw : '', error);
  }

  function toRow({ record, raw }: ParsedRow): CsvRow | null {
    const start = line;
    const lines = Math.max(countLines(raw), 1);
    if (lines > 1 && strayQuote(raw, shape.delimiter) !== undefined) throw runTogether(raw);
    line += lines;
    const isBlank = record.length === 1 && record[0]?.trim() === '';
    const isSeparator = start === 1 && /^sep=/i.test(record[0] ?? '');
    return isBlank || isSeparator ? null : { line: start, cells: record.map(unguard) };
  }

  function tooLong(cause: unknown) {
    const what = `line ${line} begins a row of more than ${LONGEST_ROW_BYTES} bytes`;
    return unreadable(path, `is broken: ${what} (most likely a quote is not closed)`, cause);
  }

  function runTogether(raw: string, cause?: unknown) {
    const opened = strayQuote(raw, shape.delimiter) ?? 0;
    const at = line + countLines(raw.slice(0, opened));
    const what = `line ${at} opens a quote that is not closed before the next column, so that lines run together`;
    return unreadable(path, `is broken: ${what}`, cause);
  }
}

/**
 * Where a quoted cell opens that RFC 4180 would not let end where it does: never closed, or with a bare
 * quote inside. In a row of several lines that is a lost quote that has swallowed other people's rows.
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
