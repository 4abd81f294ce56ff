import type { ListMapping, MappingChoice } from '../../domain/lists/list-mapping.ts';
import { columnOf, type ColumnChoice } from './column-choices.ts';
import { noColumn, type Table } from './column-errors.ts';
import { widthOf, type CsvRow } from '../read/row.ts';
import { FALLBACK_ENCODING } from '../read/encodings.ts';
import { findHeader } from './find-header.ts';
import type { ListFormat } from '../read/list-rows.ts';
import { AmbiguousPhoneColumns, mapColumns } from './map-columns.ts';
import { holdsNumbers } from './phone-columns.ts';
import { chosenIn, mergeChoices, stricter } from './remembered-mapping.ts';
import { rowShape, type RowShape } from './row-shape.ts';
import { hasSpacedColumns } from './spaced-columns.ts';
import { unreadable } from '../read/unreadable.ts';

/** What the first rows of a list tell about the list. */
export interface ListLayout {
  /** As in the file; `column_1` and so on where no row has names. */
  headers: string[];
  /** The line of the header row; 0 where there is none. Rows above it are not data. */
  headerLine: number;
  /** How many cells the rows have. */
  shape: RowShape;
  mapping: ListMapping;
  /** The first rows, without shifted ones, by which the columns are recognised. */
  table: Table;
  /** Up to three values of each column, to be shown to the operator. */
  samples: string[][];
  /** What the operator should know of the list, a sentence each. */
  warnings: string[];
}

export interface LayoutOptions {
  /** Columns that the operator chose with --map. */
  choices?: readonly ColumnChoice[];
  /** True: a list of people who must not be called, so all its phone columns are read. Default false. */
  toSuppress?: boolean | undefined;
  /** How earlier lists with these columns were mapped, the newest last; see `alignMapping`. */
  known?: ((list: KnownBy) => ListMapping[]) | undefined;
  /** Columns of consent in which a row after the first ones says yes, so that an empty cell is none. */
  marked?: readonly number[];
  /** True: it is not asked what the columns hold, and the mapping is empty. Default false. */
  unmapped?: boolean | undefined;
}

/** What earlier lists are compared by. */
export interface KnownBy {
  headers: readonly string[];
  /** False: the headers are `column_1` and so on, which say nothing about the columns. */
  hasHeader: boolean;
}

/**
 * Finds the header row, and what each column holds.
 *
 * @param first the first rows of the list; at least one
 */
export function layOut(
  path: string,
  first: readonly CsvRow[],
  format: ListFormat,
  options: LayoutOptions,
): ListLayout {
  const { choices = [], toSuppress } = options;
  const cells = first.map((row) => row.cells);
  const at = findHeader(cells, choices);
  const header = first[at];
  if (header?.isDamaged === true) {
    const what = `has column names that cannot be read as UTF-8 (line ${header.line})`;
    const next = 'write the names anew, and save the file as "CSV UTF-8"';
    throw unreadable(path, what, undefined, next);
  }
  const below = cells.slice(at + 1);
  const delimiter = format.kind === 'text' ? format.delimiter : null;
  const shape = rowShape(header?.cells ?? null, below, delimiter);
  // Shifted rows have cells in the wrong columns, so they must not decide what a column holds.
  const data = below.filter((row) => widthOf(row) <= shape.columns);
  const headers =
    header === undefined
      ? Array.from({ length: shape.columns }, (_, n) => `column_${n + 1}`)
      : header.cells.map((name) => name.trim());
  if (toSuppress !== true && hasSpacedColumns(header?.cells ?? null, below)) {
    const what = 'has columns separated by spaces or something else that cannot be told from words';
    const next = 'export it with commas, semicolons or tabs between the columns';
    throw unreadable(path, what, undefined, next);
  }
  const table = { path, headers, rows: data };
  const mapping =
    options.unmapped === true ? UNMAPPED : mapTable(table, header !== undefined, options);
  if (format.kind === 'text') refuseOtherScripts(path, headers, format);
  const warnings: string[] = [];
  if (header === undefined) {
    const [column] = mapping.phones;
    const where = column === undefined ? '' : `; the numbers are in column ${column + 1}`;
    warnings.push(`no line has column names${where}`);
  } else if (at > 0) {
    const above = at === 1 ? '1 line' : `${at} lines`;
    warnings.push(`${above} above the column names (line ${header.line}) left out`);
  }
  const headerLine = header?.line ?? 0;
  const samples = samplesOf(headers, data);
  return { headers, headerLine, shape, mapping, table, samples, warnings };
}

