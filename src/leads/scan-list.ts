import { createHash } from 'node:crypto';
import type { ListMapping } from '../domain/list-mapping.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import type { ColumnChoice } from './column-choices.ts';
import type { CsvRow } from './csv-rows.ts';
import { FALLBACK_ENCODING } from './encodings.ts';
import { findHeader } from './find-header.ts';
import { formatOf, listRows, type FormatOptions, type ListFormat } from './list-rows.ts';
import { NotInEncoding } from './list-text.ts';
import { AmbiguousPhoneColumns, mapColumns } from './map-columns.ts';
import { NumberMemory } from './number-memory.ts';
import type { ParsedPhone } from './parse-phone.ts';
import { holdsNumbers } from './phone-columns.ts';

/** A list that can be read to its end: nothing in it will stop the import half way. */
export interface ScannedList {
  /** As it is called in messages and results. */
  path: string;
  /** Where its bytes are; not `path` where they came in by standard input. */
  file: string;
  sha256: string;
  format: ListFormat;
  /** As in the file; `column_5` and so on for columns that only rows have, and where no row has names. */
  headers: string[];
  /** The line of the column names; 0 where there are none. What stands above them is no data. */
  headerLine: number;
  /** How many columns have names. */
  named: number;
  mapping: ListMapping;
  /** Up to three values of each column, for people. */
  samples: string[][];
  /** Data rows: all below the column names but blank lines. */
  rows: number;
  /** What is odd about the whole list, a sentence each. */
  warnings: string[];
  /** What was read, so that a plan and its import need not read and parse twice; emptied by the import. */
  memory: ListMemory;
}

export interface ListMemory {
  /** The rows, names first, of a list that is not too long; null: it is read from the file again. */
  rows: CsvRow[] | null;
  /** Numbers by country and cell. */
  phones: Map<string, ParsedPhone>;
  /** Numbers by row. */
  numbers: NumberMemory;
}

export interface ScanOptions extends FormatOptions {
  /** Default: the path. */
  file?: string | undefined;
  /** The operator's word on columns. */
  choices?: readonly ColumnChoice[];
  /** How a list with these headers was mapped before; weaker than choices. */
  known?: ((headers: readonly string[]) => ListMapping | undefined) | undefined;
}

/** So many rows and numbers are remembered, some 20 MB; a longer list is read again, and parsed again beyond. */
export const MOST_REMEMBERED = 50_000;

/** So many rows decide which columns hold what. */
const FIRST_ROWS = 200;

/**
 * Reads a list once, without looking at its numbers: finds its encoding, its column names and its columns,
 * counts its rows, and fails on everything that would make a later reading stop.
 *
 * @throws AppError `LIST_NOT_FOUND`, `LIST_EMPTY`, `LIST_UNREADABLE`, `LIST_HAS_NO_PHONE_COLUMN`,
 *   `LIST_HAS_NO_COLUMN`, `LIST_COLUMN_UNCLEAR`, `SHEET_UNKNOWN`, `FLAG_INVALID`
 */
export async function scanList(path: string, options: ScanOptions = {}): Promise<ScannedList> {
  const format = await formatOf(options.file ?? path, options);
  try {
    return await scan(path, format, options, []);
  } catch (error) {
    if (!(error instanceof NotInEncoding) || format.kind !== 'text' || !format.guessed) throw error;
    const warning = `line ${error.line} is not UTF-8, so the list is read as ${FALLBACK_ENCODING}; if names look wrong, say what it is with --encoding`;
    return scan(path, { ...format, encoding: FALLBACK_ENCODING }, options, [warning]);
  }
}

