import { COLUMN_TARGETS, type ColumnTarget } from '../../domain/lists/list-mapping.ts';
import { usageError, type AppError } from '../../runtime/errors.ts';
import { normalizeHeader } from '../../text/fold-words.ts';
import { nearest } from '../../text/nearest.ts';
import { someOf } from '../../text/wording.ts';

/** A column that the operator chose with --map. */
export interface ColumnChoice {
  target: ColumnTarget;
  /** A header, `#3` for the third column, or `-` for none. */
  column: string;
}

/** Reads a --map value such as `phone=Mobile Phone`: the target, then a header, `#3` (third column) or `-` (none). */
export function readChoice(text: string): ColumnChoice {
  const at = text.indexOf('=');
  const name = normalizeHeader(text.slice(0, Math.max(at, 0))).replaceAll(' ', '');
  const target = COLUMN_TARGETS.find((one) => one.toLowerCase() === name);
  const column = text.slice(at + 1).trim();
  if (at !== -1 && target !== undefined && column !== '') return { target, column };
  throw usageError(
    'FLAG_INVALID',
    `--map "${text}" is not FIELD=COLUMN; a field is one of ${COLUMN_TARGETS.join(', ')}.`,
    'for example --map phone="Mobile Phone", or --map phone=#3',
  );
}

/** The index of a chosen column; undefined where the list does not have the column, null for `-`. */
export function columnOf(
  { column }: ColumnChoice,
  headers: readonly string[],
): number | null | undefined {
  if (column === '-') return null;
  const position = /^#(\d{1,5})$/.exec(column)?.[1];
  if (position !== undefined) {
    const index = Number(position) - 1;
    return index >= 0 && index < headers.length ? index : undefined;
  }
  const exact = headers.indexOf(column);
  if (exact !== -1) return exact;
  const plain = normalizeHeader(column);
  const index = headers.findIndex((header) => normalizeHeader(header) === plain);
  return index === -1 ? undefined : index;
}

/** The flag that chooses a column, ready to paste: by the header, or by the position where the header is not unique. */
export function choiceFor(target: ColumnTarget, index: number, headers: readonly string[]): string {
  const header = (headers[index] ?? '').trim();
  const isPlain = header !== '' && !/["`$\\!\r\n]/.test(header);
  const name = normalizeHeader(header);
  const isOnly = headers.filter((one) => normalizeHeader(one) === name).length === 1;
  if (!isPlain || !isOnly) return `--map ${target}=#${index + 1}`;
  return /^[\w.-]+$/.test(header) ? `--map ${target}=${header}` : `--map ${target}="${header}"`;
}

/** The header row and the first data rows of a list; `path` is for messages. */
export interface Table {
  path: string;
  headers: readonly string[];
  rows: readonly (readonly string[])[];
}

/** A list may have thousands of columns of numbers. */
export const CHOICES_SHOWN = 20;

/** The error for a column that --map names and the list does not have. */
export function noColumn({ path, headers }: Table, column: string): AppError {
  const at = placeMeant(column, headers);
  const near = at === undefined ? nearest(column, headers) : undefined;
  const meant = near === undefined ? '' : `; did you mean "${near}"?`;
  return usageError(
    'LIST_HAS_NO_COLUMN',
    `${path} has no column "${column}"${meant === '' ? `: its columns are ${listed(headers)}.` : meant}`,
    at === undefined
      ? `give --map with one of ${listed(headers)}, or with its place, e.g. --map phone=#3`
      : `a column is given by its place with a #: --map phone=#${at}`,
  );
}

/** The position (from 1) that the operator meant with `2`, or with `A (2)` where two columns are called A. */
function placeMeant(column: string, headers: readonly string[]): number | undefined {
  if (/^[1-9]\d{0,4}$/.test(column)) {
    return Number(column) <= headers.length ? Number(column) : undefined;
  }
  const [, name = '', nth = ''] = /^(.*\S)\s*\((\d{1,3})\)$/.exec(column) ?? [];
  const same = headers.flatMap((header, index) => (header.trim() === name ? [index + 1] : []));
  return same[Number(nth) - 1];
}

/** @param byContent columns that hold numbers under an unknown name */
export function noPhoneColumn({ path, headers }: Table, byContent: readonly number[]): AppError {
  const found = listed(headers);
  const shown = byContent.slice(0, CHOICES_SHOWN);
  const flags = shown.map((index) => choiceFor('phone', index, headers));
  return usageError(
    'LIST_HAS_NO_PHONE_COLUMN',
    `${path} has no phone column: its columns are ${found}; allowed names are phone, phone number, mobile, telephone, cell, number and the like.`,
    flags.length === 0
      ? 'rename the column that holds the number to phone, or say which it is with --map phone="NAME"'
      : `numbers are in ${shown.map((index) => `"${headers[index] ?? ''}"`).join(' and ')}: give ${flags.join(' or ')}`,
  );
}

const LONGEST_SHOWN = 200;

/** The beginnings of the first 50 headers, as a list may have thousands, and one of them may be a whole text. */
export function listed(headers: readonly string[]): string {
  const names = headers.map((header) => `"${header.trim().slice(0, LONGEST_SHOWN)}"`);
  return someOf(names, 50);
}
