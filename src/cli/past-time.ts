import { parseDuration } from '../config/durations.ts';
import { invalidFlag } from './options.ts';

/**
 * A moment that a flag names, epoch ms: `2026-01-05`, `2026-01-05T18:00`, with `:30` and an offset or `Z` if
 * wanted (else in `timezone`), `18:00` (the last one), or how long ago: `12h`, `2d`.
 *
 * @throws AppError `FLAG_INVALID` (exit 2)
 */
export function pastTime(flag: string, text: string, now: number, timezone: string): number {
  const ago = parseDuration(text);
  if (ago !== undefined) return now - ago;
  if (/^\d{1,2}:\d{2}$/.test(text)) {
    const today = readLocal(`${dayOf(now, timezone)}T${text.padStart(5, '0')}`, timezone);
    const yesterday = dayOf(now - DAY_MS, timezone);
    const at = today <= now ? today : readLocal(`${yesterday}T${text.padStart(5, '0')}`, timezone);
    if (!Number.isNaN(at)) return at;
  }
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?))?(Z|[+-]\d{2}:\d{2})?$/.exec(
    text,
  );
  if (match !== null) {
    const [, date = '', time = '00:00', offset] = match;
    const local = `${date}T${time}`;
    const at = offset === undefined ? readLocal(local, timezone) : Date.parse(local + offset);
    if (!Number.isNaN(at) && isDay(date)) return at;
  }
  throw invalidFlag(
    `${flag} "${text}" is not a time such as 2026-01-05, 2026-01-05T18:00, 18:00, or 12h or 2d for so long ago.`,
  );
}

const DAY_MS = 86_400_000;

/** The wall-clock time in the zone; in the hour that a clock change skips or repeats, one of the two. */
function readLocal(local: string, timezone: string): number {
  const utc = Date.parse(`${local}Z`);
  if (Number.isNaN(utc)) return NaN;
  // Twice, as the offset is asked for at a moment that is off by that offset.
  const first = utc - offsetAt(utc, timezone);
  return utc - offsetAt(first, timezone);
}

function offsetAt(at: number, timezone: string): number {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  return Date.parse(`${text.replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000;
}

function dayOf(at: number, timezone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' }).format(at);
}

/** JavaScript takes February 31st for March 3rd. */
function isDay(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
