import {
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import { isTooLong, type Origin } from './ambiguous-code.ts';
import { numberingPlan } from './numbering-plans.ts';
import { dotsMatchFormat } from './non-phone.ts';
import { FEWEST_DIGITS } from './phone-cell.ts';

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
 * decides. Where the column has no habit, the number is refused if the home reading is in a range with few lengths:
 * the library's ranges of some countries, such as Germany's fixed lines, hold numbers of nearly every length.
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
