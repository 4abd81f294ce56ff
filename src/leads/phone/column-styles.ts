import type { CountryCode } from 'libphonenumber-js/max';
import type { E164 } from '../../domain/phone.ts';

/** How the numbers without `+` of a column are written: with their country code in front, or without it. */
export type NumberStyle = 'code' | 'national';

/** A column has a style if at least this number of its unambiguous cells have the style ... */
const FEWEST = 3;

/** ... and if they are at least this many times as frequent as cells of the other style. */
const AT_LEAST = 10;

/**
 * How the columns of a list write their numbers, learned from the cells that can be read in one way only: a few counts
 * for each column and country. The styles apply only after `settle`, so that all rows are read by the same rules.
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
    // A cell with a trunk prefix is not counted: it says nothing about cells without one.
    else if (phone.endsWith(digits)) counts.national += 1;
  }

  /** Counts an ambiguous cell. */
  doubt(column: number, country: CountryCode): void {
    if (!this.#isSettled) this.#countsOf(column, country).doubts += 1;
  }

  /** True when some column has a style, and ambiguous cells that the style can decide. */
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
