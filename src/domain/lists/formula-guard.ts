import { isReadAsAnother } from './spreadsheet.ts';

/**
 * A guard is a `'` before what a spreadsheet would run as a formula (CWE-1236; OWASP "CSV Injection"; OWASP ASVS 5,
 * 1.2.10). It is no formula itself, as `="..."` would be, and `unguard` takes it off again when the file comes
 * back, whatever the cell was.
 *
 * OWASP: no cell may begin with `=` `+` `-` `@`, a tab, CR or LF, also not in full width; and a separator inside a cell
 * may begin a new one: Excel splits at `;` where the decimal sign is a comma, and sees a quote only where it
 * thinks that a cell begins, so that quotes are not enough. Lists of payloads (PayloadsAllTheThings, payloadbox) add
 * signs that are not seen before a formula, and quotes after a separator.
 */

const SIGN = String.raw`[=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]`;
const UNSEEN = String.raw`\s\p{Cc}\p{Cf}`;

/** Never the beginning of a cell, says OWASP; nor `sep=;`, which Excel obeys in a first line. */
const NO_BEGINNING = /^(?:[\t\r\n\0]|sep=)/i;
const FORMULA = new RegExp(`^[${UNSEEN}]*${SIGN}`, 'u');

/** How most cells begin, looked at first. */
const PLAIN_START = /^(?!sep=)[a-z0-9]/i;

/**
 * Puts a `'` before a cell that a spreadsheet would run, and before a formula that would begin inside it. An
 * amount with a sign stays bare, and so does a phone number as people write it, `+1 901-555-0110 ext. 5`: to a
 * spreadsheet it is a wrong number at worst, and a CRM would keep the guard.
 */
export function guard(text: string): string {
  return isRun(text, isHarmless) ? marked(text) : text;
}

/** As `guard`, and also before phone numbers with a plus, and all else that a spreadsheet would give back as another text. */
export function guardForSpreadsheet(text: string): string {
  if (WITH_PLUS.test(text)) return `'${text}`;
  return isRun(text, isShownAsIs) || isReadAsAnother(text) ? marked(text) : text;
}

const WITH_PLUS = /^\+\d[\d ().-]*$/;

/** Takes off what one of the guards put into a cell, or the `'` that a spreadsheet put before it. */
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
  return formulasInside(text).length > 0;
}

/** Whether a `'` before it may be a guard: before more than we guard, as spreadsheets put theirs before it, too. */
function mayBeMarked(text: string): boolean {
  const bare = text.replace(/^'+/, '');
  return (
    NO_BEGINNING.test(bare) ||
    FORMULA.test(bare) ||
    formulasInside(text).length > 0 ||
    isReadAsAnother(bare)
  );
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

/** Not in a word nor a space behind one, where no cell begins. */
const SIGNS = new RegExp(`(?<![0-9A-Za-z.,!?:] ?)${SIGN}`, 'g');

/** Where cells begin inside a cell, and a formula in them: the place of its guards, if any, and of its sign. */
function formulasInside(text: string): { from: number; sign: number }[] {
  const found = [];
  for (SIGNS.lastIndex = 0; SIGNS.test(text);) {
    const sign = SIGNS.lastIndex - 1;
    let from = sign;
    while (text[from - 1] === "'") from -= 1;
    if (beginsCell(text, from) && runsAt(text, sign)) found.push({ from, sign });
  }
  return found;
}

/**
 * Whether a separator stands before this place, perhaps with quotes and what is not seen between them; halves of
 * characters count as not seen, as some of those characters are.
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
 * Whether a formula begins at a sign inside a cell. Prose is none (`- asked twice`, `+1 for that`, `@Ada`), unless it could
 * call, refer or send something: a table that is split there is broken anyway, and a list of dashes in a summary
 * should reach a CRM as it is. What stands last in the cell must be whole, as the next cell might complete it. Only
 * what reaches to the next separator is looked at: no guard is in it, so that the answer is the same with them.
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
const CELL_END = /[;\r\n]/;
const WHOLE = /[\p{L}\p{N}\p{So}.?)%]\s*$/u;
const CALLS = String.raw`(!|=[\\\uff01\uff08\uff1d\uff5c;\r\n`;
const PROSE = new RegExp(
  String.raw`.(?=\s|\p{L}{3}|\d[\d.,]*\s)(?=[^${CALLS}]*\p{L}{2})(?:[^${CALLS}']|(?<=\p{L})')*(?=[;\r\n]|(?<=${WHOLE.source}))`,
  'uy',
);

const NO_NUMBER = /^[+\-\s]*$/;
const AMOUNT = /^[+-]\s?[$€£¥]?\s?(?:\d[\d.,]*|\.\d+)\s?[%$€£¥]?$/;
const PHONE = /^\s*\+?(?:[\d\s.\u2010-\u2015-]|\([\d\s]+\))+(?:(?:x|ext\.?|#)\s?\d+\s*)?$/i;
const LONGEST_PHONES = 100;

/** What begins with a sign and runs nothing: signs alone, an amount, phone numbers. */
function isHarmless(text: string): boolean {
  if (NO_NUMBER.test(text) || AMOUNT.test(text)) return true;
  if (text.length > LONGEST_PHONES) return false;
  const seen = text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');
  return seen.startsWith('+') && seen.split(/[/,;]/).every((part) => PHONE.test(part));
}

/** What a spreadsheet shows as it stands there: not a number with a plus. */
function isShownAsIs(text: string): boolean {
  return NO_NUMBER.test(text) || (text.startsWith('-') && AMOUNT.test(text));
}
