import {
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max';

import type { E164 } from '../../domain/phone.ts';
import { numberingPlan, type NumberingPlan } from './countries.ts';

/** How a column writes its numbers (with `+`, or those without): with their country code, or without it. */
export type NumberStyle = 'code' | 'national';

/** A column has a style if at least this number of its unambiguous cells have the style ... */
const FEWEST = 3;

/** ... and if they are at least this many times as frequent as cells of the other style. */
const AT_LEAST = 10;

/**
 * How the columns of a list write their numbers, learned from the cells that can be read in one way only: a few counts
 * for each column and country, and for cells with and without `+`. The styles apply only after `settle`, so that all
 * rows are read by the same rules.
 */
export class ColumnStyles {
  readonly #counts = new Map<string, Counts>();
  #isSettled = false;

  /** The style of the cells like this one in its column; undefined where none is known, and before `settle`. */
  of(column: number, country: CountryCode, cell: string): NumberStyle | undefined {
    return this.#isSettled ? habitOf(this.#counts.get(keyOf(column, country, cell))) : undefined;
  }

  /** Counts a cell by how it was read as a number of this country. */
  see(column: number, country: CountryCode, cell: string, parsed: SeenCell): void {
    if (this.#isSettled) return;
    const counts = this.#countsOf(column, country, cell);
    const isDoubt = !parsed.ok && parsed.refusal.code === 'ambiguous_number';
    if (parsed.plus === 'national') counts.national += 1;
    else if (parsed.plus === 'both' || isDoubt) counts.doubts += 1;
    else if (!parsed.ok) return;
    else if (counts.hasPlus) counts.code += 1;
    else {
      const digits = cell.replace(/\D+/g, '');
      if (parsed.phone === `+${digits}`) counts.code += 1;
      // A cell with a trunk prefix is not counted: it says nothing about cells without one.
      else if (parsed.phone.endsWith(digits)) counts.national += 1;
    }
  }

  /** True when some column has a style, and ambiguous cells that the style can decide. */
  get canDecide(): boolean {
    if (this.#isSettled) return false;
    return [...this.#counts.values()].some(
      (counts) => counts.doubts > 0 && habitOf(counts) !== undefined,
    );
  }

  /** From now on the styles apply, and `see` counts nothing. */
  settle(): this {
    this.#isSettled = true;
    return this;
  }

  #countsOf(column: number, country: CountryCode, cell: string): Counts {
    const key = keyOf(column, country, cell);
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const counts = { hasPlus: hasPlus(cell), code: 0, national: 0, doubts: 0 };
    this.#counts.set(key, counts);
    return counts;
  }
}

/** What is counted of a `ParsedPhone`. */
type SeenCell = { plus?: 'national' | 'both' } & (
  { ok: true; phone: E164 } | { ok: false; refusal: { code: string } }
);

interface Counts {
  hasPlus: boolean;
  code: number;
  national: number;
  doubts: number;
}

function keyOf(column: number, country: CountryCode, cell: string): string {
  return `${column}${country}${hasPlus(cell) ? '+' : ''}`;
}

/** True for a cell in which a number is written with `+`. */
export function hasPlus(cell: string): boolean {
  return /[+\uff0b]/.test(cell);
}

/** Among cells with `+`, one that only lacks its country code is enough to distrust the others. */
function habitOf(counts: Counts | undefined): NumberStyle | undefined {
  if (counts === undefined) return undefined;
  const { code, national } = counts;
  if (code >= FEWEST && code >= national * AT_LEAST) return 'code';
  if (counts.hasPlus) return national > 0 ? 'national' : undefined;
  return national >= FEWEST && national >= code * AT_LEAST ? 'national' : undefined;
}

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
