import type { CountryCode } from 'libphonenumber-js/max';
import type { E164 } from '../domain/phone.ts';
import { requireCountry } from './countries.ts';
import type { CsvRow } from './csv-rows.ts';
import { inChunks, inOrder } from './in-chunks.ts';
import { formatOf, listRows } from './list-rows.ts';
import { AmbiguousPhoneColumns } from './map-columns.ts';
import { parsePhone } from './parse-phone.ts';
import { forgetRows, readRows } from './read-list.ts';
import { scanList, type ScannedList, type ScanOptions } from './scan-list.ts';

export interface NumbersOptions extends ScanOptions {
  /** ISO 3166 country of numbers without `+`; null: such rows are left out. */
  country: string | null;
}

/** Up to 1,000 numbers to suppress, and rows that hold none. */
export interface NumbersPiece {
  phones: E164[];
  problems: { line: number; text: string }[];
}

const ROWS_AT_ONCE = 1_000;

/** As the national registry gives them out: area code, comma, seven digits; no names above. */
const REGISTRY_ROW = /^[2-9]\d{2}$/;
const REGISTRY_NUMBER = /^[2-9]\d{6}$/;

/**
 * The numbers of a file of people who may not be called: any list that `import` takes, every column of numbers
 * of it, or the flat files of the United States' registry (`212,5550123`). A number that nobody would call
 * (toll-free and so on) is left out with the reason; one that stands there twice comes once.
 *
 * @throws AppError those of `scanList`, `COUNTRY_UNKNOWN`
 */
export async function* numbersToSuppress(
  path: string,
  options: NumbersOptions,
): AsyncGenerator<NumbersPiece> {
  const country = options.country === null ? null : requireCountry(options.country);
  const { file = path } = options;
  if (await isRegistry(file, options)) {
    const rows = listRows(file, await formatOf(file, options), () => undefined);
    for await (const chunk of inChunks(rows, () => ROWS_AT_ONCE))
      yield piece(chunk, 'US', (cells) => [cells.map((cell) => cell.trim()).join('')]);
    return;
  }
  const list = await scanAllNumbers(path, options);
  const { phones } = list.mapping;
  const rows = readRows(list, { country, refuseFictional: false });
  for await (const chunk of inChunks(rows, () => ROWS_AT_ONCE)) {
    yield piece(chunk, country, (cells) => phones.map((index) => cells[index] ?? ''));
  }
  forgetRows(list);
}

/** Which column of numbers comes first does not matter: all of them are suppressed. */
async function scanAllNumbers(path: string, options: ScanOptions): Promise<ScannedList> {
  try {
    return await scanList(path, options);
  } catch (error) {
    if (!(error instanceof AmbiguousPhoneColumns)) throw error;
    const choices = error.candidates.map(
      (index) => ({ target: 'phone', column: `#${index + 1}` }) as const,
    );
    return scanList(path, { ...options, choices });
  }
}

function piece(
  rows: readonly Pick<CsvRow, 'line' | 'cells'>[],
  country: CountryCode | null,
  numbersOf: (cells: string[]) => string[],
): NumbersPiece {
  const phones = new Set<E164>();
  const problems: NumbersPiece['problems'] = [];
  for (const { line, cells } of rows) {
    const filled = numbersOf(cells).filter((cell) => cell.trim() !== '');
    const parsed = filled.map((cell) => parsePhone(cell, country, ANY_NUMBER));
    for (const one of parsed) if (one.ok) phones.add(one.phone);
    const [first] = parsed;
    if (parsed.some(({ ok }) => ok)) continue;
    const text = first === undefined || first.ok ? 'the row has no number' : first.refusal.text;
    problems.push({ line, text });
  }
  return { phones: [...phones], problems };
}

const ANY_NUMBER = { unassigned: 'accept', tollFree: 'accept' } as const;

/** Two columns of digits, in the first rows. */
async function isRegistry(file: string, options: NumbersOptions): Promise<boolean> {
  let rows = 0;
  const all = listRows(file, await formatOf(file, options), () => undefined);
  for await (const { cells } of inOrder(all)) {
    const [area = '', number = ''] = cells;
    if (cells.length !== 2 || !REGISTRY_ROW.test(area.trim())) return false;
    if (!REGISTRY_NUMBER.test(number.trim())) return false;
    rows += 1;
    if (rows === 20) return true;
  }
  return rows > 0;
}
