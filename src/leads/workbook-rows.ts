import { AppError, EXIT, messageOf } from '../runtime/errors.ts';
import type { CsvRow } from './csv-rows.ts';
import { listEntry } from './list-archive.ts';
import { unreadable } from './unreadable.ts';

/** A workbook is held in memory as a whole: a larger one is refused, and goes as CSV. */
const MOST_UNPACKED_BYTES = 400_000_000;

/**
 * The rows of one sheet; its first row is line 1. Numbers come back whole (a spreadsheet only shows them
 * shortened), days as `2026-01-05`. A number of more than 15 digits has lost the others in the spreadsheet
 * already, and shows it as `9.19E+15`.
 *
 * @param sheet its name, or null for the first one
 * @throws AppError `LIST_UNREADABLE`, `SHEET_UNKNOWN` (exit 2)
 */
export async function workbookRows(path: string, sheet: string | null): Promise<CsvRow[]> {
  const archive = await listEntry(path);
  if (archive.kind === 'workbook' && archive.unpackedBytes > MOST_UNPACKED_BYTES) {
    throw unreadable(path, `unpacks to ${archive.unpackedBytes} bytes: save it as CSV`);
  }
  const data = await sheetOf(path, sheet);
  return data
    .map((row, index) => ({ line: index + 1, cells: row.map(textOf) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
}

async function sheetOf(path: string, sheet: string | null): Promise<readonly unknown[][]> {
  // Some seventy modules that a CSV does not need.
  const { default: readWorkbook } = await import('read-excel-file/node');
  const sheets = await readWorkbook(path, { trim: false, parseNumber: (text) => text }).catch(
    (error: unknown) => {
      throw unreadable(path, `is a broken workbook (${messageOf(error)})`, error);
    },
  );
  const found = sheet === null ? sheets[0] : sheets.find((one) => one.sheet === sheet);
  if (found !== undefined) return found.data;
  const names = sheets.map((one) => `"${one.sheet}"`).join(', ');
  throw new AppError('SHEET_UNKNOWN', `${path} has no sheet "${sheet ?? ''}"; it has ${names}.`, {
    hint: 'give one of them with --sheet',
    exitCode: EXIT.usage,
  });
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '');
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value !== 'string') return '';
  return STORED_NUMBER.test(value) ? wholeNumber(value) : value;
}

/** Workbooks store numbers as they please: `2.125550123E9` is 2125550123. */
const STORED_NUMBER = /^-?\d(?:\.\d+)?E\+?\d{1,2}$/;

function wholeNumber(text: string): string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? String(number) : text;
}
