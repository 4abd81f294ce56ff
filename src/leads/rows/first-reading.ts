import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import type { Clock } from '../../runtime/clock.ts';
import { AppError, usageError } from '../../runtime/errors.ts';
import { grouped } from '../../text/amounts.ts';
import { remembered } from '../../text/fold-words.ts';
import type { ColumnChoice } from '../columns/column-choices.ts';
import { layOut, mapTable, type LayoutOptions, type ListLayout } from '../columns/layout.ts';
import { dayGiven } from '../columns/permission-answers.ts';
import { saysYes } from '../columns/words/permission-words.ts';
import { lastDayIn } from '../columns/words/read-refusal.ts';
import { FALLBACK_ENCODING } from '../read/file-kinds.ts';
import { packingOf } from '../read/list-bytes.ts';
import { formatOf, listRows, type FormatOptions, type ListFormat } from '../read/list-rows.ts';
import { isNearlyUtf8, NotInEncoding } from '../read/list-text.ts';
import { inTurns, type CsvRow } from '../read/row.ts';
import { ListMemory, type ListColumns } from './row-numbers.ts';
import { CellCounts } from './list-row.ts';

/** A list that was read to its end without an error, so that its import will not stop halfway. */
export interface ScannedList extends ListLayout {
  /** The list's name in messages and results. */
  path: string;
  /** The file that holds the bytes; differs from `path` where the list came from standard input. */
  file: string;
  sha256: string;
  format: ListFormat;
  /** Rows below the column names, without blank lines. */
  rows: number;
  /** What the survey read and parsed, for the import to use again; the import empties it. */
  memory: ListMemory;
}

export interface ScanOptions extends FormatOptions, LayoutOptions {
  /** The file that holds the bytes; default: the path. */
  file?: string | undefined;
  /** Asked with the rows so far, batch by batch: true ends the reading there. It may throw. */
  isEnough?: ((rows: number) => boolean) | undefined;
}

const FIRST_ROWS = 200;

/** Receives the data rows in batches, as they are read; `progress` counts the batch as done. */
type RowVisitor = (rows: CsvRow[], progress: RowProgress) => void | Promise<void>;

/** Counts of rows. While the list is read, `total` is estimated from the size of the file. */
export interface RowProgress {
  done: number;
  total: number;
}

/**
 * Reads a list once: finds its encoding, column names and columns, counts its rows, and fails on everything that would
 * stop a later reading. Does not look at the numbers.
 * @param visit receives the columns and returns the visitor for the rows of the same reading; called again, with all
 *   rows from the first, where a later row shows that the list is in another encoding, or that a column marks people
 *   who may be called. Default: the rows are not visited
 */
export async function scanList(
  path: string,
  options: ScanOptions = {},
  visit: (columns: ListColumns) => RowVisitor = () => () => undefined,
): Promise<ScannedList> {
  const { file = path } = options;
  const format = await formatOf(file, options);
  try {
    return await scan(path, format, options, visit, []);
  } catch (error) {
    if (!(error instanceof NotInEncoding) || format.kind !== 'text' || !format.guessed) throw error;
    if (await isNearlyUtf8(file)) {
      const warning = `line ${error.line} and perhaps others have bytes that cannot be read as UTF-8: these rows are not taken`;
      return scan(path, { ...format, isDamaged: true }, options, visit, [warning]);
    }
    const warning = `line ${error.line} is not UTF-8, so the list is read as ${FALLBACK_ENCODING}; if names look wrong, save it as "CSV UTF-8" or say what it is with --encoding`;
    const guessed = { ...format, encoding: FALLBACK_ENCODING };
    return await scan(path, guessed, options, visit, [warning]).catch((second: unknown) => {
      throw withGuess(second, warning);
    });
  }
}

/** Adds the guessed encoding to the error about column names, as a wrong encoding makes the names unreadable. */
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
  given: readonly string[],
): Promise<ScannedList> {
  const { file = path } = options;
  const warnings = [...given];
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

  let answers: ReturnType<typeof lateAnswers> | undefined;
  async function take(data: CsvRow[]): Promise<void> {
    rows += data.length;
    answers?.look(data);
    await onRows?.(data, { done: rows, total: estimate(rows, bytes) });
  }
  async function begin(): Promise<ListColumns> {
    // Each of these may take 50 ms, the first time that a process reads a list.
    await setImmediate();
    const found = { ...layOut(path, first.slice(0, FIRST_ROWS), format, options), memory };
    await setImmediate();
    onRows = visit(found);
    answers = lateAnswers(found);
    const below = first.filter((row) => row.line > found.headerLine);
    for await (const some of inTurns([below])) await take(some);
    return found;
  }

  const all = listRows(
    file,
    format,
    (piece) => {
      hash.update(piece);
      bytes += piece.length;
    },
    (line) => (zeros ??= line),
    (text) => warnings.push(text),
  );
  for await (const piece of all) {
    seen += piece.length;
    memory.remember(piece, estimate(seen, bytes));
    if (columns !== undefined) await take(piece);
    else {
      for (const row of piece) first.push(row);
      if (first.length >= FIRST_ROWS) columns = await begin();
    }
    if (options.isEnough?.(rows) === true) break;
  }
  if (first.length === 0) throw empty(path, 'is empty');
  columns ??= await begin();
  if (rows === 0) throw empty(path, 'has column names but no rows');
  if (zeros !== undefined) warnings.push(`line ${zeros} has zero bytes, which are taken out`);
  const { marked = [] } = options;
  const more = [...(answers?.agreed ?? [])].filter((column) => !marked.includes(column));
  if (more.length > 0)
    return scan(path, format, { ...options, marked: [...marked, ...more] }, visit, given);
  warnings.push(...columns.warnings);
  return { ...columns, path, file, sha256: hash.digest('hex'), format, rows, warnings };
}

