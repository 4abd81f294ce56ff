import {
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
  type CountryCode,
  type PhoneNumber,
  type PhoneNumberType,
} from 'libphonenumber-js/max';

import type { NumberPolicy } from '../../domain/campaign.ts';
import { oneForm } from '../../text/fold-words.ts';
import { counted } from '../../text/wording.ts';
import { isTooLong, type Origin } from './column-styles.ts';
import { isCostly, isFiller } from './phone-readings.ts';
import { digitsIn, dotsMatchFormat, FEWEST_DIGITS } from './phone-cell.ts';
import { numberingPlan } from './countries.ts';

export interface RefusalOf<Code> {
  code: Code;
  /** One sentence: the value, what is wrong with it, what to do. */
  text: string;
}

const LONGEST_VALUE = 40;

/** Why a cell has no number to call. The keys must stay stable: rows are counted by these names, also in `--json`. */
const TEXTS = {
  phone_missing: (value) => `the phone cell is ${value}; fill in the number`,
  not_a_number: (value, cell, what) =>
    `${value} is ${what === '' ? '' : `${what}, `}not a phone number; ${howToWrite(cell)}`,
  no_country: (value) =>
    `${value} has no + and country code; give its country (--country, such as US), or write it with +`,
  unknown_country: (value, _, country) =>
    `${value} has no +, and its country ${quoted(country)} is not known; write a two-letter code such as US`,
  excel_scientific: (value) =>
    `${value} is a number that a spreadsheet has shortened, its digits are lost; format the column as text and export the list again`,
  several_numbers: (value) => `${value} holds more than one number, run together; keep one`,
  /** The cell can be read in two ways, and both are phone numbers. */
  ambiguous_number: (value, _, readings) =>
    `${value} can be ${readings}, and nothing tells which; write it with + and country code, or with the 0 that numbers begin with at home, if they do`,
  has_extension: (value) =>
    `${value} has an extension, which a call cannot dial; give a direct number, or call the number without it by --set numbers.extension=accept`,
  too_short: (value, cell) =>
    `${value} has ${digitsOf(cell)}, too few for a phone number (short and emergency numbers are never called)${cell.trim().startsWith('+') ? '; digits are missing in it' : '; write it in full with + and country code'}`,
  too_long: (value, cell) =>
    `${value} has ${digitsOf(cell)}, too many for a phone number; correct it or write it with + and country code`,
  not_assignable: (value) => `${value} is a number that nobody can have; correct it`,
  unassigned_number: (value) =>
    `${value} is in a range not known to be in use, which is refused here; correct it, or let such numbers in by --set numbers.unassigned=accept`,
  never_called: (value, _, what) =>
    `${value} is ${what}, which is never called; give a direct number`,
  toll_free: (value) =>
    `${value} is a toll-free number, which is not called here; give a direct number, or let such numbers in by --set numbers.tollFree=accept`,
  fictional_number: (value) =>
    `${value} belongs to a range kept for fiction, which a live service is never given; use the service "simulated" to rehearse`,
} satisfies Record<string, (value: string, cell: string, what: string) => string>;

export type PhoneRefusalCode = Exclude<keyof typeof TEXTS, 'toll_free'>;
export type PhoneRefusal = RefusalOf<PhoneRefusalCode>;

/**
 * @param what depends on the code. `never_called`: the kind of number; `not_a_number`: what the cell is instead, where
 *   known, e.g. `a date`; `unknown_country`: the country as written; `ambiguous_number`: the possible numbers
 */
export function refusal(code: keyof typeof TEXTS, cell: string, what = ''): PhoneRefusal {
  const text = TEXTS[code](quoted(cell), cell, what);
  return { code: code === 'toll_free' ? 'never_called' : code, text };
}

/** The refusal of a number with `+` whose country code may be missing: both readings, and how to write each. */
export function codeMayLack(cell: string, { home, written, code }: PlusReading): PhoneRefusal {
  const both = `${quoted(cell)} can be ${home.number} without its country code, or ${written}`;
  const text =
    code === null
      ? `${both}, which is no number in use; write it in full, with + and country code`
      : `${both} as it is; write the one that is meant, the second with a space behind +${code}`;
  return { code: 'ambiguous_number', text };
}

