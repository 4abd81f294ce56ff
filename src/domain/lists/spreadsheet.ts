/** How spreadsheets (Excel, LibreOffice, Google Sheets) read a cell that is not a formula. */

/** The longest text that a spreadsheet keeps in a cell, in UTF-16 units; the rest would be lost without notice. */
const LONGEST_CELL = 32_767;
const CUT = ' … [cut: a spreadsheet holds no more; the whole text is in the jsonl export]';

/** A text cut to `LONGEST_CELL` including the mark `CUT`; never cut between the halves of a surrogate pair. */
export function capped(text: string): string {
  if (text.length <= LONGEST_CELL) return text;
  const end = LONGEST_CELL - CUT.length;
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return text.slice(0, isSplit ? end - 1 : end) + CUT;
}

/** How an English month or boolean begins: the source of a regular expression. */
const DAY_OR_TRUTH = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|true$|false$';
/** Matches nearly all cells that are not numbers. */
const WORD = new RegExp(`^(?!${DAY_OR_TRUTH})[a-z]`, 'i');

/** A longer cell is not read as a number or a day, unless it consists of digits only. */
const LONGEST_VALUE = 60;
const DIGITS = /^[\d.,]+$/;

const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const GAP = String.raw`[\s/.,-]*`;
const TIME = String.raw`\d{1,4}:\d{0,2}(?::\d{0,2}(?:\.\d+)?)?(?:\s?[ap]\.?m?\.?)?`;
const DATE = [
  String.raw`\d{1,2}\s?[/-]\s?(?:\d{1,2}|\d{4})`,
  String.raw`\d{4}\s?[/-]\s?\d{1,2}`,
  String.raw`${DAY}\s?[/.-]\s?${DAY}\s?[/.-]\s?(?:\d{4}|\d{1,2})`,
  String.raw`\d{4}\s?[/.-]\s?${DAY}\s?[/.-]\s?${DAY}`,
  String.raw`\d{1,2}\.\d{1,2}\.`,
  String.raw`(?:\d{2,4}[年년]\s?)?\d{1,2}[月월](?:\s?\d{1,2}[日일])?`,
  String.raw`\d{1,4}${GAP}${MONTH}(?:${GAP}\d{1,4})?`,
  String.raw`${MONTH}${GAP}\d{1,4}(?:${GAP}\d{1,4})?`,
].join('|');

