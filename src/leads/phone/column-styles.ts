import type { CountryCode } from 'libphonenumber-js/max';
import type { E164 } from '../../domain/phone.ts';

/** How the numbers without `+` of a column are written: with their country code in front, or without it. */
export type NumberStyle = 'code' | 'national';

/** A column has a style with at least so many unambiguous cells of it ... */
const FEWEST = 3;

/** ... and at least so many times as many as of the other style. */
const AT_LEAST = 10;

/**
 * How the columns of a list write their numbers, by the cells that can be read in one way only: a few counts for each
 * column and country. What it says changes nothing until it is settled, so that rows are not read by halves.
 */
export class ColumnStyles {
  readonly #counts = new Map<string, { code: number; national: number; doubts: number }>();
  #isSettled = false;

  /** The style of the column; undefined where it has none, and before `settle`. */
  of(column: number, country: CountryCode): NumberStyle | undefined {
    return this.#isSettled ? habitOf(this.#counts.get(`${column}${country}`)) : undefined;
  }

  /** Counts an unambiguous cell. */
  see(column: number, country: CountryCode, cell: string, phone: E164): void {
    if (this.#isSettled || cell.includes('+')) return;
    const digits = cell.replace(/\D+/g, '');
    const counts = this.#countsOf(column, country);
    if (phone.length === digits.length + 1 && phone.endsWith(digits)) counts.code += 1;
    // A cell with a trunk prefix says nothing about those without.
    else if (phone.endsWith(digits)) counts.national += 1;
  }

  /** Counts an ambiguous cell. */
  doubt(column: number, country: CountryCode): void {
    if (!this.#isSettled) this.#countsOf(column, country).doubts += 1;
  }

  /** True when a column has a style and ambiguous cells that it decides. */
  get canDecide(): boolean {
    if (this.#isSettled) return false;
    return [...this.#counts.values()].some(
      (counts) => counts.doubts > 0 && habitOf(counts) !== undefined,
    );
  }

  /** From now on the styles apply, and nothing more is counted. */
  settle(): this {
    this.#isSettled = true;
    return this;
  }

  #countsOf(column: number, country: CountryCode) {
    const key = `${column}${country}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const counts = { code: 0, national: 0, doubts: 0 };
    this.#counts.set(key, counts);
    return counts;
  }
}

function habitOf(counts: { code: number; national: number } | undefined): NumberStyle | undefined {
  if (counts === undefined) return undefined;
  const { code, national } = counts;
  if (code >= FEWEST && code >= national * AT_LEAST) return 'code';
  return national >= FEWEST && national >= code * AT_LEAST ? 'national' : undefined;
}
