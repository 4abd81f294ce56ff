const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/**
 * Reads a duration such as `50ms` `5s` `10m` `2h` `1d`.
 *
 * @returns ms, or undefined for any other text, e.g. one without a unit
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim());
  const unit = UNITS.find(([name]) => name === match?.[2]);
  return unit === undefined ? undefined : Number(match?.[1]) * unit[1];
}

/** The shortest exact text of a duration: 90,000 is `90s`, 120,000 is `2m`. */
export function formatDuration(ms: number): string {
  const [name, size] = UNITS.find(([, size]) => ms !== 0 && ms % size === 0) ?? ['ms', 1];
  return `${ms / size}${name}`;
}
