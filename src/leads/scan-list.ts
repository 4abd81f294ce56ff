import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { ListMapping } from '../domain/list-mapping.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import type { ColumnChoice } from './column-choices.ts';
import type { CsvRow } from './csv-rows.ts';
import { FALLBACK_ENCODING } from './encodings.ts';
import { findHeader } from './find-header.ts';
import { packingOf } from './list-bytes.ts';
import { ListMemory } from './list-memory.ts';
import { formatOf, listRows, type FormatOptions, type ListFormat } from './list-rows.ts';
import { NotInEncoding } from './list-text.ts';
import { AmbiguousPhoneColumns, broughtUpToDate, mapColumns } from './map-columns.ts';
import { holdsNumbers } from './phone-columns.ts';
import { rowShape, widthOf, type RowShape } from './row-shape.ts';

/** A list that can be read to its end: nothing in it will stop the import half way. */
export interface ScannedList {
  /** As it is called in messages and results. */
  path: string;
  /** Where its bytes are; not `path` where they came in by standard input. */
  file: string;
  sha256: string;
  format: ListFormat;
  /** As in the file; `column_1` and so on where no row has names. */
  headers: string[];
  /** The line of the column names; 0 where there are none. What stands above them is no data. */
  headerLine: number;
  /** How wide its rows are. */
  shape: RowShape;
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

export interface ScanOptions extends FormatOptions {
  /** Default: the path. */
  file?: string | undefined;
  /** The operator's word on columns. */
  choices?: readonly ColumnChoice[];
  /** The list is of people who are not to be called: all its numbers count. Default false. */
  toSuppress?: boolean | undefined;
  /** How a list with these headers was mapped before; weaker than choices. */
  known?: ((headers: readonly string[]) => ListMapping | undefined) | undefined;
}

/** So many rows decide which columns hold what. */
const FIRST_ROWS = 200;

/** What is known of a list once its first rows are read. */
export type ListColumns = Pick<
  ScannedList,
  'headers' | 'headerLine' | 'shape' | 'mapping' | 'samples' | 'warnings' | 'memory'
>;

/** Takes the data rows of a list as they are read; `progress` counts those behind it. */
export type RowVisitor = (rows: CsvRow[], progress: RowProgress) => void | Promise<void>;

/** `total` is estimated by the size of the file while it is read. */
export interface RowProgress {
  done: number;
  total: number;
}

/**
 * Reads a list once, without looking at its numbers: finds its encoding, its column names and its columns,
 * counts its rows, and fails on everything that would make a later reading stop.
 *
 * @param visit is given the columns, and answers with what shall see the rows in the same reading; asked again,
 *   and the rows come anew, where the list turns out to be in another encoding. Default: nobody looks at them
 * @throws AppError `LIST_NOT_FOUND`, `LIST_EMPTY`, `LIST_UNREADABLE`, `LIST_HAS_NO_PHONE_COLUMN`,
 *   `LIST_HAS_NO_COLUMN`, `LIST_COLUMN_UNCLEAR`, `SHEET_UNKNOWN`, `FLAG_INVALID`
 */
export async function scanList(
  path: string,
  options: ScanOptions = {},
  visit: (columns: ListColumns) => RowVisitor = () => () => undefined,
): Promise<ScannedList> {
  const format = await formatOf(options.file ?? path, options);
  try {
    return await scan(path, format, options, visit, []);
  } catch (error) {
    if (!(error instanceof NotInEncoding) || format.kind !== 'text' || !format.guessed) throw error;
    const warning = `line ${error.line} is not UTF-8, so the list is read as ${FALLBACK_ENCODING}; if names look wrong, say what it is with --encoding`;
    const guessed = { ...format, encoding: FALLBACK_ENCODING };
    return await scan(path, guessed, options, visit, [warning]).catch((second: unknown) => {
      throw withGuess(second, warning);
    });
  }
}

/** Names that nobody can read are the first sign of a wrong encoding. */
function withGuess(error: unknown, warning: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'LIST_HAS_NO_PHONE_COLUMN') return error;
  const { code, message, hint = 'see above', exitCode } = error;
  const next = `if these names look wrong, give --encoding, e.g. --encoding shift_jis; else ${hint}`;
  return new AppError(code, `${message} Its ${warning}.`, { hint: next, exitCode, cause: error });
}

