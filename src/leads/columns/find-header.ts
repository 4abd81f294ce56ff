import { columnOf, type ColumnChoice } from './column-choices.ts';
import { looksLikeNumber } from '../phone/phone-cell.ts';
import { phoneColumnsByName } from './phone-columns.ts';
import { foldWords } from '../../text/fold-words.ts';
import { isPhoneName, isPhoneWord } from './number-words.ts';
import { mostFrequent } from './row-shape.ts';

type Row = readonly string[];

/** The column names are looked for in so many rows. */
const ROWS_LOOKED_AT = 20;

/**
 * Which of the first rows has the column names: above it may stand a title, a date and so on. A row with a
 * number in it is a lead, and there are no names after it.
 *
 * @param rows the first rows of the list; at least one
 * @returns its index, or -1 where no row has names
 */
export function findHeader(rows: readonly Row[], choices: readonly ColumnChoice[]): number {
  const firstLead = rows.findIndex((row) => row.some(isOfLead));
  const above = rows.slice(0, Math.min(ROWS_LOOKED_AT, firstLead === -1 ? Infinity : firstLead));
  // Tells rows of the list from titles above it: at least half as wide as most rows.
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

/** True for a cell with a number, also behind a label (`Tel.: +1...`): such a row is a lead and has no names. */
function isOfLead(cell: string): boolean {
  return looksLikeNumber(cell) || /\+\d(?:[\s().-]*\d){6}/.test(cell);
}

function filled(row: Row): number {
  return row.filter((cell) => cell.trim() !== '').length;
}

/** True for a heading that consists of a phone header alone, such as `Phone number 2`. */
export function isNameAlone(header: string): boolean {
  const folded = foldWords(header);
  const isKnown = (word: string) => isPhoneWord(word) || /^(?:numbers?|no|nr|\d)$/.test(word);
  return isPhoneName(folded) || folded.split(' ').every(isKnown);
}
