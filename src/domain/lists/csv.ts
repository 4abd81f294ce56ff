import { guard, guardForSpreadsheet } from './formula-guard.ts';
import { capped, DAY_OR_TRUTH, LONGEST_CELL } from './spreadsheet.ts';

/**
 * Matches nearly every cell: a text that is not a formula and needs no quotes, a phone number in usual notation, or an
 * amount. Tested first, as there are millions of cells.
 */
const SAFE =
  /^(?:(?!sep=)[a-z0-9](?:[^",;|\t\r\n]*[^",;|\s])?|\+\d{1,3}[ .-]?(?:\(\d{1,5}\)[ .-]?)?\d[\d .-]{3,18}\d|-\d{1,12}(?:\.\d{1,6})?)$/i;
/** Safe cells that a spreadsheet does not change either: words, small numbers, times as callsheet writes them. */
const SAFE_IN_SPREADSHEETS = new RegExp(
  `^(?:${[
    String.raw`(?!sep=|${DAY_OR_TRUTH})[a-z](?:[^",;|\t\r\n]*[^",;|\s])?`,
    String.raw`(?!-0$)-?(?:0|[1-9]\d{0,9})(?:\.\d{1,4})?`,
    String.raw`\d{4}-\d\d-\d\dT[\d:]{8}[+-]\d\d:\d\d`,
  ].join('|')})$`,
  'i',
);

/** Cells that need quotes, also for a spreadsheet that splits at `;`, `|` or tab. */
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
 * As `csvCell`, for a file that is opened in a spreadsheet with a double click: values that the spreadsheet would
 * change are guarded, too, and texts that it would cut are cut here and marked.
 */
export function spreadsheetCell(text: string): string {
  if (text.length <= LONGEST_CELL && SAFE_IN_SPREADSHEETS.test(text)) return text;
  return quoted(capped(guardForSpreadsheet(text)));
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
