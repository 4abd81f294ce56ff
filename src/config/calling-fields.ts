import { Cron, CronPattern } from 'croner';
import { z } from 'zod';
import type { RequiredVariables } from '../domain/campaign.ts';
import { WEEKDAYS, type Weekday } from '../domain/calling/policy.ts';
import { cronOfWeekly } from '../domain/nights/night.ts';
import { isDay } from '../text/times.ts';
import { orNone, read, timezoneOr, words } from './fields.ts';

/** Names of rules, or paths of the operator's own; commas separate several in one text. */
export const rules = z.preprocess(
  split,
  z
    .array(
      words.regex(
        /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$|[/\\]|\.ya?ml$/,
        'is not the name of a rule such as local, or the path of a .yaml file',
      ),
    )
    .min(1, 'is empty; it must name a rule, such as local, or always for none')
    .refine(
      (names) => !names.includes('always') || names.every((name) => name === 'always'),
      'has always beside other rules; always means no calling hours and no caps, so give one or the other',
    )
    .transform((names) => [...new Set(names)]),
);

/** A time of day as `HH:MM`; 24:00 is the end of the day. */
export const timeOfDay = (last: '23:59' | '24:00') =>
  read(`is not a time of day from 00:00 to ${last}, such as 09:00`, (value) => {
    const [, hour = '', minute = ''] = /^(\d{1,2}):(\d{2})$/.exec(value) ?? [];
    const time = `${hour.padStart(2, '0')}:${minute}`;
    return hour !== '' && Number(minute) < 60 && time <= last ? time : undefined;
  });

/** Weekdays, ranges of them (`mon-fri`) or a list of both, in the order of the week. */
export const days = z.preprocess(
  split,
  z
    .array(
      read(
        `is not a weekday (${WEEKDAYS.join(', ')}) or a range such as mon-fri`,
        (value): Weekday[] | undefined => {
          const [from, to, more] = value
            .toLowerCase()
            .split('-')
            .map((day) => WEEKDAYS.findIndex((name) => name === day.trim()));
          if (from === undefined || from < 0 || to === -1 || more !== undefined) return undefined;
          const last = to === undefined ? from : to < from ? to + WEEKDAYS.length : to;
          const count = last - from + 1;
          return Array.from({ length: count }, (_, day) => WEEKDAYS[(from + day) % 7] as Weekday);
        },
      ),
    )
    .min(1, 'is empty; it must be weekdays such as mon-fri')
    .transform((ranges) => WEEKDAYS.filter((day) => ranges.flat().includes(day))),
);

const A_DAY = 'a day such as 2026-12-24 (year-month-day)';

/** Days in order; null for `none`. */
export const holidays = z.preprocess(
  (value) => (value === 'none' ? null : split(value)),
  z
    .array(read(`is not ${A_DAY}`, dayIn))
    .min(1, 'is empty; it must be days such as 2026-12-24, or none')
    .transform((days) => [...new Set(days)].toSorted())
    .nullable(),
);

/** When `serve` calls a campaign: a time on days of the week, or cron notation; `none` removes a stored schedule. */
export const schedule = orNone(
  read(
    "is not a schedule with a time to come such as '18:00 mon-fri' or '0 18 * * 1-5' (minute, hour, day, month, weekday), or none",
    (value) => {
      const [time = '', on = 'mon-sun', ...more] = value.split(/\s+/);
      const at = timeOfDay('23:59').safeParse(time);
      const onDays = days.safeParse(on);
      if (more.length === 0)
        return at.success && onDays.success
          ? cronOfWeekly({ at: at.data, days: onDays.data })
          : undefined;
      if (more.length !== 3) return undefined;
      try {
        // Some days never come, as 31 February.
        return new Cron(value, { paused: true }).nextRun() === null
          ? undefined
          : new CronPattern(value).pattern;
      } catch {
        return undefined;
      }
    },
  ),
);

/** A moment on the campaign's clock, `2026-12-01 09:00`; a day alone is its beginning. */
export const dayAndTime = orNone(
  read('is not a day such as 2026-12-01, or with a time 2026-12-01 09:00, or none', (value) => {
    const [day = '', time = '00:00', ...more] = value.split(/[ T]+/);
    const at = timeOfDay('23:59').safeParse(time);
    return at.success && more.length === 0 && isDay(day) ? `${day} ${at.data}` : undefined;
  }),
);

export const dayOrNone = orNone(read(`is not ${A_DAY}, or none`, dayIn));

/** Handling of people whose time zone is not known. */
export const unknownZones = timezoneOr('skip', 'us48');

export const yesOrNo = read('is not yes or no', (value) => {
  if (/^(yes|true)$/i.test(value)) return true;
  return /^(no|false)$/i.test(value) ? false : undefined;
});

function split(value: unknown): unknown {
  return typeof value === 'string' ? value.split(',') : value;
}

function dayIn(value: string): string | undefined {
  return isDay(value) ? value : undefined;
}

/** Holds people whose rows are blank where the agent's prompt, or one of these columns, needs a word. */
export const variables = z.preprocess(
  split,
  z
    .array(words.min(1, 'is empty'))
    .min(1, 'is empty; it must be require, none, or names of columns such as first_name,plan')
    .transform((names): RequiredVariables | null => {
      const [only] = names.length === 1 ? names : [];
      if (only === 'none') return null;
      if (only === 'require') return { from: 'prompt', columns: null };
      return { from: 'named', columns: [...new Set(names)] };
    }),
);
