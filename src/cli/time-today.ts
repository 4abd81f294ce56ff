import { invalidFlag } from './options.ts';
import { dayIn, momentsOf } from './wall-clock.ts';

/**
 * The next moment at which it is `text` in `timezone`, epoch ms: today, or tomorrow when it has passed. Of a time that
 * the clocks show twice that day the first one that is still to come; of one that they skip, the moment at which
 * they do. No call begins later than somebody meant.
 *
 * @param text `21:00`
 * @throws AppError `FLAG_INVALID` (exit 2)
 */
export function timeToday(flag: string, text: string, now: number, timezone: string): number {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) {
    throw invalidFlag(`${flag} "${text}" is not a time of day such as 21:00.`);
  }
  // Clocks that are set back over midnight show yesterday again.
  const days = [-1, 0, 1, 2].map((days) => dayIn(timezone, now, days));
  const moments = days.flatMap((day) => momentsOf(`${day}T${text}`, timezone));
  return Math.min(...moments.filter((at) => at >= now));
}
