import { LIST_FIELDS, type ListField, type ListMapping } from '../domain/list-mapping.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import { choiceFor, columnOf, type ColumnChoice, type ColumnTarget } from './column-choices.ts';
import { DO_NOT_CALL_NAMES, FIELD_NAMES } from './column-names.ts';
import { countryNamed } from './countries.ts';
import { holdsNumbers, phoneColumnsByName, type PhoneColumn } from './phone-columns.ts';
import { plainHeader } from './plain-header.ts';

type Rows = readonly (readonly string[])[];

/** Two columns that may be called, and nothing says which one first: the operator is asked. */
export class AmbiguousPhoneColumns extends AppError {
  /** Indexes of the columns that are equally good. */
  readonly candidates: readonly number[];

  constructor(path: string, headers: readonly string[], candidates: readonly number[]) {
    const names = candidates.map((index) => `"${headers[index] ?? ''}" (column ${index + 1})`);
    const flags = candidates.map((index) => choiceFor('phone', index, headers));
    super(
      'LIST_COLUMN_UNCLEAR',
      `${path} has ${candidates.length} columns of numbers that are equally good: ${names.join(', ')}; which one is called first is for you to say.`,
      { hint: `give ${flags.join(' or ')} (twice for an order)`, exitCode: EXIT.usage },
    );
    this.candidates = candidates;
  }
}

/**
 * Finds the columns by their names, however they are written (`Phone_Number`, `phoneNumber`, `PHONE NUMBER`), and
 * asks the first rows whether they hold what they say. A person's mobile comes before a direct line, that
 * before work, home and a company's switchboard.
 *
 * @param path the list, for messages
 * @param rows the first rows of the list, as far as they are known
 * @param choices the operator's word, stronger than all of this
 * @throws AppError `LIST_HAS_NO_PHONE_COLUMN`, `LIST_HAS_NO_COLUMN`; `AmbiguousPhoneColumns`
 */
export function mapColumns(
  path: string,
  headers: readonly string[],
  rows: Rows = [],
  choices: readonly ColumnChoice[] = [],
): ListMapping {
  const plain = headers.map(plainHeader);
  const chosen = (target: ColumnTarget) => chosenColumns(path, headers, choices, target);
  const phones = chosen('phone') ?? phoneColumns(path, headers, rows);
  const fields: ListMapping['fields'] = {};
  for (const field of LIST_FIELDS) {
    const index =
      chosen(field)?.[0] ?? (chosen(field) ? undefined : fieldColumn(field, plain, rows));
    if (index !== undefined) fields[field] = index;
  }
  const isDoNotCall = (header: string) => DO_NOT_CALL_NAMES.has(header);
  const doNotCall =
    chosen('doNotCall') ?? plain.flatMap((header, index) => (isDoNotCall(header) ? [index] : []));
  return { phones, fields, doNotCall };
}

/** Undefined where nothing was chosen; empty where `-` was. */
function chosenColumns(
  path: string,
  headers: readonly string[],
  choices: readonly ColumnChoice[],
  target: ColumnTarget,
): number[] | undefined {
  const ours = choices.filter((choice) => choice.target === target);
  if (ours.length === 0) return undefined;
  const indexes = ours.flatMap((choice) => {
    const index = columnOf(choice, headers);
    if (index === undefined) throw noColumn(path, choice.column, headers);
    return index === null ? [] : [index];
  });
  if (target === 'phone' && indexes.length === 0) throw noPhoneColumn(path, headers, []);
  return [...new Set(indexes)];
}

function phoneColumns(path: string, headers: readonly string[], rows: Rows): number[] {
  const named = phoneColumnsByName(headers);
  const confirmed = named.filter(({ index }) => holdsNumbers(rows, index) === true);
  const rest = named.filter((column) => !confirmed.includes(column));
  const unclear = equalToFirst(confirmed, rows);
  if (unclear.length > 1) throw new AmbiguousPhoneColumns(path, headers, unclear);
  // What holds something else (`Phone 1 - Value` with words in it) is not tried where another holds numbers.
  const empty = rest.filter(({ index }) => holdsNumbers(rows, index) === undefined);
  const order = confirmed.length > 0 ? [...confirmed, ...empty] : rest;
  if (order.length === 0) {
    const byContent = headers.flatMap((_, index) => (holdsNumbers(rows, index) ? [index] : []));
    throw noPhoneColumn(path, headers, byContent);
  }
  return order.map(({ index }) => index);
}

/** The best column, and those that are as good and hold other numbers in the same rows. */
function equalToFirst([first, ...others]: readonly PhoneColumn[], rows: Rows): number[] {
  if (first === undefined) return [];
  const differs = (index: number) =>
    rows.some((row) => {
      const [one = '', other = ''] = [row[first.index], row[index]];
      return one.trim() !== '' && other.trim() !== '' && one.trim() !== other.trim();
    });
  const equal = others.filter(({ rank, index }) => rank === first.rank && differs(index));
  return [first, ...equal].map(({ index }) => index);
}

function fieldColumn(field: ListField, plain: readonly string[], rows: Rows): number | undefined {
  for (const name of FIELD_NAMES[field]) {
    const index = plain.indexOf(name);
    if (index !== -1 && isConfirmed(field, name, rows, index)) return index;
  }
  return undefined;
}

/** Names that mean several things are believed only where the cells agree. */
function isConfirmed(field: ListField, name: string, rows: Rows, index: number): boolean {
  const cells = rows.map((row) => (row[index] ?? '').trim()).filter((cell) => cell !== '');
  const most = (test: (cell: string) => boolean) =>
    cells.length === 0 || cells.filter(test).length >= cells.length / 2;
  if (field === 'email') return most((cell) => cell.includes('@'));
  if (field === 'country' && /^(?:cc|land)$/.test(name)) {
    return most((cell) => countryNamed(cell) !== undefined);
  }
  return true;
}

function noColumn(path: string, column: string, headers: readonly string[]): AppError {
  const found = headers.map((header) => `"${header.trim()}"`).join(', ');
  return new AppError(
    'LIST_HAS_NO_COLUMN',
    `${path} has no column "${column}": its columns are ${found}.`,
    {
      hint: 'give --map with one of them, or with its place, e.g. --map phone=#3',
      exitCode: EXIT.usage,
    },
  );
}

/** @param byContent columns that hold numbers and have a name that is not known */
function noPhoneColumn(
  path: string,
  headers: readonly string[],
  byContent: readonly number[],
): AppError {
  const found = headers.map((header) => `"${header.trim()}"`).join(', ');
  const flags = byContent.map((index) => choiceFor('phone', index, headers));
  return new AppError(
    'LIST_HAS_NO_PHONE_COLUMN',
    `${path} has no phone column: its columns are ${found}; allowed names are phone, phone number, mobile, telephone, cell, number and the like.`,
    {
      hint:
        flags.length === 0
          ? 'give the column that holds the number the name phone, or say which it is with --map phone="NAME"'
          : `numbers are in ${byContent.map((index) => `"${headers[index] ?? ''}"`).join(' and ')}: give ${flags.join(' or ')}`,
      exitCode: EXIT.usage,
    },
  );
}
