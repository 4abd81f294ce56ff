import type { CountryCode } from 'libphonenumber-js/max';
import { isE164, type E164 } from '../../domain/phone.ts';
import {
  countriesOf,
  numberingPlan,
  type NumberingPlan,
  type NumberRange,
} from './numbering-plans.ts';
import { beginsLikeCode } from './ambiguous-code.ts';
import { FEWEST_DIGITS } from './phone-cell.ts';

/** Nothing but digits and what people put between them. */
const PLAIN = /^[+(\d][\d ().-]{6,30}$/;

/**
 * What may be something else: one dot as of a decimal number, three parts as of a date, four as of an address, groups
 * of three as of an amount; and a trunk prefix in parentheses.
 */
const DOUBTFUL =
  /^\d+\.\d+$|^\d{1,4}[-.]\d{1,2}[-.]\d{1,4}$|^(?:\d{1,3}\.){3}\d{1,3}$|^\d{1,3}(?:\.\d{3})+$|\(\s*\d{1,2}\s*\)/;

/** Calling codes have one to three digits. */
const LONGEST_CALLING_CODE = 3;

/**
 * The number in a cell of which there is nothing to say: plainly written, in a range of fixed or mobile lines.
 * It answers as the library would, and leaves every doubt to it (undefined): the library builds its patterns anew for
 * each number. Without it the import of a million rows takes 35 % more processor time (39.8 s instead of 29.5 s).
 *
 * @param country the country of numbers without `+`, or null
 */
export function plainPhone(cell: string, country: CountryCode | null): E164 | undefined {
  // What ends in `.0` has been a spreadsheet's number.
  if (!PLAIN.test(cell) || cell.includes('.0') || DOUBTFUL.test(cell)) return undefined;
  const digits = cell.replace(/\D+/g, '');
  if (cell.startsWith('+')) return phoneAbroad(digits);
  const plan = country === null ? undefined : numberingPlan(country);
  if (plan === undefined || digits.search(plan.abroad) === 0) return undefined;
  if (!beginsLikeCode(digits, plan)) return phoneIn(plan, digits);
  const rest = digits.slice(plan.code.length);
  const mayBeNational = plan.lengths.has(digits.length) && !isLongFixed(plan, digits);
  const mayHaveCode = plan.lengths.has(rest.length) || plan.prefix?.test(rest) === true;
  if (mayBeNational === mayHaveCode) return undefined;
  return phoneIn(plan, mayBeNational ? digits : rest);
}

/** Longer than any mobile number, and of no other kind than a fixed line: see `readBothWays`. */
function isLongFixed({ longestMobile, usual, types }: NumberingPlan, national: string): boolean {
  if (longestMobile === 0 || national.length <= longestMobile) return false;
  return !isIn(types.slice(usual.length), national);
}

/** Of a number that nobody has: one digit all over, or keys pressed in their order. */
export function isFiller(nationalNumber: string): boolean {
  return /^(\d)\1+$/.test(nationalNumber) || nationalNumber === '1234567890';
}

/** Premium and personal ranges by prefix, for numbers that the library knows as possible only. */
export function isCostly(phone: string): boolean {
  return /^\+(?:1900|449|4470|61190)/.test(phone);
}

/** @param digits all of them, calling code first */
function phoneAbroad(digits: string): E164 | undefined {
  for (let length = 1; length <= LONGEST_CALLING_CODE; length++) {
    const [main] = countriesOf(digits.slice(0, length));
    if (main !== undefined) return phoneIn(numberingPlan(main), digits.slice(length));
  }
  return undefined;
}

/** @param digits without calling code, with or without the prefix of calls inside of the country */
function phoneIn(plan: NumberingPlan, digits: string): E164 | undefined {
  const prefix = plan.prefix?.exec(digits);
  // There are prefixes after which the rest is changed, as in Argentina, Brazil and Mexico.
  if (prefix?.slice(1).some((group) => Boolean(group)) === true) return undefined;
  const national = digits.slice(prefix?.[0].length ?? 0);
  if (national.length < FEWEST_DIGITS || isFiller(national) || !isOf(plan, national))
    return undefined;
  const home = homeOf(plan.code, national);
  if (home === undefined || !isOf(home, national) || !isIn(home.usual, national)) return undefined;
  const phone = `+${plan.code}${national}`;
  return isE164(phone) && !isCostly(phone) ? phone : undefined;
}

/** Of several countries with one calling code the first that has the number. */
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
