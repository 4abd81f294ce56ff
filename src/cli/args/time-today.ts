import { type AppError, usageError } from '../../runtime/errors.ts';
import { isDay } from './as-of-day.ts';
import { localTime } from '../../text/local-time.ts';
import { dayIn, momentsOf } from '../../text/wall-clock.ts';

/**
 * The moment that a flag names, epoch ms: `21:00` of today in `timezone`, or `2026-11-23 20:30` there, also with `T`
 * in between and an offset or `Z` behind. Of a time that the clocks show twice that day the first one that is still to
 * come; of one that they skip, the moment at which they do. No call begins later than somebody meant.
 *
 * @throws AppError `FLAG_INVALID` (exit 2) for what is no such time, and for one that has passed: it names tomorrow's
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
    throw refused(
      `${flag} "${text}" is not a time of day such as 21:00, nor a moment such as "2026-11-23 20:30".`,
      'mend the value; --help says what is allowed',
    );
  }
  const next = moments.find((at) => at >= now);
  if (next !== undefined) return next;
  const tomorrow = `${dayIn(timezone, now, 1)} ${time}`;
  const [at = NaN] = momentsOf(tomorrow.replace(' ', 'T'), timezone);
  const passed = date === undefined ? 'has passed today' : 'has passed';
  throw refused(
    `${flag} "${text}" ${passed}: it is ${localTime(now, timezone)}, and nobody would be called.`,
    `${flag} "${tomorrow}" is tomorrow's, ${localTime(at, timezone)}`,
  );
}

function refused(message: string, hint: string): AppError {
  return usageError('FLAG_INVALID', message, hint);
}