/** How to correct a cell that is not readable as a number. */
function howToWrite(cell: string): string {
  const isLong = digitsIn(cell) >= FEWEST_DIGITS;
  if (isLong && /\p{L}/u.test(cell)) return 'leave the number alone in its cell, without words';
  return cell.trim().startsWith('+') ? 'correct it' : 'write it with + and country code';
}

/** A cell as messages quote it: in quotes and shortened, or `empty`. */
export function quoted(cell: string): string {
  const text = cell.trim();
  if (text === '') return 'empty';
  return `"${text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}...` : text}"`;
}

function digitsOf(cell: string): string {
  return counted(digitsIn(oneForm(cell)), 'digit');
}

/** Calling codes without a country: freephone, shared cost, satellite, global and premium networks. */
const COUNTRYLESS = new Set(['800', '808', '870', '878', '881', '882', '883', '888', '979']);

const REFUSED_TYPES: Readonly<Record<string, string>> = {
  PREMIUM_RATE: 'a premium-rate number',
  SHARED_COST: 'a shared-cost number',
  PERSONAL_NUMBER: 'a personal number that costs like a premium-rate one',
  PAGER: 'a pager',
  UAN: "a company's access number",
  VOICEMAIL: 'a voicemail access number',
};

interface Known {
  type: PhoneNumberType | undefined;
  /** True when the numbering plan lists the number's range. */
  assigned: boolean;
  /** True when it was written with its country code. */
  hasPlus: boolean;
}

/** Why a number that was read must not be called; undefined where it may be. */
export function refuseNumber(
  cell: string,
  number: PhoneNumber,
  known: Known,
  policy: NumberPolicy,
): PhoneRefusal | undefined {
  const { countryCallingCode, nationalNumber } = number;
  const { type, assigned } = known;
  if (number.ext !== undefined && !(policy.extension === 'accept' && isMarked(cell))) {
    return refusal('has_extension', cell);
  }
  if (COUNTRYLESS.has(countryCallingCode)) {
    return refusal('never_called', cell, 'a number of no country (satellite, global or shared)');
  }
  if (type === 'TOLL_FREE' && policy.tollFree !== 'accept') return refusal('toll_free', cell);
  if (type !== undefined && type in REFUSED_TYPES) {
    return refusal('never_called', cell, REFUSED_TYPES[type]);
  }
  if (isCostly(number.number)) return refusal('never_called', cell, 'a premium-rate number');
  if (isShort(nationalNumber, known)) return refusal('too_short', cell);
  if (!assigned && !number.isPossible()) {
    const isLong = validatePhoneNumberLength(number.number) === 'TOO_LONG';
    return refusal(isLong ? 'too_long' : 'too_short', cell);
  }
  if (isFiller(nationalNumber) || !(assigned || mayBeNew(number))) {
    return refusal('not_assignable', cell);
  }
  if (!assigned && policy.unassigned === 'refuse') return refusal('unassigned_number', cell);
  return undefined;
}

