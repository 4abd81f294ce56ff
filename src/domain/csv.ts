import { isE164 } from './phone.ts';

/**
 * What a spreadsheet would run as a formula (CWE-1236; OWASP "CSV Injection"): also after spaces and signs
 * that are not seen, in full width or small forms, and in cells of several lines.
 */
const RUNS =
  /^(?:[\t\r\0]|[\s\p{Cc}\p{Cf}]*[=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20])/u;

/**
 * What a spreadsheet would read as a number and show as another one: more digits than it keeps or shows, zeros
 * in front, a plus, something like `12E5`; and what it would make a day of, such as `1/2` or `3-4`.
 */
const MANGLED =
  /^(?:\+\d+|\d{12,}|0\d+|\d+[eE][+-]?\d+|\d{1,2}[/-](?:\d{1,2}|\d{4})|\d{4}[/-]\d{1,2})$/;

/** A plain negative number is a value to every spreadsheet, never a formula. */
const NUMBER = /^-\d+(?:\.\d+)?$/;

/** How nearly every cell is: no formula, and needs no quotes. Looked at first, as there are millions. */
const SAFE = /^[a-zA-Z0-9](?:[^",\r\n]*[^",\s])?$/;
/** Such a cell that no spreadsheet takes for a number. */
const SAFE_WORD = /^[a-zA-Z](?:[^",\r\n]*[^",\s])?$/;

const PLAIN_START = /^[a-zA-Z0-9]/;

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** One line of a CSV file: RFC 4180, comma, quotes where needed, CRLF at the end, formulas guarded. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** The same for a spreadsheet that opens the file by a double click: numbers that it would change are guarded, too. */
export function spreadsheetLine(cells: readonly string[]): string {
  return `${cells.map(spreadsheetCell).join(',')}\r\n`;
}

/** One cell of `csvLine`. */
export function csvCell(text: string): string {
  return SAFE.test(text) ? text : quoted(guard(text));
}

/** One cell of `spreadsheetLine`. */
export function spreadsheetCell(text: string): string {
  return SAFE_WORD.test(text) ? text : quoted(guardForSpreadsheet(text));
}

/**
 * Puts a `'` before a cell that a spreadsheet would run. Strict E.164 stays bare: `+` and digits only are
 * inert, and a guard would break the number. `unguard` takes it off again, whatever the cell was.
 */
export function guard(text: string): string {
  if (text === '' || PLAIN_START.test(text) || isE164(text)) return text;
  if (text.startsWith("'")) return isGuarded(text) ? `'${text}` : text;
  return RUNS.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** As `guard`, and also before numbers that a spreadsheet would show as others (E.164 loses its plus). */
export function guardForSpreadsheet(text: string): string {
  return MANGLED.test(text) ? `'${text}` : guard(text);
}

/** Takes off the `'` that a spreadsheet, or one of the guards above, put before a cell. */
export function unguard(cell: string): string {
  return isGuarded(cell) ? cell.slice(1) : cell;
}

/** A `'`, perhaps several, before something that would be guarded: so the guards and `unguard` undo each other. */
function isGuarded(text: string): boolean {
  if (!text.startsWith("'")) return false;
  const inner = text.replace(/^'+/, '');
  return RUNS.test(inner) || MANGLED.test(inner);
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
