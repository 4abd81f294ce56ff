import {
  findPhoneNumbersInText,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/max';
import { isE164, type E164 } from '../../domain/phone.ts';
import { BETWEEN, cleanPhone, isWhole } from './clean-phone.ts';
import { digitsIn } from './phone-cell.ts';
import { nonPhoneKind, maybeNonPhone } from './non-phone.ts';
import { parsePhone } from './parse-phone.ts';
import { isFiller } from './fast-phone.ts';
import { readPhone } from './phone-readings.ts';
import { readBothWays } from './ambiguous-code.ts';

/** Numbers of every kind count: they are to be suppressed, not called. */
const ANY_NUMBER = { unassigned: 'accept', tollFree: 'accept', extension: 'accept' } as const;

/**
 * All numbers that a cell may mean, for people who must not be called: more than would be called. Every number of
 * several, whatever kind it is, without its extension; both readings of a number that may begin with its country code;
 * a number whose last digits another one replaces; and what a number was or will be under an older plan. Without those
 * that the cell surely is not: digits behind a slash are not appended.
 *
 * @param country the country of numbers without `+`, or null
 * @returns the number that would be called first; none where no number can be read
 */
export function everyNumber(cell: string, country: CountryCode | null): E164[] {
  const { text } = cleanPhone(cell);
  const found = new Set<string>();
  const whole = parsePhone(cell, country, ANY_NUMBER);
  if (whole.ok) found.add(whole.phone);
  else if (isNone(text, whole.refusal.code)) return [];
  const pieces = piecesOf(text);
  for (const piece of pieces) {
    for (const phone of readingsOf(piece, country)) found.add(phone);
  }
  // Numbers within words. Separators become line breaks, so that the library does not join what they separate.
  const apart = text.replace(/[/;,|]+/g, '\n');
  const options = country === null ? {} : { defaultCountry: country };
  for (const { number } of findPhoneNumbersInText(apart, options)) found.add(number.number);
  const [first] = found;
  if (first !== undefined) for (const phone of withOtherEnds(first, pieces)) found.add(phone);
  for (const phone of [...found]) for (const twin of twinsOf(phone)) found.add(twin);
  return [...found].filter(isE164);
}

/** True for dates, amounts and the like; a fax number counts as a number here. */
function isNone(text: string, code: string): boolean {
  const what = nonPhoneKind(text);
  if (what !== undefined) return what !== 'a fax number';
  return code === 'not_a_number' && maybeNonPhone(text) !== undefined;
}

/** The whole text, and its parts between separators. */
function piecesOf(text: string): string[] {
  const parts = text.split(BETWEEN).flatMap((part) => [part, ...part.split('/')]);
  const plus = text.split(/(?=\+)/);
  return [...new Set([text, ...parts, ...plus].map((piece) => piece.trim()))];
}

function readingsOf(piece: string, country: CountryCode | null): string[] {
  if (!isWhole(piece) && !piece.startsWith('+')) return [];
  const parsed = parsePhone(piece, country, ANY_NUMBER);
  const { text } = cleanPhone(piece);
  const two = readBothWays(text, { country, style: undefined });
  const others = [two?.national, two?.code].flatMap((number) =>
    number?.isValid() === true || number?.getType() !== undefined ? [number.number] : [],
  );
  if (parsed.ok) return [parsed.phone, ...others];
  if (parsed.readings !== undefined) return [...parsed.readings, ...others];
  // Refused for its kind or its extension, but a number all the same.
  const isOne = parsed.refusal.code === 'never_called' || parsed.refusal.code === 'has_extension';
  const { numbers } = readPhone(text, { country, style: undefined });
  const ringing = numbers.filter(
    (number) =>
      !isFiller(number.nationalNumber) && (isOne ? number.isPossible() : number.isValid()),
  );
  return [...ringing.map(({ number }) => number), ...others];
}

/** `030 23125004 / 23125005`, `030 23125004 / 05`: what is shorter than the first number is its end. */
function withOtherEnds(first: string, pieces: readonly string[]): string[] {
  const ends = pieces.filter((piece) => /^-?[\d\s.-]+$/.test(piece) && digitsIn(piece) <= 8);
  return ends.flatMap((piece) => {
    const end = piece.replace(/\D/g, '');
    const number = parsePhoneNumberFromString(first.slice(0, first.length - end.length) + end);
    const isRest = number !== undefined && end.length < number.nationalNumber.length;
    return isRest && number.isPossible() ? [number.number] : [];
  });
}

/**
 * The same line under another plan: mobile numbers of Argentina have a 9 behind the country code only when they are
 * called from abroad, Mexico has given up its 1 (2019), and Brazil has put a 9 before the eight digits of a mobile (2016).
 */
function twinsOf(phone: string): string[] {
  const rules: [RegExp, string][] = [
    [/^\+549(\d{10})$/, '+54$1'],
    [/^\+54([1-8]\d{9})$/, '+549$1'],
    [/^\+521(\d{10})$/, '+52$1'],
    [/^\+52([2-9]\d{9})$/, '+521$1'],
    [/^\+55(\d{2})9([6-9]\d{7})$/, '+55$1$2'],
    [/^\+55(\d{2})([6-9]\d{7})$/, '+55$1' + '9$2'],
  ];
  return rules.flatMap(([rule, twin]) => (rule.test(phone) ? [phone.replace(rule, twin)] : []));
}
