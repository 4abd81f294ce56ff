import { invalidFlag } from '../../config/hints.ts';
import { HOUR_MS } from '../../domain/time-units.ts';

/** Kiribati's Line Islands begin a day so much before UTC does. */
const FIRST_ZONE_MS = 14 * HOUR_MS;

/** The beginning of a day in UTC, epoch ms. @throws AppError `FLAG_INVALID` (exit 2) */
function readDay(flag: string, text: string): number {
  if (isDay(text)) return Date.parse(`${text}T00:00:00Z`);
  throw invalidFlag(`${flag} "${text}" is not a day such as 2026-01-05.`);
}

/** `2026-01-05`; JavaScript would take February 31st for March 3rd. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/**
 * The day for which a list is true, as its beginning in UTC (epoch ms): today, also where the list comes from, or
 * before.
 *
 * @throws AppError `FLAG_INVALID` (exit 2)
 */
export function readAsOf(text: string, now: number): number {
  const day = readDay('--as-of', text);
  if (day - FIRST_ZONE_MS <= now) return day;
  const today = new Date(now).toISOString().slice(0, 10);
  throw invalidFlag(`--as-of "${text}" is still to come. Give today (${today}) or a day before.`);
}
