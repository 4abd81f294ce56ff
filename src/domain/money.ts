/**
 * Money as decimal text: digits with an optional minus and point, such as `0.123` or `-2`; no exponent, no trailing
 * zeros. Not a number, as computed doubles have binary rounding errors (12.3 / 100 is 0.12300000000000001), and so have
 * their sums.
 */

/** A larger number is not the cost of a call but something else, such as a time. */
const LARGEST = 1e12;
/** A smaller amount is a rounding error that is left over when binary fractions cancel out. */
const SMALLEST = 1e-15;
/** The number of decimal digits that a double, and a spreadsheet, can certainly hold. */
const DIGITS = 15;

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/**
 * An amount that a service gave, as number or as text, rounded to 15 significant digits, with its sign.
 * @returns undefined for a value that is not an amount: not a number, NaN, infinite, or above 1e12 (either sign)
 */
export function asMoney(value: unknown): string | undefined {
  const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !(Math.abs(number) <= LARGEST)) return undefined;
  if (Math.abs(number) < SMALLEST) return '0';
  const exponent = Number(number.toExponential(DIGITS - 1).split('e')[1]);
  // There are always at least two digits after the point, so zeros before the point are never removed.
  return number.toFixed(DIGITS - 1 - exponent).replace(/(?:\.|(?<![0.]))0+$/, '');
}

/** All sums are whole numbers of this unit: 1e-30, smaller than the last digit of any amount that `asMoney` gives. */
const PLACES = 30;

/** An amount in decimal text as a whole number of 1e-30: sums and comparisons are exact. */
export function moneyUnits(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0'));
}

/** Units of `moneyUnits` as decimal text in the format of `asMoney`, of any length. */
function moneyText(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/(?<!0)0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** A sum of amounts in decimal text, without any rounding; `0` without amounts. */
export class MoneySum {
  #units = 0n;

  add(amount: string, times = 1): void {
    this.#units += moneyUnits(amount) * BigInt(times);
  }

  toString(): string {
    return moneyText(this.#units);
  }
}

/**
 * A computed number without binary rounding errors: 0.1 + 0.2 becomes 0.3. A double can hold any decimal number of
 * fifteen significant digits.
 */
export function rounded(number: number): number {
  return Number(number.toPrecision(15));
}
