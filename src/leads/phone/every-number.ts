import {
  findPhoneNumbersInText,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/max';

import { isE164, type E164 } from '../../domain/phone.ts';
import { readBothWays } from './column-styles.ts';
import { isShorter, numberingPlan } from './countries.ts';
import { isFiller, plainPhone, readPhone } from './phone-readings.ts';
import {
  BETWEEN,
  cleanPhone,
  digitsIn,
  isWhole,
  LONGEST_CELL,
  maybeNonPhone,
  nonPhoneKind,
} from './phone-cell.ts';
import { parsePhone } from './parse-phone.ts';

/** Fewest digits of a number, without those that the library adds; only some countries have shorter ones. */
const FEWEST_DIGITS = 5;
/** More digits between two words are several numbers. */
const MOST_DIGITS = 40;

/** Digits and all that the library takes for punctuation of a number, once `cleanPhone` has been there. */
const RUN = /\+?[\d ().~[\]\u2010-\u2015\u2053\u2212\u223c\u30fc-]+/g;

/** Where the library looks for a number in a part of a run; at a hyphen it takes everything behind it. */
const GAPS = [/ +/, /\. */, /(?=\()/];
const HYPHENS = / -|- |[\u2012-\u2015]/;

/**
 * The numbers within words, in the order of the text. The library tries every group of digits, so it gets only groups
 * that may be a number or its extension. Where more than 40 digits have no word between them, each part is read alone.
 * @param text as `cleanPhone` returns it
 * @param country the country of numbers without `+`, or null
 */
export function numbersWithin(text: string, country: CountryCode | null): string[] {
  const lengths = country === null ? [] : numberingPlan(country).lengths;
  const fewest = Math.min(FEWEST_DIGITS, ...lengths);
  const mayBeNumber = (part: string) => {
    const digits = digitsIn(part);
    return digits >= fewest && digits <= MOST_DIGITS;
  };
  // Separators become line breaks, so that the library does not join what they separate.
  const lines = text.split(/[/;,|\n]+/).map((line) => {
    // `everyNumber` has already read a line that is one plain number.
    const only = line.trim();
    if (/^\+\d+$/.test(only) && plainPhone(only, country) !== undefined) return '';
    const counts = (line.match(RUN) ?? []).map(digitsIn).filter((digits) => digits > 0);
    const isNumber = (at: number) => (counts[at] ?? 0) >= fewest;
    let at = -1;
    return line.replace(RUN, (run) => {
      const digits = digitsIn(run);
      if (digits > 0) at += 1;
      // A short group beside a number may be its extension, or the library may read it as one.
      const isBeside = isNumber(at - 1) || isNumber(at + 1) || isNumber(at + 2);
      if (digits === 0 || (!isNumber(at) && isBeside)) return run;
      if (!isNumber(at)) return '\n';
      const gaps = digits > MOST_DIGITS ? [...GAPS, HYPHENS] : GAPS;
      const parts = gaps.flatMap((gap) => run.split(gap)).filter(mayBeNumber);
      if (digits > MOST_DIGITS) return `\n${[...new Set(parts)].join('\n')}\n`;
      const hasParts = HYPHENS.test(run) || parts.some((part) => part !== run);
      // Fills gaps in which the library would search in vain.
      if (hasParts) return run;
      const isWithin = (gap: string, from: number) => from > 0 && from + gap.length < run.length;
      return run.replace(/[ .]+/g, (gap, from: number) => (isWithin(gap, from) ? '\u2212' : gap));
    });
  });
  const options = country === null ? {} : { defaultCountry: country };
  const found = findPhoneNumbersInText(lines.join('\n'), options);
  return found.map(({ number }) => number.number);
}

/** Accepts numbers of every kind, as these numbers are suppressed and not called. */
const ANY_NUMBER = { unassigned: 'accept', tollFree: 'accept', extension: 'accept' } as const;

/**
 * All numbers that a cell may mean, for people who must not be called; an import would call fewer of them. These are:
 * each of several numbers, of any kind, without its extension; both readings of a number that may begin with its
 * country code; numbers that replace the last digits of the first one (`030 23125004 / 05`); and the same number under
 * an older or newer numbering plan. Digits after a slash are not appended to the number before it.
 * @param country the country of numbers without `+`, or null
 * @returns the numbers, first the one that would be called; empty where no number can be read
 */
export function everyNumber(cell: string, country: CountryCode | null): E164[] {
  const found = new Set<E164>();
  for (const part of partsOf(cell)) for (const phone of numbersIn(part, country)) found.add(phone);
  return [...found];
}

/** The parts of a cell that `everyNumber` reads one by one: the whole cell up to 1,000 characters, else pieces. */
export function* partsOf(cell: string): Generator<string> {
  const size = cell.length > LONGEST_CELL ? LONGEST_CELL - OVERLAP : LONGEST_CELL;
  for (let at = 0; at < cell.length; at += size) {
    const isLast = at + LONGEST_CELL >= cell.length;
    const piece = cell.slice(at, at + LONGEST_CELL);
    // A number that is cut at an end of the piece is whole in the piece beside it.
    const begun = at === 0 ? piece : piece.replace(/^[\d().-]+/, '');
    yield isLast ? begun : begun.replace(/(?<![+\d().-])[+\d().-]+$/, '');
  }
}

/** Characters by which two pieces overlap, more than a number has. */
const OVERLAP = 80;

function numbersIn(cell: string, country: CountryCode | null): E164[] {
  const { text } = cleanPhone(cell);
  if (!/\d/.test(text) || (country !== null && isShorter(text, country))) return [];
  const found = new Set<string>();
  const whole = parsePhone(cell, country, ANY_NUMBER);
  if (whole.ok) found.add(whole.phone);
  else if (isNone(text, whole.refusal.code)) return [];
  const pieces = piecesOf(text);
  for (const piece of pieces) {
    for (const phone of readingsOf(piece, country)) found.add(phone);
  }
  for (const phone of numbersWithin(text, country)) found.add(phone);
  if (country !== null) for (const phone of spacedNumbers(text, country)) found.add(phone);
  const [first] = found;
  if (first !== undefined) for (const phone of withOtherEnds(first, pieces)) found.add(phone);
  for (const phone of [...found]) for (const twin of twinsOf(phone)) found.add(twin);
  return [...found].filter(isE164);
}

/** No number has more digits (ITU-T E.164). */
const LONGEST_NUMBER = 15;
/** A cell of more groups of digits is read only by what the library finds: each group may begin a number. */
const MOST_GROUPS = 40;
const GROUP = /\+?\(?\d[\d().\u2010-\u2015-]*/g;

/**
 * The numbers of a text in which several are separated only by spaces, slashes or signs (`030 23125010 030 23125011`).
 * Where one ends cannot be seen, so neighbouring groups that together are a number in use count as one: from a `+` or a
 * trunk prefix 0 on, or of a length that numbers of the country have.
 */
function spacedNumbers(text: string, country: CountryCode): string[] {
  const groups = text.match(GROUP) ?? [];
  if (digitsIn(text) <= LONGEST_NUMBER || groups.length > MOST_GROUPS) return [];
  const { lengths, prefix } = numberingPlan(country);
  const hasTrunk = prefix?.test('0') === true;
  return groups.flatMap((first, from) => {
    const found: string[] = [];
    let joined = '';
    for (const group of groups.slice(from)) {
      joined = joined === '' ? group : `${joined} ${group}`;
      const digits = joined.replace(/\D/g, '');
      if (digits.length > LONGEST_NUMBER + 2) break;
      const trunk = prefix?.exec(digits)?.[0].length ?? 0;
      const mayBegin =
        /^(\+|\(?0)/.test(first) || (!hasTrunk && lengths.has(digits.length - trunk));
      const number =
        mayBegin && isWhole(joined) ? parsePhoneNumberFromString(joined, country) : null;
      if (number?.isValid() === true) found.push(number.number);
    }
    return found;
  });
}

/** True for dates, amounts and other cells that are not phone numbers; a fax number counts as a number here. */
function isNone(text: string, code: string): boolean {
  const what = nonPhoneKind(text);
  if (what !== undefined) return what !== 'a fax number';
  return code === 'not_a_number' && maybeNonPhone(text) !== undefined;
}

/** The whole text, and its parts between separators, slashes and plus signs. */
function piecesOf(text: string): string[] {
  const parts = text.split(BETWEEN).flatMap((part) => [part, ...part.split('/')]);
  const plus = text.split(/(?=\+)/);
  return [...new Set([text, ...parts, ...plus].map((piece) => piece.trim()))];
}

function readingsOf(piece: string, country: CountryCode | null): string[] {
  if (!isWhole(piece) && !piece.startsWith('+')) return [];
  const parsed = parsePhone(piece, country, ANY_NUMBER, undefined, true);
  const { text } = cleanPhone(piece);
  const two = readBothWays(text, { country, style: undefined });
  const others = [two?.national, two?.code].flatMap((number) =>
    number?.isValid() === true || number?.getType() !== undefined ? [number.number] : [],
  );
  if (parsed.ok) return [parsed.phone, ...others];
  if (parsed.readings !== undefined) return [...parsed.readings, ...others];
  // Refused for its kind or its extension, but still a number that can be suppressed.
  const isOne = parsed.refusal.code === 'never_called' || parsed.refusal.code === 'has_extension';
  const { numbers } = readPhone(text, { country, style: undefined });
  const ringing = numbers.filter(
    (number) =>
      !isFiller(number.nationalNumber) && (isOne ? number.isPossible() : number.isValid()),
  );
  return [...ringing.map(({ number }) => number), ...others];
}

/** In `030 23125004 / 23125005` or `030 23125004 / 05`, the second part replaces the last digits of the first. */
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
 * The same line under another numbering plan: mobile numbers of Argentina have a 9 after the country code only when
 * called from abroad, Mexico dropped its 1 (2019), and Brazil added a 9 before the eight digits of a mobile (2016).
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