const UNMAPPED: ListMapping = { phones: [], fields: {}, doNotCall: [] };

/**
 * Finds what the columns hold: by what a person chose, now or for an earlier list, and else by this list's own cells.
 * Columns that kept people of an earlier list from being called do so here, too.
 *
 * @param table its rows: the first ones, without shifted rows
 * @param hasHeader false: no row has column names
 * @throws AppError `LIST_HAS_NO_COLUMN`, those of `mapColumns`
 */
export function mapTable(table: Table, hasHeader: boolean, options: LayoutOptions): ListMapping {
  const { path, headers, rows } = table;
  const { choices = [], known, toSuppress, marked = [] } = options;
  const before = known?.({ headers, hasHeader }) ?? [];
  const all = [...before.map(chosenIn), choices.map((choice) => toIndex(choice, table))];
  const chosen = all.reduce(mergeChoices, []);
  const by = hasHeader ? chosen : byContent(table, chosen, toSuppress);
  const mapping = mapColumns(path, headers, rows, by, toSuppress);
  const found = before.reduce((now, one) => stricter(now, one, chosen), mapping);
  const mayCall = found.mayCall?.map((one) => ({
    ...one,
    emptyIsNo: one.emptyIsNo || marked.includes(one.column),
  }));
  return { ...found, ...(mayCall && { mayCall }), chosen };
}

function toIndex(choice: ColumnChoice, table: Table): MappingChoice {
  const column = columnOf(choice, table.headers);
  if (column === undefined) throw noColumn(table, choice.column);
  return { target: choice.target, column };
}

export type ColumnHeaders = ReturnType<typeof columnHeaders>;

/** The names of a list's columns, and of the one that holds the number to call. */
export function columnHeaders({ headers, mapping }: ListLayout) {
  return { headers, phoneColumn: headers[mapping.phones[0] ?? -1] ?? '' };
}

/** Without a header row, a single column of numbers is used; of several the operator chooses, or all are suppressed. */
function byContent(
  table: Table,
  choices: readonly MappingChoice[],
  toSuppress = false,
): readonly MappingChoice[] {
  const { headers, rows } = table;
  if (choices.some(({ target }) => target === 'phone')) return choices;
  const numbers = headers.flatMap((_, index) =>
    holdsNumbers(rows, index) === true ? [index] : [],
  );
  if (numbers.length > 1 && !toSuppress) throw new AmbiguousPhoneColumns(table, numbers);
  return [...choices, ...numbers.map((column) => ({ target: 'phone' as const, column }))];
}

const SAMPLES = 3;

function samplesOf(headers: readonly string[], rows: readonly (readonly string[])[]): string[][] {
  return headers.map((_, index) => {
    const values = new Set(rows.map((row) => (row[index] ?? '').trim()));
    return [...values].filter((value) => value !== '').slice(0, SAMPLES);
  });
}

/** Refuses column names in an unknown encoding: one of them may be the do-not-call column. */
function refuseOtherScripts(
  path: string,
  headers: readonly string[],
  { guessed, encoding }: Extract<ListFormat, { kind: 'text' }>,
): void {
  if (!guessed || encoding !== FALLBACK_ENCODING) return;
  const unread = headers.find((header) => /[^\0-\x7f]{3}/.test(header));
  if (unread === undefined) return;
  const what = `has column names ("${unread}") that are neither UTF-8 nor Western European`;
  const next = 'save it as "CSV UTF-8", or give its --encoding, e.g. windows-1251 or shift_jis';
  throw unreadable(path, what, undefined, next);
}
