import { createHash } from 'node:crypto';
import type { CountryCode } from 'libphonenumber-js/max';
import type { E164 } from '../domain/phone.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import { countryNamed } from './countries.ts';
import { csvRows, type CsvRow, type CsvShape } from './csv-rows.ts';
import { isFictional } from './fictional.ts';
import { readHead } from './list-text.ts';
import { mapColumns, type Columns } from './map-columns.ts';
import { parsePhone, type ParsedPhone } from './parse-phone.ts';
import { duplicateInList, refusal, unknownCountry, type Refusal } from './refusal.ts';
import { sniffDelimiter } from './sniff-delimiter.ts';

/** A list that can be read to its end: nothing in it will stop the import half way. */
export interface ScannedList {
  path: string;
  sha256: string;
  shape: CsvShape;
  /** As in the file; `column_5` and so on for columns that only rows have. */
  headers: string[];
  columns: Columns;
  /** Data rows: all but blank lines and the headers. */
  rows: number;
  /** What was read, so that a plan and its import need not read and parse twice; emptied by the import. */
  memory: ListMemory;
}

interface ListMemory {
  /** The rows, names first, of a list that is not too long; null: it is read from the file again. */
  rows: CsvRow[] | null;
  /** Numbers by country and cell. */
  phones: Map<string, ParsedPhone>;
}

/** So many rows and numbers are remembered, some 20 MB; a longer list is read again, and parsed again beyond. */
const MOST_REMEMBERED = 50_000;

export interface RowOptions {
  /** The country of numbers without `+`; null: such rows are rejected, never guessed. */
  country: CountryCode | null;
  /** Rejects numbers of ranges kept for fiction, as a live service needs it. */
  refuseFictional: boolean;
}

/** What is odd about a row that is taken all the same. */
export type NoteCode = 'ragged_row' | 'unassigned_number';

export interface RowNote {
  code: NoteCode;
  text: string;
}

/** Every data row is exactly one of the three. */
export type ListRow = { line: number; cells: string[]; notes: RowNote[] } & (
  | { kind: 'good'; phone: E164; fictional: boolean }
  | { kind: 'rejected'; refusal: Refusal }
  | { kind: 'duplicate'; refusal: Refusal }
);

/**
 * Reads a list once, without looking at its numbers: finds its columns, counts its rows, and fails on
 * everything that would make a later reading stop.
 *
 * @throws AppError `LIST_NOT_FOUND`, `LIST_EMPTY`, `LIST_UNREADABLE`, `LIST_HAS_NO_PHONE_COLUMN`
 */
export async function scanList(path: string): Promise<ScannedList> {
  const { head, encoding } = await readHead(path);
  const shape = { encoding, delimiter: sniffDelimiter(head) };
  const hash = createHash('sha256');
  let headers: string[] | undefined;
  let columns: Columns | undefined;
  let rows = 0;
  let width = 0;
  const memory: ListMemory = { rows: [], phones: new Map() };
  for await (const row of csvRows(path, shape, (bytes) => hash.update(bytes))) {
    const { cells } = row;
    if (rows === MOST_REMEMBERED) memory.rows = null;
    memory.rows?.push(row);
    if (headers === undefined) {
      columns = mapColumns(path, cells);
      headers = [...cells];
    } else {
      rows += 1;
      width = Math.max(width, widthOf(cells));
    }
  }
  if (headers === undefined || columns === undefined) throw empty(path, 'is empty');
  if (rows === 0) throw empty(path, 'has column names but no rows');
  for (let n = headers.length + 1; n <= width; n++) headers.push(`column_${n}`);
  const sha256 = hash.digest('hex');
  return { path, sha256, shape, headers, columns, rows, memory };
}

/**
 * The rows of a scanned list, as they were then. Of a long list it holds one row and the numbers seen so far.
 *
 * @throws AppError `LIST_CHANGED` at the end of a list too long to be remembered, when the file's bytes are
 *   not those that were scanned
 */
export async function* readRows(list: ScannedList, options: RowOptions): AsyncGenerator<ListRow> {
  const firstLines = new Map<E164, number>();
  let namedColumns: number | undefined;
  for await (const row of list.memory.rows ?? readAgain(list)) {
    if (namedColumns === undefined) namedColumns = row.cells.length;
    else yield judge(row, namedColumns);
  }

  function judge(row: CsvRow, named: number): ListRow {
    const { line } = row;
    const cells = fit(row.cells, list.headers.length);
    const notes =
      widthOf(row.cells) > named || row.cells.length < named ? [ragged(row, named)] : [];
    const parsed = phoneOf(cells);
    if (!parsed.ok) return { kind: 'rejected', line, cells, notes, refusal: parsed.refusal };
    const { phone } = parsed;
    const fictional = isFictional(phone);
    if (fictional && options.refuseFictional) {
      const why = refusal('fictional_number', cells[list.columns.phone] ?? '');
      return { kind: 'rejected', line, cells, notes, refusal: why };
    }
    const firstLine = firstLines.get(phone);
    if (firstLine !== undefined) {
      return { kind: 'duplicate', line, cells, notes, refusal: duplicateInList(phone, firstLine) };
    }
    firstLines.set(phone, line);
    if (!parsed.assigned) notes.push(unassigned(phone));
    return { kind: 'good', line, cells, notes, phone, fictional };
  }

  /** A row's own country outranks the operator's; one that is not known leaves nothing to assume. */
  function phoneOf(cells: string[]) {
    const cell = cells[list.columns.phone] ?? '';
    const named = (cells[list.columns.country ?? -1] ?? '').trim();
    if (named === '') return parseOnce(list.memory, cell, options.country);
    const parsed = parseOnce(list.memory, cell, countryNamed(named) ?? null);
    const isUnknown = !parsed.ok && parsed.refusal.code === 'no_country';
    return isUnknown ? { ok: false as const, refusal: unknownCountry(cell, named) } : parsed;
  }
}

/** Lets go of what was remembered: nobody reads the list a further time. */
export function forgetRows({ memory }: ScannedList): void {
  memory.rows = null;
  memory.phones.clear();
}

async function* readAgain(list: ScannedList): AsyncGenerator<CsvRow> {
  const hash = createHash('sha256');
  yield* csvRows(list.path, list.shape, (bytes) => hash.update(bytes));
  if (hash.digest('hex') !== list.sha256) throw changed(list.path);
}

/** `parsePhone` with a memory: parsing takes most of the time of reading a list. */
function parseOnce({ phones }: ListMemory, cell: string, country: CountryCode | null): ParsedPhone {
  const key = `${country ?? ''}:${cell}`;
  let parsed = phones.get(key);
  if (parsed === undefined) {
    parsed = parsePhone(cell, country);
    if (phones.size < MOST_REMEMBERED) phones.set(key, parsed);
  }
  return parsed;
}

function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell !== '') + 1;
}

function fit(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, i) => cells[i] ?? '');
}

function ragged(row: CsvRow, named: number): RowNote {
  const has = `line ${row.line} has ${row.cells.length} cells, the column names are ${named}`;
  const done = row.cells.length < named ? 'the missing ones are empty' : 'the others are kept';
  return { code: 'ragged_row', text: `${has}; ${done}` };
}

function unassigned(phone: E164): RowNote {
  return { code: 'unassigned_number', text: `${phone} is in a range not known to be in use` };
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

function changed(path: string): AppError {
  return new AppError(
    'LIST_CHANGED',
    `${path} was changed while it was read; none of its leads is called.`,
    {
      hint: 'run the same command again when nothing writes to the file',
    },
  );
}
