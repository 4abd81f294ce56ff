import {
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max';

import { isE164, type E164 } from '../../domain/phone.ts';
import { beginsLikeCode, readBothWays, type Origin } from './column-styles.ts';
import { countriesOf, numberingPlan, type NumberingPlan, type NumberRange } from './countries.ts';
import { digitsIn, FEWEST_DIGITS, isWhole } from './phone-cell.ts';

/** The numbers that a text may mean: one, several where the text is ambiguous, or none. */
interface Reading {
  numbers: PhoneNumber[];
  /** The parts of the text that were left out to read it, in words. */
  mended: string[];
}

/**
 * Reads a text that holds one number, without the `(0)` behind a country code, extensions after a slash, and prefixes
 * that Mexico has abolished.
 */
export function readPhone(written: string, origin: Origin): Reading {
  const text = isBrazil(written, origin.country) ? written.replace(CARRIER, '0') : written;
  return readTrunk(text, origin) ?? readRange(text, origin) ?? readDigits(text, origin);
}

/** A placeholder for the carrier code, as written in Brazil: `0xx11`. */
const CARRIER = /0 ?xx ?/i;

function isBrazil(text: string, country: CountryCode | null): boolean {
  return /^\+55\D/.test(text) || (country === 'BR' && !text.startsWith('+'));
}

/** Splits `+49 (0) 30`, `0049 (0)30` or `+7 (8) 495` into country code, the trunk prefix that it replaces, and rest. */
const TRUNK = /^(\+|00)?\s*(\d{1,3})[\s.-]*\(\s*(\d{1,2})\s*\)[\s.-]*([\d(][^+]*)$/;

function readTrunk(text: string, origin: Origin): Reading | undefined {
  const [, , code = '', trunk = '', rest = ''] = TRUNK.exec(text) ?? [];
  const [main] = code === '' ? [] : countriesOf(code);
  if (main === undefined) return undefined;
  const prefix = numberingPlan(main).prefix?.exec(trunk)?.[0];
  if (trunk !== '0' && prefix !== trunk) return undefined;
  // In Italy and a few other countries the 0 is a part of the number, so both readings are tried.
  const ways = [`+${code} ${rest}`, `+${code} ${trunk}${rest}`].map((way) =>
    readDigits(way, ABROAD),
  );
  const mended = [`without the (${trunk}) behind its country code`];
  const found = different(ways.flatMap(({ numbers }) => numbers));
  const listed = found.filter((number) => number.isValid());
  const numbers = listed.length > 0 ? listed : found.filter((number) => number.isPossible());
  if (numbers.length === 0) return undefined;
  const [asWritten] = readDigits(text, origin).numbers;
  return { numbers, mended: asWritten?.number === numbers[0]?.number ? [] : mended };
}

/** For texts that begin with `+` and country code. */
const ABROAD: Origin = { country: null, style: undefined };

const RANGE = /^(.*\d)\s*\/\s*-?(\d{1,6}(?:\s?-\s?\d{1,6})?)$/;

/** More digits after a slash may be the rest of the number instead of an extension. */
const LONGEST_EXTENSION = 3;

/** Each is read again without its last part, so a text of thousands of slashes would need as many readings. */
const MOST_PARTS = 6;

/** True where pairs of digits between slashes are one number: `06/12/34/56/78`. */
export function isInPairs(text: string): boolean {
  const [, head] = /^([^/]*)\/\d{2}(?:\/\d{2})+$/.exec(text) ?? [];
  return head !== undefined && !isWhole(head);
}

function readRange(text: string, origin: Origin): Reading | undefined {
  const [, before = '', tail = ''] = RANGE.exec(text) ?? [];
  if (before === '' || isInPairs(text)) return undefined;
  const parts = text.split('/');
  if (parts.length > MOST_PARTS) {
    const { numbers, mended } = readPhone(parts.slice(0, MOST_PARTS).join('/').trimEnd(), origin);
    return { numbers, mended: [...mended, 'without what is behind its sixth slash'] };
  }
  const first = readPhone(before, origin);
  const possible = first.numbers.filter((number) => number.isPossible());
  if (possible.length === 0) return undefined;
  const listed = possible.filter((number) => number.isValid());
  const mended = [...first.mended, `without what is behind it ("/ ${tail}")`];
  const joined = readDigits(text, origin).numbers.filter((number) => number.isValid());
  const isLong = digitsIn(tail) > LONGEST_EXTENSION && !tail.includes('-');
  if (listed.length === 0) return { numbers: different([...possible, ...joined]), mended };
  return { numbers: different(isLong ? [...listed, ...joined] : listed), mended };
}

function readDigits(text: string, origin: Origin): Reading {
  const { country } = origin;
  const two = readBothWays(text, origin);
  if (two?.choice === 'both') return { numbers: known([two.national, two.code]), mended: [] };
  const number = two === undefined ? read(text, country) : two[two.choice];
  const inUse = known([number, two?.code].map(withoutOldPrefix));
  if (inUse.length === 0) return { numbers: known([number]), mended: [] };
  return { numbers: inUse.slice(0, 1), mended: ['without a prefix that Mexico has given up'] };
}

/** Digits: the library reads no number of fewer. */
const FEWEST_READ = 2;

/** `00` is the international prefix in most countries; in other countries no number starts with `00`. */
function read(text: string, country: CountryCode | null): PhoneNumber | undefined {
  // The library takes 25 µs to say so, and a list may have a million words where numbers should be.
  if (digitsIn(text) < FEWEST_READ) return undefined;
  const options = { extract: false, ...(country === null ? {} : { defaultCountry: country }) };
  const isNobodys = country === null && /^\d+$/.test(text);
  const number = isNobodys ? undefined : parsePhoneNumberFromString(text, options);
  // No calling code begins with 0.
  if (!/^00[^0]/.test(text) || number?.isValid() === true) return number;
  const abroad = parsePhoneNumberFromString(`+${text.slice(2)}`, { extract: false });
  const isBetter = number?.isPossible() !== true && abroad?.isPossible() === true;
  return isBetter || abroad?.isValid() === true ? abroad : number;
}

/** Until 2019 mobile numbers of Mexico had a 1 after the country code, and 044 or 045 in front in national calls. */
function withoutOldPrefix(number: PhoneNumber | undefined): PhoneNumber | undefined {
  if (number?.countryCallingCode !== '52') return undefined;
  const [, rest] = /^(?:1|01|044|045)(\d{10})$/.exec(number.nationalNumber) ?? [];
  if (rest === undefined) return undefined;
  const inUse = parsePhoneNumberFromString(`+52${rest}`, { extract: false });
  return inUse?.isValid() === true ? inUse : undefined;
}

function known(numbers: readonly (PhoneNumber | undefined)[]): PhoneNumber[] {
  return numbers.filter((number) => number !== undefined);
}

function different(numbers: readonly PhoneNumber[]): PhoneNumber[] {
  return numbers.filter(
    (number, index) => numbers.findIndex((other) => other.number === number.number) === index,
  );
}

/** Matches a cell of digits and usual separators only. */
const PLAIN = /^[+(\d][\d ().-]{6,30}$/;

/**
 * Cells that may be something else: a decimal number (one dot), a date (three parts), an IP address (four parts), an
 * amount (groups of three); and cells with a trunk prefix in parentheses.
 */
const DOUBTFUL =
  /^\d+\.\d+$|^\d{1,4}[-.]\d{1,2}[-.]\d{1,4}$|^(?:\d{1,3}\.){3}\d{1,3}$|^\d{1,3}(?:\.\d{3})+$|\(\s*\d{1,2}\s*\)/;

/** Calling codes have one to three digits. */
const LONGEST_CALLING_CODE = 3;

/**
 * Fast path for a cell with one plainly written number in a range of fixed or mobile lines. The result is the same as
 * that of the library, and undefined in every case of doubt. The library is slower, as it builds its patterns anew for
 * each number: without this function the import of a million rows takes 35 % more processor time (39.8 s instead of
 * 29.5 s).
 * @param country the country of numbers without `+`, or null
 */
export function plainPhone(cell: string, country: CountryCode | null): E164 | undefined {
  // A cell that ends in `.0` was stored as a number by a spreadsheet; `cleanPhone` removes the `.0`.
  if (!PLAIN.test(cell) || cell.includes('.0') || DOUBTFUL.test(cell)) return undefined;
  const digits = cell.replace(/\D+/g, '');
  const plan = country === null ? undefined : numberingPlan(country);
  if (cell.startsWith('+')) return mayLackCode(digits, plan) ? undefined : phoneAbroad(digits);
  if (plan === undefined || digits.search(plan.abroad) === 0) return undefined;
  if (!beginsLikeCode(digits, plan)) return phoneIn(plan, digits);
  const rest = digits.slice(plan.code.length);
  const mayBeNational = plan.lengths.has(digits.length) && !isLongFixed(plan, digits);
  const mayHaveCode = plan.lengths.has(rest.length) || plan.prefix?.test(rest) === true;
  if (mayBeNational === mayHaveCode) return undefined;
  return phoneIn(plan, mayBeNational ? digits : rest);
}

/** True for digits behind a `+` that may be a number of the home country without its code: see `readPlus`. */
function mayLackCode(digits: string, plan: NumberingPlan | undefined): boolean {
  if (plan === undefined || digits.startsWith(plan.code)) return false;
  return plan.lengths.has(digits.length) || hasPrefix(plan, digits);
}

/** True for a number longer than any mobile number that can only be a fixed line: see `readBothWays`. */
function isLongFixed({ longestMobile, usual, types }: NumberingPlan, national: string): boolean {
  if (longestMobile === 0 || national.length <= longestMobile) return false;
  return !isIn(types.slice(usual.length), national);
}

/** True for a number that nobody has: one digit repeated, or the keys pressed in order. */
export function isFiller(nationalNumber: string): boolean {
  return /^(\d)\1+$/.test(nationalNumber) || nationalNumber === '1234567890';
}

/** True for premium and personal ranges, by prefix: the library does not know the type of some of these numbers. */
export function isCostly(phone: string): boolean {
  return /^\+(?:1900|449|4470|61190)/.test(phone);
}

/** @param digits all digits of the number, calling code first */
function phoneAbroad(digits: string): E164 | undefined {
  for (let length = 1; length <= LONGEST_CALLING_CODE; length++) {
    const [main] = countriesOf(digits.slice(0, length));
    if (main === undefined) continue;
    const [plan, rest] = [numberingPlan(main), digits.slice(length)];
    return hasPrefix(plan, rest) ? undefined : phoneIn(plan, rest);
  }
  return undefined;
}

function hasPrefix({ prefix }: NumberingPlan, digits: string): boolean {
  return (prefix?.exec(digits)?.[0] ?? '') !== '';
}

/** @param digits without calling code, with or without the trunk prefix of national calls */
function phoneIn(plan: NumberingPlan, digits: string): E164 | undefined {
  const prefix = plan.prefix?.exec(digits);
  // A prefix with capture groups changes the digits after it, as in Argentina, Brazil and Mexico: left to the library.
  if (prefix?.slice(1).some((group) => Boolean(group)) === true) return undefined;
  const national = digits.slice(prefix?.[0].length ?? 0);
  if (national.length < FEWEST_DIGITS || isFiller(national) || !isOf(plan, national))
    return undefined;
  const home = homeOf(plan.code, national);
  if (home === undefined || !isOf(home, national) || !isIn(home.usual, national)) return undefined;
  const phone = `+${plan.code}${national}`;
  return isE164(phone) && !isCostly(phone) ? phone : undefined;
}

/** The first country with this calling code that has the number. */
function homeOf(code: string, national: string): NumberingPlan | undefined {
  const countries = countriesOf(code);
  const [only] = countries;
  if (countries.length === 1 && only !== undefined) return numberingPlan(only);
  for (const country of countries) {
    const plan = numberingPlan(country);
    const { leading, general, types } = plan;
    const isHome =
      leading === null
        ? general.test(national) && isIn(types, national)
        : national.search(leading) === 0;
    if (isHome) return plan;
  }
  return undefined;
}

function isOf({ lengths, general }: NumberingPlan, national: string): boolean {
  return lengths.has(national.length) && general.test(national);
}

function isIn(ranges: readonly NumberRange[], national: string): boolean {
  return ranges.some(
    ({ lengths, pattern }) => lengths.has(national.length) && pattern.test(national),
  );
}