async function scan(
  path: string,
  format: ListFormat,
  options: ScanOptions,
  warnings: string[],
): Promise<ScannedList> {
  const { file = path } = options;
  const hash = createHash('sha256');
  const memory: ListMemory = { rows: [], phones: new Map(), numbers: new NumberMemory() };
  const first: CsvRow[] = [];
  let layout: Layout | undefined;
  let rows = 0;
  let width = 0;
  const count = ({ cells }: CsvRow) => {
    rows += 1;
    width = Math.max(width, widthOf(cells));
  };
  const begin = () => {
    layout = layOut(path, first, options);
    for (const row of first) if (row.line > layout.headerLine) count(row);
  };
  let zeros: number | undefined;
  const all = listRows(
    file,
    format,
    (bytes) => hash.update(bytes),
    (line) => (zeros ??= line),
  );
  for await (const row of all) {
    if (memory.rows?.push(row) === MOST_REMEMBERED + 2) memory.rows = null;
    if (layout !== undefined) count(row);
    else if (first.push(row) === FIRST_ROWS) begin();
  }
  if (first.length === 0) throw empty(path, 'is empty');
  if (layout === undefined) begin();
  const found: Layout | undefined = layout;
  if (found === undefined || rows === 0) throw empty(path, 'has column names but no rows');
  const { headers, headerLine, mapping, samples, named } = found;
  for (let n = headers.length + 1; n <= width; n++) headers.push(`column_${n}`);
  if (zeros !== undefined) warnings.push(`line ${zeros} has zero bytes, which are taken out`);
  warnings.push(...found.warnings);
  const sha256 = hash.digest('hex');
  return {
    path,
    file,
    sha256,
    format,
    headers,
    headerLine,
    named,
    mapping,
    samples,
    rows,
    warnings,
    memory,
  };
}

type Layout = Pick<
  ScannedList,
  'headers' | 'headerLine' | 'named' | 'mapping' | 'samples' | 'warnings'
>;

/** Which of the first rows has the names, and which columns hold what. */
function layOut(path: string, first: readonly CsvRow[], options: ScanOptions): Layout {
  const { choices = [], known } = options;
  const cells = first.map((row) => row.cells);
  const at = findHeader(cells, choices);
  const header = first[at];
  const width = Math.max(...cells.map((row) => row.length));
  const headers =
    header === undefined
      ? Array.from({ length: width }, (_, n) => `column_${n + 1}`)
      : header.cells.map((name) => name.trim());
  const data = cells.slice(at + 1);
  const mapping =
    (choices.length === 0 ? known?.(headers) : undefined) ??
    mapColumns(
      path,
      headers,
      data,
      header === undefined ? byContent(path, headers, data, choices) : choices,
    );
  const warnings: string[] = [];
  if (header === undefined) {
    const column = (mapping.phones[0] ?? 0) + 1;
    warnings.push(`no line has column names; the numbers are in column ${column}`);
  } else if (at > 0) {
    const above = at === 1 ? '1 line' : `${at} lines`;
    warnings.push(`${above} above the column names (line ${header.line}) are left out`);
  }
  const headerLine = header?.line ?? 0;
  const named = header?.cells.length ?? cells[0]?.length ?? 0;
  return { headers, headerLine, named, mapping, samples: samplesOf(headers, data), warnings };
}

/** Without names a single column of numbers is the one; of several the operator chooses. */
function byContent(
  path: string,
  headers: readonly string[],
  data: readonly string[][],
  choices: readonly ColumnChoice[],
): readonly ColumnChoice[] {
  if (choices.some(({ target }) => target === 'phone')) return choices;
  const numbers = headers.flatMap((_, index) =>
    holdsNumbers(data, index) === true ? [index] : [],
  );
  if (numbers.length > 1) throw new AmbiguousPhoneColumns(path, headers, numbers);
  const chosen = numbers.map((index) => ({ target: 'phone', column: `#${index + 1}` }) as const);
  return [...choices, ...chosen];
}

const SAMPLES = 3;

function samplesOf(headers: readonly string[], rows: readonly (readonly string[])[]): string[][] {
  return headers.map((_, index) => {
    const values = new Set<string>();
    for (const row of rows) {
      const value = (row[index] ?? '').trim();
      if (value !== '' && values.size < SAMPLES) values.add(value);
    }
    return [...values];
  });
}

/** How many cells of a row are there, empty ones at its end not counted. */
export function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell !== '') + 1;
}

function empty(path: string, what: string): AppError {
  return new AppError(
    'LIST_EMPTY',
    `${path} ${what}; a list has a line of names and a row a lead.`,
    {
      hint: 'export the list again, or check that it is the right file',
      exitCode: EXIT.usage,
    },
  );
}
