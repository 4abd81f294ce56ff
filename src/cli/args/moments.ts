import { invalidFlag } from '../../config/campaign-file.ts';
import { usageError } from '../../runtime/errors.ts';
import { isDay, localTime, parseDuration } from '../../text/times.ts';
import { dayIn, momentsOf } from '../../text/wall-clock.ts';

/**
 * The moment that a flag names, epoch ms: `21:00` of today in `timezone`, or `2026-11-23 20:30`, also with `T` instead
 * of the space, and with an offset or `Z` at the end. If the clocks show the time twice that day, the first one that is
 * still to come; if they skip it, the moment of the change. So no call begins later than was meant.
 *
 * @throws AppError `FLAG_INVALID` (exit 2) for an invalid time and for one that has passed, with tomorrow's in the
 *   message
 */
export function timeToday(flag: string, text: string, now: number, timezone: string): number {
  const match =
    /^(?:(\d{4}-\d{2}-\d{2})[ T])?((?:[01]?\d|2[0-3]):[0-5]\d)(Z|[+-]\d{2}:\d{2})?$/.exec(text);
  const [, date, hour = '', offset] = match ?? [];
  const time = hour.padStart(5, '0');
  const day = date ?? dayIn(timezone, now);
  const isTime = match !== null && isDay(day) && (offset === undefined || date !== undefined);
  const moments = !isTime
    ? []
    : offset === undefined
      ? momentsOf(`${day}T${time}`, timezone)
      : [Date.parse(`${day}T${time}${offset}`)].filter((at) => !Number.isNaN(at));
  const [first] = moments;
  if (first === undefined) {
    throw invalidFlag(
      `${flag} "${text}" is not a time of day such as 21:00, nor a moment such as "2026-11-23 20:30".`,
    );
  }
  const next = moments.find((at) => at >= now);
  if (next !== undefined) return next;
  const tomorrow = `${dayIn(timezone, now, 1)} ${time}`;
  const [at = NaN] = momentsOf(tomorrow.replace(' ', 'T'), timezone);
  const passed = date === undefined ? 'has passed today' : 'has passed';
  throw usageError(
    'FLAG_INVALID',
    `${flag} "${text}" ${passed}: it is ${localTime(now, timezone)}, and nobody would be called.`,
    `${flag} "${tomorrow}" is that time tomorrow, ${localTime(at, timezone)}`,
  );
}

/**
 * A past moment that a flag names, epoch ms: `2026-01-05`; `2026-01-05T18:00`, optionally with seconds and with an
 * offset or `Z` (else in `timezone`); `18:00`, the last time it was that late; or how long ago: `12h`, `2d`. A future
 * moment is an error.
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
        `${flag} "${text}" is still to come: it is only ${localTime(now, timezone)}.`,
      );
    }
    if (!Number.isNaN(at) && isDay(date)) return at;
  }
  throw invalidFlag(
    `${flag} "${text}" is not a time such as 2026-01-05, 2026-01-05T18:00, 18:00, or 12h or 2d for so long ago.`,
  );
}

/** The first moment if clocks show the time twice, the moment of the change if they skip it: so nothing is left out. */
function firstOf(local: string, timezone: string): number {
  return momentsOf(local, timezone)[0] ?? NaN;
}
