import { z } from 'zod';

import { unknownPlaceholder } from '../domain/nights/night-end.ts';
import type { Pace } from '../domain/time-units.ts';
import { isLoopback } from '../runtime/process.ts';
import { grouped } from '../text/amounts.ts';
import { countryByName } from '../text/country-names.ts';
import { nearest } from '../text/nearest.ts';
import { isTimezone, parseDuration } from '../text/times.ts';
import { SPOKEN_FORMS, SPOKEN_ZONES } from '../text/zone-names.ts';

export const words = z.string('must be one value').trim();

export function oneOrMore<T extends z.ZodType>(field: T, whenEmpty: string) {
  return z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(field).min(1, whenEmpty),
  );
}

/** @param otherwise the end of the message when `parse` gives undefined */
export function read<T>(otherwise: string, parse: (value: string) => T | undefined) {
  return words.transform((value, context) => parse(value) ?? fail(context, otherwise));
}

/** `none` is null; anything else is read by `field`. */
export function orNone<T extends z.ZodType<unknown, string>>(field: T) {
  return words.transform((value, context): z.output<T> | null => {
    if (value === 'none') return null;
    const result = field.safeParse(value);
    return result.success
      ? result.data
      : fail(context, result.error.issues[0]?.message ?? 'is not allowed');
  });
}

