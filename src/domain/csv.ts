import { isE164 } from './phone.ts';

/**
 * A cell that a spreadsheet would run as a formula (CWE-1236; OWASP "CSV Injection"), also after spaces
 * and in full width, or such a cell with guards before it: so `guard` and `unguard` undo each other.
 */
const RUNS = /^'*(?:[\t\r\0]|\s*[=+\-@＝＋－＠])/;

/** A plain negative number is a value to every spreadsheet, never a formula. */
const NUMBER = /^-\d+(?:\.\d+)?$/;

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** One line of a CSV file: RFC 4180, comma, quotes where needed, CRLF at the end, formulas guarded. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/** Takes off the `'` that a spreadsheet, or `csvLine`, put before a cell so that it is not run. */
export function unguard(cell: string): string {
  return cell.startsWith("'") && RUNS.test(cell.slice(1)) ? cell.slice(1) : cell;
}

function toCell(text: string): string {
  const guarded = guard(text);
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Strict E.164 stays bare: `+` and digits only are inert, and a guard would break the number. */
function guard(text: string): string {
  return RUNS.test(text) && !isE164(text) && !NUMBER.test(text) ? `'${text}` : text;
}
