import type { Pace } from '../domain/pace.ts';

const UNITS = [
  ['s', 1_000],
  ['min', 60_000],
  ['h', 3_600_000],
] as const;

/**
 * Reads a pace such as `10/s` `60/min` `500/h`.
 *
 * @returns undefined when the text is something else, or a pace of 0
 */
export function parsePace(text: string): Pace | undefined {
  const match = /^(\d{1,6})\/(s|min|h)$/.exec(text.trim());
  const count = Number(match?.[1]);
  const unit = UNITS.find(([name]) => name === match?.[2]);
  return unit === undefined || count === 0 ? undefined : { count, perMs: unit[1] };
}

/** The text that `parsePace` reads back. */
export function formatPace(pace: Pace): string {
  const unit = UNITS.find(([, perMs]) => perMs === pace.perMs);
  return `${pace.count}/${unit?.[0] ?? `${pace.perMs}ms`}`;
}
