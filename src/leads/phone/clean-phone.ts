import { digitsIn, FEWEST_DIGITS } from './phone-cell.ts';
import { withoutLabels } from './phone-labels.ts';
import { oneForm } from '../../text/fold-words.ts';

/** Invisible characters that come from copying out of documents: direction marks, joiners, zero-width characters. */
const MARKS = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** An extension marked by a word that the library does not know. */
const EXTENSION =
  /(?<![\s,;(])[\s,;(]+(?:durchwahl|dw|app(?:arat)?|poste|interno|ramal|toestel|anknytning|内線)[\s.:]*(\d{1,6})\)?$/i;

/** Matches most cells, from which nothing has to be removed. */
const PLAIN = /^(?:[(\d]|\+ ?[1-9(])[\d ().-]*$/;

/**
 * Removes what copying, spreadsheets and people add: invisible marks, `'`, `="..."`, a trailing `.0`, `Tel.:`.
 *
 * @returns `mended`: the changes that the operator may want to see, e.g. `a spreadsheet's .0 taken off`
 */
export function cleanPhone(cell: string): { text: string; mended: string[] } {
  if (PLAIN.test(cell) && !cell.includes('.0')) return { text: cell.trim(), mended: [] };
  const mended: string[] = [];
  let text = cell.trim();
  change(text.replace(MARKS, ''), 'invisible signs taken out');
  change(asciiDigits(oneForm(text)), 'its digits written as 0 to 9');
  text = text.trim();
  change(
    unquoted(text.replace(/^="?([^"]*)"?$/, '$1').replace(/^'+/, '')),
    "a spreadsheet's marks taken off",
  );
  change(text.replace(/^(\+?\d+)\.0+$/, '$1'), "a spreadsheet's .0 taken off");
  const { text: bare, labels } = withoutLabels(text);
  change(bare, `${labels.map((label) => `"${label}"`).join(' and ')} taken off`);
  text = codeBare(text).replace(EXTENSION, ' ext. $1');
  return { text: text.trim(), mended };

  function change(next: string, what: string): void {
    if (next === text) return;
    // A change to another form of the same character, such as a no-break space to a space, needs no note.
    const signs = (one: string) => one.replace(/[^\p{L}\p{N}+]/gu, '');
    if (next.length < text.length || signs(next) !== signs(text)) mended.push(what);
    text = next;
  }
}

/** Removes quotes of any kind around the whole cell, unless there are quotes inside. */
function unquoted(text: string): string {
  const [before = '', behind = ''] = [BEFORE, BEHIND].map((quotes) => quotes.exec(text)?.[0]);
  if (before === '' || behind === '' || text.length === 1) return text;
  const within = text.slice(before.length, -behind.length);
  return within.includes('"') ? text : within.trim();
}

const QUOTES = String.raw`["'\`´\u2018-\u201f\u2039\u203a\u00ab\u00bb]`;
const BEFORE = new RegExp(`^${QUOTES}+`);
const BEHIND = new RegExp(`(?<!${QUOTES})${QUOTES}+$`);

/** Rewrites a country code so that the library can read it: `(+49) 30`, `(+49 30) 1`, `+0049 30` and `++49`. */
function codeBare(text: string): string {
  return text
    .replace(/^[([]\s*((?:\+|00)[\d\s.-]+)[)\]]/, '$1 ')
    .replace(/^\+[\s+]*(?:00\s*)?(?=(?:\([(\s]*)?[1-9])/, '+')
    .trim();
}

/** Separators between two numbers in one cell; none of them occurs inside a number. */
export const BETWEEN = /[;,|\r\n"]|\s\/\s|\s(?:or|and|oder|und|ou|o|y)\s|:::/i;

/** A later number with fewer digits may lack the area code of the first number: 030 23125001 / 23125002. */
const DIGITS_OF_A_LATER_NUMBER = 10;

/**
 * The complete numbers in a cell that holds several; empty where it holds only one, in any notation; undefined where
 * the digits cannot be assigned to numbers. A slash may also be a part of a number (030/12345).
 */
export function severalNumbers(text: string): string[] | undefined {
  const parts = text.split(BETWEEN).flatMap((part) => {
    const pieces = part.split('/');
    return pieces.every(isWhole) ? pieces : [part];
  });
  const [first = '', ...others] = parts.filter(isWhole);
  if (others.length === 0) return [];
  if (parts.some((part) => /\d/.test(part) && !isWhole(part))) return undefined;
  const complete = others.filter(
    (part) => part.trim().startsWith('+') || digitsIn(part) >= DIGITS_OF_A_LATER_NUMBER,
  );
  return [first, ...complete].map((part) => part.trim());
}

/** True for a text with enough digits for a complete number. */
export function isWhole(part: string): boolean {
  return digitsIn(part) >= FEWEST_DIGITS;
}

function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    if (digit >= '0' && digit <= '9') return digit;
    // In Unicode the ten digits of a script are consecutive, starting with zero.
    const point = digit.codePointAt(0) ?? 0;
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1;
    return String(value);
  });
}
