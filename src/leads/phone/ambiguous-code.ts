import {
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import type { NumberStyle } from './column-styles.ts';
import { numberingPlan, type NumberingPlan } from './numbering-plans.ts';

/** What is known about a number besides its text. */
export interface Origin {
  /** The country of a number without `+`, or null. */
  country: CountryCode | null;
  /** How the column writes its other numbers, those with `+` or those without; undefined where this is not known. */
  style: NumberStyle | undefined;
  /** True where the row itself names the country, or a state of it. Default false. */
  isSaid?: boolean;
}

/**
 * Reads a number without `+` and without a trunk prefix in two ways, if it begins with the digits of its country's
 * calling code: as `national` (these digits belong to the number) and as `code` (they are the calling code). Undefined
 * where it begins otherwise, or where both readings are the same number (as in North America).
 *
 * A reading in a range of the numbering plan outranks one that is not. If both are, the national reading is ruled out
 * where it is a fixed line longer than any mobile number of the country: the library's ranges of fixed lines have no
 * upper length, real numbering plans do.
 *
 * @returns both readings, and which of the two is right (`both`: this cannot be decided)
 */
export function readBothWays(text: string, { country, style }: Origin) {
  if (country === null || text.startsWith('+')) return undefined;
  const plan = numberingPlan(country);
  if (!beginsLikeCode(text.replace(/\D+/g, ''), plan)) return undefined;
  const bare = text.replace(/[()]/g, ' ').trim();
  const national = parsePhoneNumberFromString(`+${plan.code} ${bare}`, { extract: false });
  const code = parsePhoneNumberFromString(`+${bare}`, { extract: false });
  if (national?.number === code?.number) return undefined;
  const known = choose(plan, national, code);
  const choice: NumberStyle | 'both' = known === 'both' ? (style ?? known) : known;
  return { national, code, choice };
}

/** True for digits that begin like the calling code of their country, and not with its trunk prefix. */
export function beginsLikeCode(digits: string, { code, prefix }: NumberingPlan): boolean {
  return digits.startsWith(code) && (prefix?.exec(digits)?.[0] ?? '') === '';
}

function choose(
  plan: NumberingPlan,
  national: PhoneNumber | undefined,
  code: PhoneNumber | undefined,
): NumberStyle | 'both' {
  if (code?.isPossible() !== true) return 'national';
  if (national?.isPossible() !== true) return 'code';
  const isNational = national.isValid();
  const isCode = code.isValid();
  if (isNational !== isCode) {
    if (isCode) return 'code';
    return isTooLong(plan, national) ? 'both' : 'national';
  }
  return isNational && isTooLong(plan, national) ? 'code' : 'both';
}

/** True for a fixed line longer than any mobile number of the country. */
export function isTooLong({ longestMobile }: NumberingPlan, number: PhoneNumber): boolean {
  const type = number.getType();
  const isFixed = type === 'FIXED_LINE' || type === 'FIXED_LINE_OR_MOBILE';
  return isFixed && longestMobile > 0 && number.nationalNumber.length > longestMobile;
}
