import type { CountryCode } from 'libphonenumber-js/max';
import type { E164 } from '../../domain/phone.ts';

/** How the numbers of a column are written, those with `+` or those without: with their country code, or without it. */
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

  /** The style of the cells like this one in its column; undefined where there is none, and before `settle`. */
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

  /** From now on the styles apply, and nothing more is counted. */
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
