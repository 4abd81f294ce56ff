import type { PhoneNumber } from 'libphonenumber-js/max';

import { oneForm } from '../../text/fold-words.ts';

/** A text with fewer digits is a short code, or only a part of a number. */
export const FEWEST_DIGITS = 7;

/** Longest cell that is read; for long texts some patterns take time that grows with its square. */
export const LONGEST_CELL = 1_000;

export function digitsIn(text: string): number {
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) digits += 1;
  }
  return digits;
}

/** True for a cell that looks like a phone number, even a malformed one; false for a date. */
export function looksLikeNumber(cell: string): boolean {
  const written = cell.trim();
  if (written.length > LONGEST_CELL) return false;
  const text = written.normalize('NFKC').trim();
  const bare = text.replace(/^(?:[+(\s]*(?:tel:|['="]))+/i, '');
  if (/^['="]*\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[ T].*)?$/.test(text)) return false;
  if (SCIENTIFIC.test(text)) return true;
  const digits = digitsIn(text);
  return (
    digits >= 6 &&
    digits <= 40 &&
    /^[\d\s().+/;,|-]+(?:[^\d\s().+/;,|-]\D{0,2}[\d\s().+/;,|"-]*)?$/.test(bare)
  );
}

/** True for placeholders that people write where there is no number. */
export function isMissing(text: string): boolean {
  return /^(?:n\/?a|none|null|nil|unknown|[-–—.?]*)$/i.test(text);
}

/** Matches a long number that a spreadsheet has shortened and that has lost its last digits: 2.12555E+9. */
export const SCIENTIFIC = /^\+?\d(?:[.,]\d+)?e\+?\d+$/i;

/** North American numbers that end in a word. A word of one repeated letter (212-555-XXXX) hides the digits. */
const WORD = /^(\+?1?[2-9]\d{2}\d{0,4})([A-Z]{3,7})(\d{0,4})$/;
const KEYS = ['', '', 'ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQRS', 'TUV', 'WXYZ'];

/** `212-555-CALL` as digits, or undefined where the letters are not a part of a number. */
export function lettersAsDigits(text: string): string | undefined {
  const bare = text.replace(/[\s().-]/g, '').toUpperCase();
  const [, before, word, after] = WORD.exec(bare) ?? [];
  if (before === undefined || word === undefined || new Set(word).size < 2) return undefined;
  const digits = Array.from(word, (letter) => KEYS.findIndex((key) => key.includes(letter)));
  const number = `${before}${digits.join('')}${after ?? ''}`;
  return /^\+?1?\d{10}$/.test(number) ? number : undefined;
}

function withoutLabels(cell: string): { text: string; labels: string[] } {
  const [, digits] = LINK.exec(cell) ?? [];
  let text = digits === undefined ? cell : `+${digits}`;
  const labels = digits === undefined ? [] : [cell.slice(0, cell.indexOf(digits))];
  for (const label of [SCHEME, LABEL_BEFORE, LABEL_BEHIND]) {
    const found = label.exec(text)?.[0];
    // 212-555-HOME is a number in letters.
    if (found === undefined || (label === LABEL_BEHIND && lettersAsDigits(text) !== undefined))
      continue;
    text = text.replace(label, '').trim();
    labels.push(found.replace(/^[\s,;:(-]+/, '').replace(/(?<![\s)\]])[\s)\]]+$/, ''));
  }
  // RFC 3966: `phone-context` holds the prefix of an incomplete number.
  return { text: text.replace(/^([^;+]+);phone-context=(\+[\d-]+)$/i, '$2 $1'), labels };
}

/**
 * Words for phone lines. Words for fax, for other people's numbers and for numbers that must not be used are left out
 * on purpose: such cells are not read as a number to call.
 */
const WORDS = [
  'tel|tele|teleph|telephone|telefon|telefono|teléfono|téléphone|telefone|telefoon|telefonnummer|telefonnr|tél|tlf|tlfn|tfno|tfn',
  'phone|phone number|phone no|ph|fon|fono|fone|mobile phone|cell phone',
  'mobile|mobil|móvil|movil|mob|mobiel|mobilnummer|mobiltelefon|mobilfunk|handy|handynummer|cell|cellular|cellulare|celular|cel|portable|gsm|natel|whatsapp|kännykkä|puhelin|komórka|komórkowy|telemóvel|sms',
  'home|work|office|private|privat|privé|direct|direkt|main|landline|festnetz|fixe|fijo|fisso|geschäftlich|dienstlich|büro|casa|bureau',
  'тел|телефон|моб|мобильный|電話|携帯|電話番号|携帯電話|电话|手机|手机号|전화|휴대폰|핸드폰|फोन|मोबाइल|هاتف|جوال',
]
  .join('|')
  .replaceAll(' ', '[ ]');

const SCHEME =
  /^(?:tel|telprompt|callto|sms|phone|skype|whatsapp|wa|facetime|facetime-audio|viber|signal):(?:\/\/)?/i;

/** Matches `Tel.:`, `Tel. (mobile):`, `p:` (as in form exports of a large network); a single letter needs a colon. */
const LABEL_BEFORE = new RegExp(
  `^(?:(?:${WORDS})(?:(?:[.\\s/]|nr|no|number)*(?:\\((?:${WORDS})\\)|(?:${WORDS})(?!\\p{L})))?[.\\s]*(?:[:=#-]+\\s*)?|[ptmchwo][.]?:\\s*)(?=[+(\\d])`,
  'iu',
);

/** Matches ` mobile`, ` (mobile)`, ` - home`; a single letter needs parentheses. */
const LABEL_BEHIND = new RegExp(
  `(?<=\\d)(?:[\\s,;:-]*[([]\\s*(?:${WORDS}|[ptmchwo])\\.?\\s*[)\\]]|[\\s,;:-]+(?:${WORDS})\\.?)$`,
  'iu',
);

/** Matches links to a chat, which have the number with its country code but without the `+`. */
const LINK =
  /^(?:https?:\/\/)?(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?phone=|whatsapp:\/\/send\/?\?phone=|viber:\/\/(?:chat|add)\?number=)(?:%2B|\+)?(\d{7,15})(?:[/?&].*)?$/i;

/** Invisible characters that come from copying out of documents: direction marks, joiners, zero-width characters. */
const MARKS = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** An extension marked by a word that the library does not know. */
const EXTENSION =
  /(?<![\s,;(])[\s,;(]+(?:durchwahl|dw|app(?:arat)?|poste|interno|ramal|toestel|anknytning|内線)[\s.:]*(\d{1,6})\)?$/i;

/** Matches most cells, from which nothing has to be removed. */
const PLAIN = /^(?:[(\d]|\+ ?[1-9(])[\d ().-]*$/;

/**
 * Removes what copying, spreadsheets and people add: invisible marks, `'`, `="..."`, a trailing `.0`, `Tel.:`.
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
  if (digitsIn(text) < 2 * FEWEST_DIGITS) return [];
  const parts: string[] = [];
  for (const part of text.split(BETWEEN)) {
    const pieces = part.includes('/') ? part.split('/') : [];
    if (pieces.length > 0 && pieces.every(isWhole)) parts.push(...pieces);
    else parts.push(part);
  }
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
  return text.replace(/(?!\d)\p{Nd}/gu, (digit) => {
    // In Unicode the ten digits of a script are consecutive, starting with zero.
    const point = digit.codePointAt(0) ?? 0;
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1;
    return String(value);
  });
}

/**
 * Names the content of a cell that the library would take for a phone number although it is not one, e.g. `a date`;
 * undefined where nothing suggests this. Where both are possible, the notation decides: 03.12.45.67.89 is a number,
 * 05.01.2024 is a date.
 * @param text the cell as `cleanPhone` returns it
 */
export function nonPhoneKind(text: string): string | undefined {
  if (/\p{Sc}|^(?:eur|usd|gbp|chf|inr|rs\.?)\s?\d|\d\s?(?:eur|usd|gbp|chf|inr)$/iu.test(text))
    return 'an amount of money';
  if (text.includes('%')) return 'a percentage';
  if (isDate(text) && !/^\d\d\.\d\d\.\d\d$/.test(text)) return 'a date';
  if (/^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[ap]\.?m\.?)?$/i.test(text)) return 'a time';
  if (COORDINATES.test(text)) return 'a pair of coordinates';
  if (/^[-\u2212]\s?\d/.test(text) && !/^-\s\d/.test(text)) return 'a negative number';
  if (THOUSANDS.test(text)) return 'an amount, not the digits of a number';
  if (/^\d+,\d{1,2}$/.test(text)) return 'a decimal number';
  if (/\bfax\b|^f:/i.test(text)) return 'a fax number';
  return undefined;
}

/**
 * As `nonPhoneKind`, for digits with dots that may still be a number if its country groups digits there
 * (`dotsMatchFormat`): 22.345678 (Cyprus), 70.123.45.67 (Senegal), 20.12.34 (New Caledonia).
 */
export function maybeNonPhone(text: string): string | undefined {
  if (/^[1-9]\d*\.\d+$/.test(text)) return 'a decimal number';
  if (/^\d{1,2}(?:\.\d{3}){2,}$/.test(text)) return 'an amount';
  if (isAddress(text)) return 'an IP address';
  return isDate(text) ? 'a date' : undefined;
}

/**
 * True when the dots of `text` are at the gaps of the number in national or international format. A single dot must be
 * at the only gap, or at the first gap where the digits before it are too large for a coordinate (212.5550123).
 */
export function dotsMatchFormat(text: string, number: PhoneNumber): boolean {
  const dots = gapsFromEnd(text);
  const [only, ...others] = dots;
  const isCoordinate = Number(text.slice(0, text.indexOf('.'))) <= 180;
  return [number.formatNational(), number.formatInternational()].some((one) => {
    const gaps = gapsFromEnd(one);
    if (others.length > 0) return dots.every((at) => gaps.includes(at));
    return only === gaps.at(-1) && (gaps.length === 1 || (!isCoordinate && gaps[0] !== only));
  });
}

/** For each gap between groups of digits: how many digits follow it. */
function gapsFromEnd(text: string): number[] {
  const groups = text.split(/\D+/).filter((group) => group !== '');
  let behind = 0;
  return groups
    .toReversed()
    .slice(0, -1)
    .map((group) => (behind += group.length));
}

/** The three parts of a date; a time may follow. */
const DATE =
  /^(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/.])(\d{1,2})\6(\d{4}|\d{2}))(?:\.?[ T,]+\d{1,2}[:.h]?\d{2}.*)?$/i;

function isDate(text: string): boolean {
  const found = DATE.exec(text);
  if (found === null) return false;
  const [, year = '', , month = '', day = '', first = '', , second = '', last = ''] = found;
  if (year !== '') return isYear(year) && isUpTo(12, month) && isUpTo(31, day);
  // Day and month may come in either order.
  const isInYear =
    (isUpTo(12, first) && isUpTo(31, second)) || (isUpTo(31, first) && isUpTo(12, second));
  return isInYear && (last.length === 2 || isYear(last));
}

function isYear(text: string): boolean {
  return /^(?:19|20)\d{2}$/.test(text);
}

function isUpTo(most: number, text: string): boolean {
  return Number(text) >= 1 && Number(text) <= most;
}

/** True for an IPv4 address: four numbers up to 255 without leading zeros. Four pairs of digits are a phone number. */
function isAddress(text: string): boolean {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return false;
  return parts.every((part) => Number(part) <= 255) && parts.some((part) => part.length !== 2);
}

const COORDINATES =
  /^[-+\u2212]?\d{1,3}\.\d{3,}°?\s?[NS]?(?:\s*[,;]\s*|\s+)[-+\u2212]?\d{1,3}\.\d{3,}°?\s?[EW]?$/i;

/** Groups of three with a comma between them, or with dots and a decimal comma. */
const THOUSANDS =
  /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?: \d{3})+[.,]\d{1,2}$/;
