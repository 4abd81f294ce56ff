import { columnOf, type ColumnChoice } from './column-choices.ts';
import { looksLikeNumber } from '../phone/phone-cell.ts';
import { phoneColumnsByName } from './phone-columns.ts';
import { foldWords } from '../../text/fold-words.ts';
import { isPhoneName, isPhoneWord } from './words/number-words.ts';
import { mostFrequent } from './row-shape.ts';

type Row = readonly string[];

/** The number of rows in which the header row is looked for. */
const ROWS_LOOKED_AT = 20;

/**
 * Finds the header row among the first rows of a list, which may have a title, a date and so on above it. A row with a
 * phone number in it is a lead, and the header row is never below a lead.
 *
 * @param rows the first rows of the list; at least one
 * @returns the index of the header row, or -1 where there is none
 */
export function findHeader(rows: readonly Row[], choices: readonly ColumnChoice[]): number {
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
export function isNameAlone(header: string): boolean {
  const folded = foldWords(header);
  const isKnown = (word: string) => isPhoneWord(word) || /^(?:numbers?|no|nr|\d)$/.test(word);
  return isPhoneName(folded) || folded.split(' ').every(isKnown);
}
