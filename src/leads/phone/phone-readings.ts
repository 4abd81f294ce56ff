import {
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import { countriesOf, numberingPlan } from './countries.ts';
import { digitsIn, isWhole } from './phone-cell.ts';
import { readBothWays, type Origin } from './column-styles.ts';

/** The numbers that a text may mean: one, several where the text is ambiguous, or none. */
export interface Reading {
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

/** `00` is the international prefix in most countries; in other countries no number starts with `00`. */
function read(text: string, country: CountryCode | null): PhoneNumber | undefined {
  const options = { extract: false, ...(country === null ? {} : { defaultCountry: country }) };
  const number = parsePhoneNumberFromString(text, options);
  if (!text.startsWith('00') || number?.isValid() === true) return number;
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
