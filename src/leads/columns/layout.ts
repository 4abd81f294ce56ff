import type { ListMapping, MappingChoice } from '../../domain/lists/list-mapping.ts';
import { foldWords } from '../../text/fold-words.ts';
import { looksLikeNumber } from '../phone/phone-cell.ts';
import { FALLBACK_ENCODING } from '../read/file-kinds.ts';
import type { ListFormat } from '../read/list-rows.ts';
import { unreadable, widthOf, type CsvRow } from '../read/row.ts';
import { columnOf, noColumn, type ColumnChoice, type Table } from './column-choices.ts';
import { AmbiguousPhoneColumns, mapColumns } from './map-columns.ts';
import {
  holdsNumbers,
  mostFrequent,
  phoneColumnsByName,
  rowShape,
  type RowShape,
} from './row-shape.ts';
import { chosenIn, mergeChoices, stricter } from './remembered-mapping.ts';
import { isPhoneName, isPhoneWord } from './words/number-words.ts';

type Row = readonly string[];

const ROWS_LOOKED_AT = 20;

/**
 * Returns the index of the header row among the first rows (at least one) of a list, or -1. Titles, a date and so on
 * may be above it. A row with a phone number is a lead, and the header row is never below a lead.
 */
function findHeader(rows: readonly Row[], choices: readonly ColumnChoice[]): number {
  const firstLead = rows.findIndex((row) => row.some(isOfLead));
  const above = rows.slice(0, Math.min(ROWS_LOOKED_AT, firstLead === -1 ? Infinity : firstLead));
  // A row counts as part of the table, and not as a title above it, when it is at least half as wide as most rows.
  const usual = mostFrequent(rows.map(filled));
  const isFull = (row: Row) => filled(row) >= usual / 2;
  const named = choices.filter(({ column }) => !/^(?:#\d+|-)$/.test(column));
  if (named.length > 0) {
    const chosen = above.findIndex((row) =>
      named.every((choice) => typeof columnOf(choice, row) === 'number'),
    );
    if (chosen !== -1) return chosen;
  }
  const candidates = above
    .map((row, index) => ({ row, index }))
    .filter(({ row }) => isFull(row) && phoneColumnsByName(row).length > 0);
  // A list of one column: "Phone numbers for spring" is a title, "phone" is a name.
  const isName = ({ row }: { row: Row }) => row.length > 1 || isNameAlone(row[0] ?? '');
  const best = candidates.find(isName) ?? candidates[0];
  if (best !== undefined) return best.index;
  // Unknown column names: a full row right above the first lead.
  if (firstLead === 0) return -1;
  const last = firstLead === -1 ? above.findIndex(isFull) : firstLead - 1;
  return rows[last] !== undefined && isFull(rows[last]) ? last : -1;
}

/** True for a cell with a phone number, also after a label (`Tel.: +1...`): its row is a lead, not the header row. */
function isOfLead(cell: string): boolean {
  return looksLikeNumber(cell) || /\+\d(?:[\s().-]*\d){6}/.test(cell);
}

function filled(row: Row): number {
  return row.filter((cell) => cell.trim() !== '').length;
}

/** True for a heading that consists of a phone header alone, such as `Phone number 2`. */
function isNameAlone(header: string): boolean {
  const folded = foldWords(header);
  const isKnown = (word: string) => isPhoneWord(word) || /^(?:numbers?|no|nr|\d)$/.test(word);
  return isPhoneName(folded) || folded.split(' ').every(isKnown);
}

const MOST = 0.6;
const BETWEEN = /[\s:^~#=>]+/;
const NUMBER = /^["']?\+?\d[\d().-]{5,}["']?$/;

/**
 * True for a table whose columns are separated by spaces, or by a character that is not a known delimiter: each row is
 * one cell, with a phone number and other words in it. A word for the kind of number (`mobile`) is not such a word.
 * @param headings null where the list has none
 */
function hasSpacedColumns(
  headings: readonly string[] | null,
  rows: readonly (readonly string[])[],
): boolean {
  const [heading = ''] = headings ?? [];
  if ((headings?.length ?? 1) > 1 || rows.some(({ length }) => length > 1)) return false;
  const isNamed = headings !== null;
  if (isNamed && (isNameAlone(heading) || !BETWEEN.test(heading.trim()))) return false;
  const filled = rows.map(([cell = '']) => cell.trim()).filter((cell) => cell !== '');
  const besides = filled.map(wordsBeside).filter((words) => words !== '');
  if (filled.length === 0 || besides.length < filled.length * MOST) return false;
  return isNamed || new Set(besides).size > 1;
}

/** The words beside a phone number in a cell; empty where the cell has no number, or nothing but a number. */
function wordsBeside(cell: string): string {
  const parts = cell.split(BETWEEN);
  if (!parts.some((part) => NUMBER.test(part))) return '';
  const words = parts.filter((part) => /\p{L}{2}/u.test(part)).map(foldWords);
  return words.every(isPhoneWord) ? '' : words.join(' ');
}

export interface ListLayout {
  /** As in the file; `column_1` and so on where no row has names. */
  headers: string[];
  /** The line of the header row; 0 where there is none. Rows above it are not data. */
  headerLine: number;
  shape: RowShape;
  mapping: ListMapping;
  /** The first rows, without shifted ones. */
  table: Table;
  /** Up to three values of each column. */
  samples: string[][];
  /** Sentences for the operator. */
  warnings: string[];
}

export interface LayoutOptions {
  /** Columns that the operator chose with --map. */
  choices?: readonly ColumnChoice[];
  /** True: a list of people who must not be called; all its phone columns are read. Default false. */
  toSuppress?: boolean | undefined;
  /** Mappings of earlier lists with these columns, the newest last; see `alignMapping`. */
  known?: ((list: KnownBy) => ListMapping[]) | undefined;
  /** Consent columns in which a row after the first ones says yes: an empty cell is no consent. */
  marked?: readonly number[];
  /** True: the mapping stays empty. Default false. */
  unmapped?: boolean | undefined;
}

export interface KnownBy {
  headers: readonly string[];
  /** False: the headers are `column_1` and so on, which say nothing about the columns. */
  hasHeader: boolean;
}

/** Finds the header row, and what each column holds. @param first the first rows of the list; at least one */
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
 * @param table its rows: the first ones, without shifted rows
 * @param hasHeader false: no row has column names
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