async function scan(
  path: string,
  format: ListFormat,
  options: ScanOptions,
  visit: (columns: ListColumns) => RowVisitor,
  warnings: string[],
): Promise<ScannedList> {
  const { file = path } = options;
  const hash = createHash('sha256');
  const memory = new ListMemory();
  const estimate = await sizeInRows(file);
  const first: CsvRow[] = [];
  let columns: ListColumns | undefined;
  let onRows: RowVisitor | undefined;
  let rows = 0;
  let seen = 0;
  let bytes = 0;
  let zeros: number | undefined;

  async function take(data: CsvRow[]): Promise<void> {
    rows += data.length;
    await onRows?.(data, { done: rows, total: estimate(rows, bytes) });
  }
  async function begin(): Promise<void> {
    const found = { ...layOut(path, first.slice(0, FIRST_ROWS), format, options), memory };
    columns = found;
    onRows = visit(found);
    await take(first.filter((row) => row.line > found.headerLine));
  }

  const all = listRows(
    file,
    format,
    (piece) => {
      hash.update(piece);
      bytes += piece.length;
    },
    (line) => (zeros ??= line),
  );
  for await (const piece of all) {
    seen += piece.length;
    memory.remember(piece, estimate(seen, bytes));
    if (columns !== undefined) await take(piece);
    else {
      for (const row of piece) first.push(row);
      if (first.length >= FIRST_ROWS) await begin();
    }
  }
  if (first.length === 0) throw empty(path, 'is empty');
  if (columns === undefined) await begin();
  const found: ListColumns | undefined = columns;
  if (found === undefined || rows === 0) throw empty(path, 'has column names but no rows');
  if (zeros !== undefined) warnings.push(`line ${zeros} has zero bytes, which are taken out`);
  warnings.push(...found.warnings);
  return { ...found, path, file, sha256: hash.digest('hex'), format, rows, warnings };
}

/** How many rows a list will have, by the bytes read so far; of a packed one it is not known. */
async function sizeInRows(file: string): Promise<(rows: number, bytes: number) => number> {
  const { size } = await stat(file);
  const isPacked = (await packingOf(file)) !== 'plain';
  return (rows, bytes) =>
    isPacked || bytes === 0 ? rows : Math.max(rows, Math.round((rows * size) / bytes));
}

/** Which of the first rows has the names, and which columns hold what. */
function layOut(
  path: string,
  first: readonly CsvRow[],
  format: ListFormat,
  options: ScanOptions,
): Omit<ListColumns, 'memory'> {
  const { choices = [], known, toSuppress } = options;
  const cells = first.map((row) => row.cells);
  const at = findHeader(cells, choices);
  const header = first[at];
  const below = cells.slice(at + 1);
  const delimiter = format.kind === 'text' ? format.delimiter : null;
  const shape = rowShape(header?.cells ?? null, below, delimiter);
  // What has moved says nothing of a column.
  const data = below.filter((row) => widthOf(row) <= shape.columns);
  const headers =
    header === undefined
      ? Array.from({ length: shape.columns }, (_, n) => `column_${n + 1}`)
      : header.cells.map((name) => name.trim());
  const before = choices.length === 0 ? known?.(headers) : undefined;
  const said = () => (header === undefined ? byContent(path, headers, data, choices) : choices);
  const mapping =
    before === undefined
      ? mapColumns(path, headers, data, said(), toSuppress)
      : broughtUpToDate(path, headers, data, before);
  const warnings: string[] = [];
  if (header === undefined) {
    const column = (mapping.phones[0] ?? 0) + 1;
    warnings.push(`no line has column names; the numbers are in column ${column}`);
  } else if (at > 0) {
    const above = at === 1 ? '1 line' : `${at} lines`;
    warnings.push(`${above} above the column names (line ${header.line}) are left out`);
  }
  const headerLine = header?.line ?? 0;
  return { headers, headerLine, shape, mapping, samples: samplesOf(headers, data), warnings };
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
