import { setImmediate } from 'node:timers/promises';
import type { CountryCode } from 'libphonenumber-js/max';
import type { E164 } from '../domain/phone.ts';
import { countryNamed, requireCountry } from './phone/countries.ts';
import type { CsvRow } from './read/row.ts';
import { everyNumber, partsOf } from './phone/every-number.ts';
import { formatOf, listRows } from './read/list-rows.ts';
import { isMissing } from './phone/phone-cell.ts';
import { parsePhone } from './phone/parse-phone.ts';
import { quoted } from './phone/phone-refusal.ts';
import { countriesOfState } from './zones/postal-codes.ts';
import type { ListRow } from './rows/list-row.ts';
import { readRows } from './rows/add-rows.ts';
import type { Refusal } from './rows/row-person.ts';
import { scanList, type ScanOptions } from './rows/first-reading.ts';

export interface NumbersOptions extends ScanOptions {
  /** ISO 3166 country of numbers without `+`; null: rows with such numbers are left out. */
  country: string | null;
}

/** The numbers to suppress of up to 250 rows, and the cells in which no number can be read. */
export interface NumbersPiece {
  phones: E164[];
  /** For a second or later number of a cell: a text that names the first number and quotes the cell. */
  notes: ReadonlyMap<E164, string>;
  problems: { line: number; text: string }[];
}

/** Rows of the US do-not-call registry's files: area code, comma, seven digits; the files have no header row. */
const REGISTRY_ROW = /^[2-9]\d{2}$/;
const REGISTRY_NUMBER = /^[2-9]\d{6}$/;

/**
 * Reads the numbers of people who must not be called, from every number column of any list that `import` takes, or from
 * the flat files of the United States' registry (`212,5550123`). Gives all numbers that a cell may mean
 * (`everyNumber`), also those that an import would reject. In a row whose cells are not below their headings, all cells
 * are read.
 */
export async function* numbersToSuppress(
  path: string,
  options: NumbersOptions,
): AsyncGenerator<NumbersPiece> {
  const country = options.country === null ? null : requireCountry(options.country);
  const { file = path } = options;
  if (await isRegistry(file, options)) {
    const rows = listRows(file, await formatOf(file, options), () => undefined);
    for await (const chunk of rows)
      yield await piece(
        chunk,
        () => ['US'],
        ([area = '', number = '', ...others]) => [area.trim() + number.trim(), ...others],
      );
    return;
  }
  const list = await scanList(path, { ...options, toSuppress: true });
  const { phones, fields } = list.mapping;
  const countriesOf = (cells: string[]) => {
    const named = countryNamed(cells[fields.country ?? -1] ?? '');
    if (named !== undefined) return [named];
    return [...new Set([country, ...countriesOfState(cells[fields.state ?? -1] ?? '')])];
  };
  for await (const chunk of readRows(list, { country }))
    yield await piece(chunk, countriesOf, (cells) => phones.map((index) => cells[index] ?? ''));
  list.memory.forget();
}

/** Reading 2,000 characters of dense numbers takes up to 40 ms; a cell without a number costs as much as 10 of them. */
const AT_ONE_TURN = 2_000;

async function piece(
  rows: readonly (ListRow | CsvRow)[],
  countriesOf: (cells: string[]) => (CountryCode | null)[],
  cellsOf: (cells: string[]) => string[],
): Promise<NumbersPiece> {
  const phones = new Set<E164>();
  const notes = new Map<E164, string>();
  const problems: NumbersPiece['problems'] = [];
  let read = 0;
  async function turn(text: string): Promise<void> {
    read += text.length + 10;
    if (read < AT_ONE_TURN) return;
    read = 0;
    await setImmediate();
  }
  for (const row of rows) {
    const { line, cells } = row;
    const misplaced = misplacedIn(row);
    const countries = countriesOf(cells);
    const filled = (misplaced === undefined ? cellsOf(cells) : cells).filter(
      (cell) => cell.trim() !== '',
    );
    const numbers: E164[][] = [];
    for (const cell of filled) {
      const found = new Set<E164>();
      for (const part of partsOf(cell)) {
        for (const country of countries)
          for (const phone of everyNumber(part, country)) found.add(phone);
        await turn(part);
      }
      numbers.push([...found]);
    }
    for (const [index, some] of numbers.entries()) {
      for (const phone of some) phones.add(phone);
      const [first, ...others] = some;
      const from = `with ${first ?? ''} from ${quoted(filled[index] ?? '')}`;
      for (const phone of others) notes.set(phone, from);
    }
    const isNone = numbers.every((some) => some.length === 0);
    if (misplaced !== undefined) {
      if (isNone) problems.push({ line, text: `${misplaced.text}; no number can be read in it` });
      continue;
    }
    if (filled.length === 0) problems.push({ line, text: 'the row has no number' });
    for (const [index, cell] of filled.entries()) {
      if (numbers[index]?.length !== 0 || (isMissing(cell.trim()) && !isNone)) continue;
      const parsed = parsePhone(cell, countries[0] ?? null);
      const text = parsed.ok ? `"${cell}" is not a phone number` : parsed.refusal.text;
      problems.push({ line, text });
      await turn(cell);
    }
  }
  return { phones: [...phones], notes, problems };
}

/** The refusal of a misaligned row, in which any cell may be a number; undefined for every other row. */
function misplacedIn(row: ListRow | CsvRow): Refusal | undefined {
  if (!('kind' in row) || row.kind !== 'rejected') return undefined;
  const { code } = row.refusal;
  return code === 'shifted_row' || code === 'short_row' ? row.refusal : undefined;
}

/** True when each of the first 20 rows is an area code and a number, and nothing else. */
async function isRegistry(file: string, options: NumbersOptions): Promise<boolean> {
  let rows = 0;
  const all = listRows(file, await formatOf(file, options), () => undefined);
  for await (const piece of all)
    for (const { cells } of piece) {
      const [area = '', number = ''] = cells;
      if (cells.length !== 2 || !REGISTRY_ROW.test(area.trim())) return false;
      if (!REGISTRY_NUMBER.test(number.trim())) return false;
      rows += 1;
      if (rows === 20) return true;
    }
  return rows > 0;
}
