import { nearest } from '../../text/nearest.ts';
import { someOf } from '../../text/plural.ts';
import { type AppError, usageError } from '../../runtime/errors.ts';
import { choiceFor } from './column-choices.ts';

/** The header row and the first rows of a list, in which the columns are recognised. */
export interface Table {
  /** The list, for messages. */
  path: string;
  headers: readonly string[];
  /** The first data rows of the list, as far as they are known. */
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