export function fail(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** @returns ms; undefined for text that is not a duration, or is out of bounds */
export function durationIn(value: string, min: number, max: number): number | undefined {
  const ms = parseDuration(value);
  return ms !== undefined && ms >= min && ms <= max ? ms : undefined;
}

export const text = (what: string) => words.min(1, `is empty; it must be ${what}`);

export const texts = (what: string) => oneOrMore(text(what), `is empty; it must be ${what}`);

/** @param end the end of the message, such as `, or none` */
export const whole = ({ min, max }: { min: number; max: number }, end = '') => {
  const allowed = `is not a whole number from ${grouped(min)} to ${grouped(max)}${end}`;
  return read(allowed, (value) => {
    const number = /^\d{1,12}$/.test(value) ? Number(value) : NaN;
    return number >= min && number <= max ? number : undefined;
  });
};

/** @param bounds as text: `5s`, `5m` */
export const duration = ({ min, max }: { min: string; max: string }, end = '') => {
  const [least = 0, most = 0] = [min, max].map(parseDuration);
  return read(
    `is not a duration from ${min} to ${max}, such as 50ms, 5s, 10m, 2h or 1d${end}`,
    (value) => durationIn(value, least, most),
  );
};

export const oneOf = (of: readonly string[]) =>
  read(`is not ${of.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`, (value) =>
    of.find((name) => name === value),
  );

const DAY_MS = 86_400_000;

/** How old a suppression list may be; `none`: any age is accepted. */
export const maxAge = orNone(
  read('is not an age from 1d to 366d, such as 31d, or none for any', (value) =>
    durationIn(value, DAY_MS, 366 * DAY_MS),
  ),
);

/** Leaves out people whom another campaign has called within this time, or `ever`; `none`: nobody is left out. */
export const skipCalled = orNone(
  read('is not ever, a time from 1h to 3650d such as 30d, or none', (value) =>
    value === 'ever' ? value : durationIn(value, 3_600_000, 3_650 * DAY_MS),
  ),
);

/** `none` removes a stored pace. */
export const pace = orNone(
  read('is not a pace such as 10/s, 60/min or 500/h, or none for no limit', parsePace),
);

/** The country of numbers without +; `none`: rows with such numbers are rejected. */
export const country = orNone(
  read('is not a country: give its name, or its ISO 3166 code such as US or IN', countryByName),
);

/** @param others words that are taken besides the names of zones */
export const timezoneOr = (...others: readonly string[]) =>
  words.transform((value, context) => {
    if (others.includes(value)) return value;
    const zones = Intl.supportedValuesOf('timeZone');
    if (NO_SUMMER.test(value))
      return fail(context, 'has no summer time; give the zone of a city, such as America/New_York');
    const isSame = (zone: string) => zone.toLowerCase() === value.toLowerCase();
    if (isTimezone(value)) return zones.find(isSame) ?? value;
    // Pacific/Niue is near to "Pacific time": the whole names of zones are for words with a slash.
    const named = new Map([
      ...[...others, ...(value.includes('/') ? zones : [])].map((zone) => [zone, zone] as const),
      ...Object.entries(SPOKEN_ZONES),
      ...zones.map((zone) => [zone.slice(zone.lastIndexOf('/') + 1), zone] as const),
    ]);
    const near =
      SPOKEN_FORMS.get(value.toLowerCase()) ?? named.get(nearest(value, named.keys()) ?? '');
    const meant = near === undefined ? ' such as America/New_York' : `; did you mean ${near}?`;
    return fail(
      context,
      `is not ${[...others, 'an IANA time zone'].join(', ').replace(/, (?=[^,]*$)/, ' or ')}${meant}`,
    );
  });
export const timezone = timezoneOr();

/** Names of zones that stay at one offset, though their places do not. */
const NO_SUMMER = /^(EST|MST)$/i;

/**
 * The variable with the key of a list's address; `none` takes a stored one away. The fixed beginning keeps a campaign
 * file that somebody else wrote from sending another secret of the environment to an address of its choice.
 */
export const listKeyName = orNone(
  read(
    'is not a name that begins with CALLSHEET_LIST_KEY, such as CALLSHEET_LIST_KEY_CRM',
    (value) => (/^CALLSHEET_LIST_KEY(_[A-Za-z0-9_]+)?$/.test(value) ? value : undefined),
  ),
);

/** Commands accept a campaign name or a file: with a slash or a file ending, a name would look like a file. */
export const campaignName = words.transform((value, context) => {
  const fine = /^[^\p{Cc}/\\]{1,100}$/u.test(value) && !value.startsWith('-');
  if (fine && !/\.(csv|tsv|txt|ya?ml|jsonl?)$/i.test(value)) return value;
  return fail(
    context,
    'is not a campaign name: 1 to 100 characters, no / or \\, no - in front, no file ending such as .csv',
  );
});

export const serviceName = words.regex(
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
  'is not a service name: at most 64 letters, digits, - and _, a letter or digit first',
);

/** An http or https address; a slash at the end is removed. */
export const serviceUrl = words.transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return fail(context, 'is not an address such as https://voice.example.com');
  }
  if (url.username !== '' || url.password !== '') {
    return fail(context, 'holds a user or password; the key belongs in the environment');
  }
  if (url.search !== '' || url.hash !== '') {
    return fail(context, 'has a ? or # part; give the base address alone');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return fail(context, 'is not https; plain http is allowed on loopback only');
  }
  return url.href.replace(/(?<!\/)\/+$/, '');
});

/** Messages must not repeat the value: it may be the key itself. */
export const environmentName = words.regex(
  /^[A-Za-z_][A-Za-z0-9_]*$/,
  'is not the name of an environment variable such as VOICE_API_KEY',
);

/** The name of one environment variable, or of several: any of them may be in use. */
export const environmentNames = oneOrMore(
  environmentName,
  'is empty; it must name an environment variable',
);

/** The path of a file, in which `{date}` stands for the date of the night. */
export const resultsFile = text('the path of a file to write').transform((value, context) => {
  const unknown = unknownPlaceholder(value);
  if (unknown === undefined) return value;
  return fail(
    context,
    `has ${unknown}, which stands for nothing; {date} stands for the date of the night, such as 2026-01-05`,
  );
});

const UNITS = [
  ['s', 1_000],
  ['min', 60_000],
  ['h', 3_600_000],
] as const;

/** Reads a pace such as `10/s` `60/min` `500/h`. @returns undefined when the text is something else, or a pace of 0 */
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
