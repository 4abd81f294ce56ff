import { parseDuration } from '../../text/durations.ts';
import { isDay } from './as-of-day.ts';
import { localTime } from '../../text/local-time.ts';
import { dayIn, momentsOf } from '../../text/wall-clock.ts';
import { invalidFlag } from '../../config/hints.ts';

/**
 * A moment that a flag names, epoch ms: `2026-01-05`, `2026-01-05T18:00`, with `:30` and an offset or `Z` if
 * wanted (else in `timezone`), `18:00` (the last one), or how long ago: `12h`, `2d`. None that is still to come.
 *
 * @throws AppError `FLAG_INVALID` (exit 2)
 */
export function pastTime(flag: string, text: string, now: number, timezone: string): number {
  const ago = parseDuration(text);
  if (ago !== undefined) return now - ago;
  if (/^\d{1,2}:\d{2}$/.test(text)) {
    const [today = NaN, yesterday = NaN] = [0, -1].map((days) =>
      firstOf(`${dayIn(timezone, now, days)}T${text.padStart(5, '0')}`, timezone),
    );
    const at = today <= now ? today : yesterday;
    if (!Number.isNaN(at)) return at;
  }
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?))?(Z|[+-]\d{2}:\d{2})?$/.exec(
    text,
  );
  if (match !== null) {
    const [, date = '', time = '00:00', offset] = match;
    const local = `${date}T${time}`;
    const at = offset === undefined ? firstOf(local, timezone) : Date.parse(local + offset);
    if (at > now && isDay(date)) {
      throw invalidFlag(
        `${flag} "${text}" is still to come: it is ${localTime(now, timezone)}, and nothing has happened since.`,
      );
    }
    if (!Number.isNaN(at) && isDay(date)) return at;
  }
  throw invalidFlag(
    `${flag} "${text}" is not a time such as 2026-01-05, 2026-01-05T18:00, 18:00, or 12h or 2d for so long ago.`,
  );
}

/** Of a time that the clocks show twice the first, of one that they skip the moment at which they do: nothing is left out. */
function firstOf(local: string, timezone: string): number {
  return momentsOf(local, timezone)[0] ?? NaN;
}
