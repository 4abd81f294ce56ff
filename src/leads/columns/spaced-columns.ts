import { isNameAlone } from './find-header.ts';
import { foldWords } from '../../text/fold-words.ts';
import { isPhoneWord } from './number-words.ts';

/** Share of the rows that must look like it. */
const MOST = 0.6;

const BETWEEN = /[\s:^~#=>]+/;
const NUMBER = /^["']?\+?\d[\d().-]{5,}["']?$/;

/**
 * True for a table whose columns are parted by spaces, or by a sign that parts none here: each row is one cell, with a
 * number and other words in it. A number with a word for its kind (`mobile`) is a cell of its own.
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

/** The words beside a number in a cell; `` where it has no number, or nothing else. */
function wordsBeside(cell: string): string {
  const parts = cell.split(BETWEEN);
  if (!parts.some((part) => NUMBER.test(part))) return '';
  const words = parts.filter((part) => /\p{L}{2}/u.test(part)).map(foldWords);
  return words.every(isPhoneWord) ? '' : words.join(' ');
}
