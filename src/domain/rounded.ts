/**
 * A computed number without its binary fraction: 0.1 + 0.2 is 0.3. Fifteen significant digits are what a double
 * holds of any decimal number.
 */
export function rounded(number: number): number {
  return Number(number.toPrecision(15));
}
