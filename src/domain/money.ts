/**
 * Money as decimal text: digits with perhaps a minus and a point, such as `0.123` or `-2`; no exponent, no zeros at
 * the end. A computed number has a binary fraction (12.3 / 100 is 0.12300000000000001), and so has every sum of them.
 */

/** More is no cost of calls but something else, such as a time. */
const LARGEST = 1e12;
/** What is left over when binary fractions cancel out. */
const SMALLEST = 1e-15;
/** A double holds so many digits for sure, and a spreadsheet as many. */
const DIGITS = 15;

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/**
 * An amount that a service gave, as number or as text, rounded to 15 significant digits. It keeps its sign.
 *
 * @returns undefined for what is no amount: no number, NaN, infinite, or above 1e12 (either sign)
 */
export function asMoney(value: unknown): string | undefined {
  const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !(Math.abs(number) <= LARGEST)) return undefined;
  if (Math.abs(number) < SMALLEST) return '0';
  const exponent = Number(number.toExponential(DIGITS - 1).split('e')[1]);
  // With at least two digits behind the point: zeros that are cut off never stand before it.
  return number.toFixed(DIGITS - 1 - exponent).replace(/\.?0+$/, '');
}

/** A sum of such texts without any rounding. */
export class MoneySum {
  /** Sums of amounts by how many digits they have behind the point, in units of the last one. */
  readonly #sums: bigint[] = [];

  add(amount: string): void {
    const point = amount.indexOf('.');
    const places = point < 0 ? 0 : amount.length - point - 1;
    const units = BigInt(point < 0 ? amount : amount.slice(0, point) + amount.slice(point + 1));
    this.#sums[places] = (this.#sums[places] ?? 0n) + units;
  }

  /** Decimal text as `asMoney` gives it, of any length; `0` of nothing. */
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
