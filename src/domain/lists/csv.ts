import { guard, guardForSpreadsheet } from './formula-guard.ts';
import { capped, DAY_OR_TRUTH, LONGEST_CELL } from './spreadsheet.ts';

/**
 * How nearly every cell is: no formula, and needs no quotes; or a phone number as most are written, or an amount. Looked at
 * first, as there are millions.
 */
const SAFE =
  /^(?:(?!sep=)[a-z0-9](?:[^",;|\t\r\n]*[^",;|\s])?|\+\d{1,3}[ .-]?(?:\(\d{1,5}\)[ .-]?)?\d[\d .-]{3,18}\d|-\d{1,12}(?:\.\d{1,6})?)$/i;
/** Such a cell that a spreadsheet takes for nothing else: a word, a small number, a time as ours are written. */
const SAFE_IN_SPREADSHEETS = new RegExp(
  `^(?:${[
    String.raw`(?!sep=|${DAY_OR_TRUTH})[a-z](?:[^",;|\t\r\n]*[^",;|\s])?`,
    String.raw`(?!-0$)-?(?:0|[1-9]\d{0,9})(?:\.\d{1,4})?`,
    String.raw`\d{4}-\d\d-\d\dT[\d:]{8}[+-]\d\d:\d\d`,
  ].join('|')})$`,
  'i',
);

/** Also where a spreadsheet would split that takes several signs for delimiters. */
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/;

/** One line of a CSV file: RFC 4180, comma, quotes where needed, CRLF at the end, formulas guarded. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** One cell of `csvLine`. */
export function csvCell(text: string): string {
  return SAFE.test(text) ? text : quoted(guard(text));
}

/**
 * The same for a spreadsheet that opens the file by a double click: what it would change is guarded, too, and
 * what it would cut is cut with a mark.
 */
export function spreadsheetCell(text: string): string {
  if (text.length <= LONGEST_CELL && SAFE_IN_SPREADSHEETS.test(text)) return text;
  return quoted(capped(guardForSpreadsheet(text)));
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