/** Matches everything that a spreadsheet reads as a number, a day, a time or a boolean. */
const VALUE = new RegExp(
  `^(?:${[
    String.raw`[+-]?\s?[$€£¥]?\s?[+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s?[%$€£¥]?-?`,
    String.raw`\(\s?[$€£¥]?\d[\d,.]*\)`,
    String.raw`[+-]?\d+\s+\d+/\d+`,
    String.raw`(?:${DATE})(?:[,\sT]+${TIME})?`,
    TIME,
    String.raw`\d{1,2}\s?[ap]m|\d{1,2}\s[ap]`,
    'true|false',
  ].join('|')})$`,
  'i',
);

/**
 * Matches a number that a spreadsheet shows unchanged, so that it may stay a number and be added up: no leading zeros,
 * at most 11 digits before the point (more are shown as 1.2E+11) and 15 in all, commas by the thousand.
 */
const SAME =
  /^(?!-0$)-?[$€£¥]?(?=[\d,.]{1,17}[%€£¥]?$)(?:0|[1-9]\d{0,10}|[1-9]\d{0,2}(?:,\d{3}){1,2})(?:\.\d+)?[%€£¥]?$/;

/**
 * True for a text that a spreadsheet would read as a number or a day and show or save as another text: leading zeros,
 * more digits than it shows or keeps, `12E5`, `1/2`, `3:4`, `(901)`, `5-`, `2026-01-05`, `5 Jan`, `TRUE`. Month names
 * are recognised in English only.
 */
function isReadAsAnother(text: string): boolean {
  if (WORD.test(text)) return false;
  if (text.length > LONGEST_VALUE) return DIGITS.test(text);
  const plain = (/[^ -~]/.test(text) ? text.normalize('NFKC') : text).trim();
  return VALUE.test(plain) && !SAME.test(text);
}

/**
 * A guard is a `'` before a text that a spreadsheet would run as a formula (CWE-1236; OWASP "CSV Injection"; OWASP ASVS
 * 5, 1.2.10). A guard is not a formula itself, as `="..."` would be, and `unguard` restores every cell exactly when the
 * file is imported.
 *
 * OWASP: no cell may begin with `=` `+` `-` `@`, a tab, CR or LF, nor with their full-width forms; and a separator
 * inside a cell may begin a new cell: Excel splits at `;` where the decimal sign is a comma, and recognises a quote
 * only at the beginning of a cell, so that quotes do not protect. Lists of payloads (PayloadsAllTheThings, payloadbox)
 * also have invisible characters before a formula, and quotes after a separator.
 */

const SIGN = String.raw`[=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]`;
const UNSEEN = String.raw`\s\p{Cc}\p{Cf}`;

/** Beginnings of cells that OWASP forbids, and `sep=`, which Excel obeys in the first line of a file. */
const NO_BEGINNING = /^(?:[\t\r\n\0]|sep=)/i;
const FORMULA = new RegExp(`^[${UNSEEN}]*${SIGN}`, 'u');

/** Matches the beginning of most cells; tested first. */
const PLAIN_START = /^(?!sep=)[a-z0-9]/i;

/**
 * Puts a `'` before a cell that a spreadsheet would run as a formula, and before a formula that would begin inside the
 * cell. A signed amount and a phone number in usual notation, `+1 901-555-0110 ext. 5`, get no guard: a spreadsheet can
 * at worst compute a wrong number, while a CRM that imports the file would keep the guard.
 */
export function guard(text: string): string {
  return isRun(text, isHarmless) ? marked(text) : text;
}

/** As `guard`, and also before phone numbers with a plus and all other texts that a spreadsheet would change. */
export function guardForSpreadsheet(text: string): string {
  if (WITH_PLUS.test(text)) return `'${text}`;
  return isRun(text, isShownAsIs) || isReadAsAnother(text) ? marked(text) : text;
}

const WITH_PLUS = /^\+\d[\d ().-]*$/;

/** Removes the guards of `guard` or `guardForSpreadsheet` from a cell, or the `'` that a spreadsheet has put first. */
export function unguard(cell: string): string {
  if (!cell.startsWith("'")) return cell;
  const text = withoutGuards(cell.slice(1));
  return mayBeMarked(text) ? text : cell;
}

function isRun(text: string, isInert: (text: string) => boolean): boolean {
  if (text.startsWith("'")) return mayBeMarked(text);
  if (!PLAIN_START.test(text)) {
    if (NO_BEGINNING.test(text) || (FORMULA.test(text) && !isInert(text))) return true;
  }
  return hasFormula(text);
}

/** True if a `'` before this text may be a guard: also before texts that only spreadsheets mark with a `'`. */
function mayBeMarked(text: string): boolean {
  const bare = text.replace(/^'+/, '');
  return NO_BEGINNING.test(bare) || FORMULA.test(bare) || hasFormula(text) || isReadAsAnother(bare);
}

function marked(text: string): string {
  let written = "'";
  let done = 0;
  for (const { from } of formulasInside(text)) {
    written += `${text.slice(done, from)}'`;
    done = from;
  }
  return written + text.slice(done);
}

function withoutGuards(text: string): string {
  let read = '';
  let done = 0;
  for (const { from, sign } of formulasInside(text)) {
    if (from === sign) continue;
    read += text.slice(done, from);
    done = from + 1;
  }
  return read + text.slice(done);
}

/** Matches signs other than directly after a word or after a word and a space, where a cell cannot begin. */
const SIGNS = new RegExp(`(?<![0-9A-Za-z.,!?:] ?)${SIGN}`, 'g');

/** Formulas in cells that may begin inside this cell: the place of existing guards (`from`) and that of the sign. */
function* formulasInside(text: string): Generator<{ from: number; sign: number }> {
  SIGNS.lastIndex = 0;
  while (SIGNS.test(text)) {
    const sign = SIGNS.lastIndex - 1;
    let from = sign;
    while (text[from - 1] === "'") from -= 1;
    if (beginsCell(text, from) && runsAt(text, sign)) yield { from, sign };
    SIGNS.lastIndex = sign + 1;
  }
}

function hasFormula(text: string): boolean {
  return formulasInside(text).next().done !== true;
}

/**
 * True if a separator precedes this place, with only quotes and invisible characters in between. Halves of surrogate
 * pairs count as invisible, as some characters beyond U+FFFF are.
 */
function beginsCell(text: string, from: number): boolean {
  for (let at = from - 1; at >= 0; at--) {
    const sign = text.charAt(at);
    if (sign === ' ') continue;
    if (CELL_ENDS.includes(sign)) return true;
    if (LETTER.test(sign) || !UNSEEN_OR_QUOTE.test(sign)) return false;
  }
  return false;
}

const CELL_ENDS = ';|\t\r\n';
const LETTER = /[0-9A-Za-z.,!?]/;
const UNSEEN_OR_QUOTE = new RegExp(`[${UNSEEN}"\\p{Cs}]`, 'u');

/**
 * True if a formula begins at a sign inside a cell. Prose (`- asked twice`, `+1 for that`, `@Ada`) is not a formula,
 * unless it could call a function, refer to a cell or send data: a table that is split at such a place is broken
 * anyway, and a list with dashes in a summary should reach a CRM unchanged. The last part of a cell must be complete,
 * as the next cell might complete it to a formula. Only the text up to the next separator is read: it holds no guards,
 * so the result is the same before and after guarding.
 */
function runsAt(text: string, at: number): boolean {
  if (ALWAYS.test(text.charAt(at))) return true;
  PROSE.lastIndex = at;
  if (PROSE.test(text)) return false;
  const [cell = ''] = text.slice(at, at + LONGEST_PHONES + 1).split(CELL_END, 1);
  const isWhole = at + cell.length < text.length || WHOLE.test(cell);
  return !(isWhole && isHarmless(cell));
}

const ALWAYS = /[=\ufe66\uff1d]/;
const CELL_END = /[;\t\r\n]/;
const WHOLE = /[\p{L}\p{N}\p{So}.?)%]\s*$/u;
const CALLS = String.raw`(!|=[\\\uff01\uff08\uff1d\uff5c;\t\r\n`;
const PROSE = new RegExp(
  String.raw`.(?=\s|\p{L}{3}|\d[\d.,]*\s)(?=[^${CALLS}]*\p{L}{2})(?:[^${CALLS}']|(?<=\p{L})')*(?=[;\t\r\n]|(?<=${WHOLE.source}))`,
  'uy',
);

const NO_NUMBER = /^[+\-\s]*$/;
const AMOUNT = /^[+-]\s?[$€£¥]?\s?(?:\d[\d.,]*|\.\d+)\s?[%$€£¥]?$/;
const PHONE = /^(?:\s*\+)?(?:[\d\s.\u2010-\u2015-]|\([\d\s]+\))+(?:(?:x|ext\.?|#)\s?\d+\s*)?$/i;
const LONGEST_PHONES = 100;

/** True for a text that begins with a sign and cannot run anything: signs alone, an amount, phone numbers. */
function isHarmless(text: string): boolean {
  if (NO_NUMBER.test(text) || AMOUNT.test(text)) return true;
  if (text.length > LONGEST_PHONES) return false;
  const seen = text.replace(/^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu, '');
  return seen.startsWith('+') && seen.split(/[/,;]/).every((part) => PHONE.test(part));
}

/** True for a signed text that a spreadsheet shows unchanged; a number with a plus is not such a text. */
function isShownAsIs(text: string): boolean {
  return NO_NUMBER.test(text) || (text.startsWith('-') && AMOUNT.test(text));
}

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
