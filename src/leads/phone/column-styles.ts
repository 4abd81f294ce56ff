import type { CountryCode } from 'libphonenumber-js/max';
import type { E164 } from '../../domain/phone.ts';

/** How the numbers without `+` of a column are written: with their country code in front, or without it. */
export type NumberStyle = 'code' | 'national';

/** So many cells that can be read in one way only make a habit ... */
const FEWEST = 3;

/** ... where so many times as many are of the one kind as of the other. */
const AT_LEAST = 10;

/**
 * How the columns of a list write their numbers, by the cells that can be read in one way only: a few counts for each
 * column and country. What it says changes nothing until it is settled, so that rows are not read by halves.
 */
export class ColumnStyles {
  readonly #counts = new Map<string, { code: number; national: number; doubts: number }>();
  #isSettled = false;

  /** The column's habit; undefined as long as it is not settled, and where there is none. */
  of(column: number, country: CountryCode): NumberStyle | undefined {
    return this.#isSettled ? habitOf(this.#counts.get(`${column}${country}`)) : undefined;
  }

  /** Counts a cell that was read in the one way in which it can be. */
  see(column: number, country: CountryCode, cell: string, phone: E164): void {
    if (this.#isSettled || cell.includes('+')) return;
    const digits = cell.replace(/\D+/g, '');
    const counts = this.#countsOf(column, country);
    if (phone.length === digits.length + 1 && phone.endsWith(digits)) counts.code += 1;
    // Behind a trunk prefix the digits are others: such cells say nothing of those without.
    else if (phone.endsWith(digits)) counts.national += 1;
  }

  /** Counts a cell that can be read in two ways. */
  doubt(column: number, country: CountryCode): void {
    if (!this.#isSettled) this.#countsOf(column, country).doubts += 1;
  }

  /** True when a habit was found that decides cells which were in doubt. */
  get canDecide(): boolean {
    if (this.#isSettled) return false;
    return [...this.#counts.values()].some(
      (counts) => counts.doubts > 0 && habitOf(counts) !== undefined,
    );
  }

  /** From now on the habits count, and nothing is added to them. */
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
