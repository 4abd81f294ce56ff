import { isNameAlone } from './find-header.ts';
import { foldWords } from '../../text/fold-words.ts';
import { isPhoneWord } from './words/number-words.ts';

/** The least share of the filled rows that must have other words beside a number. */
const MOST = 0.6;

const BETWEEN = /[\s:^~#=>]+/;
const NUMBER = /^["']?\+?\d[\d().-]{5,}["']?$/;

/**
 * True for a table whose columns are separated by spaces, or by a character that is not a known delimiter: each row is
 * one cell, with a phone number and other words in it. A word for the kind of number (`mobile`) is not such a word.
 *
 * @param headings null where the list has none
 */
export function hasSpacedColumns(
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