/** True where a sign or a word marks the extension: a few digits after a mere comma may belong to another number. */
function isMarked(cell: string): boolean {
  return /[\p{L}#~]/u.test(cell.replace(/^\s*tel:/i, ''));
}

/** True for emergency and service numbers: fewer than 7 digits, except for assigned numbers of very small countries. */
function isShort(nationalNumber: string, { assigned, hasPlus }: Known): boolean {
  if (nationalNumber.length >= FEWEST_DIGITS) return false;
  return !hasPlus || !assigned || /^(?:\d{1,3}|116\d{3})$/.test(nationalNumber);
}

/**
 * The library does not list ranges that were opened after its release (in 2025 whole US area codes), so a number of a
 * possible length is taken. In North America an area code and an exchange never start with 0 or 1.
 */
function mayBeNew({ countryCallingCode, nationalNumber }: PhoneNumber): boolean {
  return countryCallingCode !== '1' || /^[2-9]\d{2}[2-9]\d{6}$/.test(nationalNumber);
}

/** A number written with `+` whose digits are also a number of its home country without country code. */
export interface PlusReading {
  /** With the country code of the home country put before it. */
  home: PhoneNumber;
  /** With every digit as written. */
  written: `+${string}`;
  /** The country code as written; null: not a valid number as written. */
  code: string | null;
  /** True where the reading as written must not be taken. */
  isRefused: boolean;
}

/**
 * Finds out whether the country code behind a `+` may be missing, as in `+6465550110` for +1 646 555 0110 (or New
 * Zealand, +64 6 555 0110). Undefined without `+`, for a valid number of the home country, and where the digits are no
 * valid number of it.
 *
 * A number that is not valid as written is always refused. A valid one is taken where a gap follows its country code
 * (`+64 65550110`). Otherwise the row's own country or state refuses it, and without one the habit of the column
 * decides. Where the column has no habit, the number is refused if the home reading is in a range with few lengths: the
 * library's ranges of some countries, such as Germany's fixed lines, hold numbers of nearly every length.
 */
export function readPlus(text: string, origin: Origin): PlusReading | undefined {
  const { country, style, isSaid = false } = origin;
  if (country === null || !text.startsWith('+') || TRUNK_ZERO.test(text)) return undefined;
  const plan = numberingPlan(country);
  const asWritten = parsePhoneNumberFromString(text, { extract: false });
  const digits = digitsAsWritten(text, asWritten);
  const isValid = asWritten?.number === `+${digits}` && asWritten.isValid();
  if (isValid && asWritten.countryCallingCode === plan.code) return undefined;
  const home = parsePhoneNumberFromString(`+${plan.code} ${text.slice(1)}`, { extract: false });
  if (home?.isValid() !== true || home.number === asWritten?.number) return undefined;
  if (isTooLong(plan, home) || home.nationalNumber.length < FEWEST_DIGITS) return undefined;
  const written = `+${digits}` as const;
  if (!isValid) return { home, written, code: null, isRefused: true };
  if (hasGapBehindCode(text, asWritten, home)) return undefined;
  const isClear = hasFewLengths(home, country);
  const isRefused =
    style === 'national' || (isSaid && isClear) || (style !== 'code' && (isSaid || isClear));
  return { home, written, code: asWritten.countryCallingCode, isRefused };
}

/** A trunk prefix in parentheses replaces a country code, which is before it: `+44 (0) 20`. */
const TRUNK_ZERO = /^\+[\s\d.-]+\(\s*0\s*\)/;

/** True where the number has fewer digits than were written behind the `+`, without a `(0)` that would explain it. */
export function lacksDigits(text: string, number: PhoneNumber): boolean {
  if (!text.startsWith('+') || TRUNK_ZERO.test(text)) return false;
  return `+${digitsAsWritten(text, number)}`.length > number.number.length;
}

/** The digits of the text without those of its extension. */
function digitsAsWritten(text: string, number: PhoneNumber | undefined): string {
  const digits = text.replace(/\D+/g, '');
  return digits.slice(0, digits.length - (number?.ext?.length ?? 0));
}

/** True for `+64 65550110`, unless the home country writes a gap there, too. */
function hasGapBehindCode(text: string, asWritten: PhoneNumber, home: PhoneNumber): boolean {
  const [, group] = /^\D*(\d+)\D+\d/.exec(text) ?? [];
  if (group !== asWritten.countryCallingCode) return false;
  return !dotsMatchFormat(text.slice(1).replace(/\D+/g, '.'), home);
}

/** The most lengths of a range in which a number is surely a number of its country. */
const FEW_LENGTHS = 3;

function hasFewLengths({ country, nationalNumber }: PhoneNumber, home: CountryCode): boolean {
  return numberingPlan(country ?? home).types.some(
    ({ lengths, pattern }) =>
      lengths.size <= FEW_LENGTHS &&
      lengths.has(nationalNumber.length) &&
      pattern.test(nationalNumber),
  );
}