/**
 * Finds consent columns that say yes, or from which day on, only after the first rows: their empty cells are no
 * consent. Days that the first rows have, too, were judged with them.
 */
function lateAnswers({ mapping, table }: ListColumns) {
  const agreed = new Set<number>();
  const open = (mapping.mayCall ?? []).filter(({ emptyIsNo }) => !emptyIsNo);
  const agreements = open.map(({ column }) => {
    const hasDays = table.rows.some((row) => dayGiven(row[column] ?? '') !== null);
    const agrees = (cell: string) =>
      saysYes(cell) || lastDayIn(cell) !== null || (!hasDays && dayGiven(cell) !== null);
    return { column, agrees: remembered(agrees) };
  });
  return {
    /** The columns found so far. */
    agreed,
    look: (rows: readonly CsvRow[]): void => {
      for (const { column, agrees } of agreements)
        if (!agreed.has(column) && rows.some(({ cells }) => agrees(cells[column] ?? '')))
          agreed.add(column);
    },
  };
}

/** Estimates the rows of a list from the bytes read so far; for a compressed list, returns the rows read so far. */
async function sizeInRows(file: string): Promise<(rows: number, bytes: number) => number> {
  const { size } = await stat(file);
  const isPacked = (await packingOf(file)) !== 'plain';
  return (rows, bytes) =>
    isPacked || bytes === 0 ? rows : Math.max(rows, Math.round((rows * size) / bytes));
}

function empty(path: string, what: string): AppError {
  return usageError(
    'LIST_EMPTY',
    `${path} ${what}; a list has a line of column names and one row per lead.`,
    'export the list again, or check that it is the right file',
  );
}

/** A list whose columns nobody has chosen yet. */
export interface ListLook extends Pick<
  ScannedList,
  'format' | 'headers' | 'headerLine' | 'samples' | 'warnings'
> {
  /** Null: it has more than were looked at, which `warnings` says. */
  rows: number | null;
  /** What the columns hold, with these choices. */
  mapBy(choices: readonly ColumnChoice[]): ListMapping;
  /** What the cells of all its rows hold. */
  cells: CellCounts;
}

/** A person waits for the look, and may have sent anything: 100 million rows take minutes. */
const LOOKED_AT = { rows: 1_000_000, withinMs: 10_000 };

/**
 * Reads a list so that a person can say what its columns hold; unclear columns are no error. Of a very long one the
 * beginning is enough: an import reads all of it, and asks again about what comes later.
 * @param path its name, for messages
 * @throws AppError those of `scanList`, without those about columns
 */
export async function lookAtList(
  path: string,
  { clock, ...options }: FormatOptions & { file: string; clock: Pick<Clock, 'monotonic'> },
): Promise<ListLook> {
  const end = clock.monotonic() + LOOKED_AT.withinMs;
  let isWhole = true as boolean;
  const isEnough = (rows: number) => {
    isWhole = rows < LOOKED_AT.rows && clock.monotonic() < end;
    return !isWhole;
  };
  let cells = new CellCounts([]);
  const list = await scanList(path, { ...options, isEnough, unmapped: true }, ({ headers }) => {
    cells = new CellCounts(headers);
    return (rows) => {
      for (const row of rows) cells.count(row.cells);
    };
  });
  const { format, headers, headerLine, samples, warnings, rows, memory, table } = list;
  memory.forget();
  const mapBy = (choices: readonly ColumnChoice[]) =>
    mapTable(table, headerLine !== 0, { choices });
  const seen = { format, headers, headerLine, samples, mapBy, cells };
  if (isWhole) return { ...seen, warnings, rows };
  const warning = `only the first ${grouped(rows)} rows were looked at here; all are read before anybody is called`;
  return { ...seen, warnings: [...warnings, warning], rows: null };
}
