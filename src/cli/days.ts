import { invalidFlag } from './options.ts';

const HOUR_MS = 3_600_000;
/** Kiribati's Line Islands begin a day so much before UTC does, ships west of Alaska so much after it. */
const FIRST_ZONE_MS = 14 * HOUR_MS;
const LAST_ZONE_MS = 12 * HOUR_MS;

/** The beginning of a day in UTC, epoch ms. @throws AppError `FLAG_INVALID` (exit 2) */
export function readDay(flag: string, text: string): number {
  if (isDay(text)) return Date.parse(`${text}T00:00:00Z`);
  throw invalidFlag(`${flag} "${text}" is not a day such as 2026-01-05.`);
}

/** `2026-01-05`; JavaScript would take February 31st for March 3rd. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** When a day, by its beginning in UTC, has begun somewhere on earth. */
export function begunSomewhere(day: number): number {
  return day - FIRST_ZONE_MS;
}

/** When it has begun everywhere. */
export function begunEverywhere(day: number): number {
  return day + LAST_ZONE_MS;
}
