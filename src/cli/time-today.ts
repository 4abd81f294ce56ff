import { invalidFlag } from './options.ts';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/**
 * The next moment at which clocks in `timezone` show `text`, epoch ms: today, or tomorrow when it has
 * passed. Looked for minute by minute, so that days with a clock change need no rule of their own.
 *
 * @param text `21:00`
 * @throws AppError `FLAG_INVALID` (exit 2)
 */
export function timeToday(flag: string, text: string, now: number, timezone: string): number {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) {
    throw invalidFlag(`${flag} "${text}" is not a time of day such as 21:00.`);
  }
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
  });
  const first = Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  for (let at = first; at < first + DAY_MS; at += MINUTE_MS) {
    if (clock.format(at) === text) return at;
  }
  // The hour that a clock change skips: not shown today, so tomorrow's.
  return first + DAY_MS;
}
