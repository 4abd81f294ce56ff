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
 *
 * @returns undefined for a value that is not an amount: not a number, NaN, infinite, or above 1e12 (either sign)
 */
export function asMoney(value: unknown): string | undefined {
  const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !(Math.abs(number) <= LARGEST)) return undefined;
  if (Math.abs(number) < SMALLEST) return '0';
  const exponent = Number(number.toExponential(DIGITS - 1).split('e')[1]);
  // There are always at least two digits after the point, so zeros before the point are never removed.
  return number.toFixed(DIGITS - 1 - exponent).replace(/\.?0+$/, '');
}

/** A sum of amounts in decimal text, without any rounding. */
export class MoneySum {
  /** Sums of amounts by the number of digits after the point, in units of the last digit. */
  readonly #sums: bigint[] = [];

  add(amount: string): void {
    const point = amount.indexOf('.');
    const places = point < 0 ? 0 : amount.length - point - 1;
    const units = BigInt(point < 0 ? amount : amount.slice(0, point) + amount.slice(point + 1));
    this.#sums[places] = (this.#sums[places] ?? 0n) + units;
  }

  /** The sum as decimal text in the format of `asMoney`, of any length; `0` without amounts. */
  toString(): string {
    const most = Math.max(0, this.#sums.length - 1);
    let total = 0n;
    for (const [places, sum = 0n] of this.#sums.entries()) {
      total += sum * 10n ** BigInt(most - places);
    }
    const digits = String(total < 0n ? -total : total).padStart(most + 1, '0');
    const whole = digits.slice(0, digits.length - most);
    const fraction = digits.slice(digits.length - most).replace(/0+$/, '');
    return `${total < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  }
}
