/**
 * A computed number without binary rounding errors: 0.1 + 0.2 becomes 0.3. A double can hold any decimal number of
 * fifteen significant digits.
 */
export function rounded(number: number): number {
  return Number(number.toPrecision(15));
}
