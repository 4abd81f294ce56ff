import { Temporal } from 'temporal-polyfill';

import { foldLetters } from './fold-words.ts';

/**
 * The moments at which clocks in a zone show a time, epoch ms, earliest first: usually one; two when the clocks are set
 * back and show it twice; when they skip it, the moment at which they are set forward.
 * @param local `2026-03-08T02:30`, optionally with seconds
 * @param timezone IANA name
 * @returns an empty list for a time that does not exist, e.g. on February 30th
 */
export function momentsOf(local: string, timezone: string): readonly number[] {
  const wall = read(local);
  if (wall === undefined) return [];
  const first = wall.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  const second = wall.toZonedDateTime(timezone, { disambiguation: 'later' });
  const isSkipped = !first.toPlainDateTime().equals(wall);
  if (isSkipped) return [first.getTimeZoneTransition('next')?.epochMilliseconds ?? NaN];
  return [...new Set([first.epochMilliseconds, second.epochMilliseconds])];
}

/** The date in a zone at a moment (epoch ms), moved by `days`: `2026-01-05`. */
export function dayIn(timezone: string, at: number, days = 0): string {
  const now = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  return now.toPlainDate().add({ days }).toString();
}

/**
 * The moment at which a day begins in a zone, ISO 8601 in UTC; undefined where the text is no day.
 *
 * @param days moves the day, e.g. 1: the moment at which it ends
 */
export function startOfDay(day: string, timezone: string, days = 0): string | undefined {
  // A year of more than four digits may have no moments.
  const midnight = day.length > 10 ? undefined : read(`${day}T00:00`)?.add({ days });
  const [at] = midnight === undefined ? [] : momentsOf(midnight.toString(), timezone);
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** The moment at which a day ends in a zone, epoch ms; NaN where the text is no day. */
export function endOfDay(day: string, timezone: string): number {
  return Date.parse(startOfDay(day, timezone, 1) ?? '');
}

function read(local: string): Temporal.PlainDateTime | undefined {
  try {
    return Temporal.PlainDateTime.from(local, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}

/** The languages whose names of months are read. */
const LANGUAGES =
  'en de fr es pt it nl sv da nb fi pl ru uk bg cs sk hu ro tr el lt lv et hr sl sr id vi hi ar fa ur he th'.split(
    ' ',
  );

const ISO = /(?<!\d)(\d{4})[-/.年년]\s?(\d{1,2})[-/.月월]\s?(\d{1,2})(?!\d)/;
const SHORT = /(?<!\d)(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?!\d)/;
const DAY_MONTH =
  /(?<![\d\p{L}\p{M}])(?:(\d{1,2})(?:st|nd|rd|th|er|º)?\.?\s+(?:de\s+|of\s+)?)?(\p{L}[\p{L}\p{M}]{2,30})\.?,?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(?:de\s+)?(\d{4})(?!\d)/u;
const YEAR = /(?<!\d)(20\d\d)(?!\d)/;

export interface TypedDate {
  /** The days that it may mean, `YYYY-MM-DD`, the earliest first; a month or a year means its first and its last day. */
  days: [first: string, ...others: string[]];
  /** The text before and after the date. */
  before: string;
  after: string;
}

/** Finds the first date in a text: `2027-03-01`, `01.03.2027`, `3/1/27`, `1 March 2027`, `March 2027`, `2027`. */
export function typedDate(text: string): TypedDate | null {
  const iso = ISO.exec(text);
  if (iso !== null) return dateAt(iso, [dayOf(iso[1], iso[2], iso[3])]);
  const short = SHORT.exec(text);
  if (short !== null) {
    const [, one, sign, two, year = ''] = short;
    const full = year.length === 2 ? `20${year}` : year;
    const own = dayOf(full, two, one);
    // Only with dots is the day always first.
    return dateAt(short, sign === '.' && own !== null ? [own] : [own, dayOf(full, one, two)]);
  }
  const named = DAY_MONTH.exec(text);
  const month = monthNamed(named?.[2] ?? '');
  if (named !== null && month !== undefined) {
    const [, first, , second, year] = named;
    return dateAt(named, wholeOr(first ?? second, year, month));
  }
  const year = YEAR.exec(text);
  return year === null ? null : dateAt(year, [dayOf(year[1], 1, 1), dayOf(year[1], 12, 31)]);
}

function wholeOr(day: string | undefined, year: string | undefined, month: number) {
  if (day !== undefined) return [dayOf(year, month, day)];
  const last = new Date(Date.UTC(Number(year), month, 0)).getUTCDate();
  return [dayOf(year, month, 1), dayOf(year, month, last)];
}

function dateAt(match: RegExpExecArray, days: readonly (string | null)[]): TypedDate | null {
  const [first, ...others] = days.filter((day) => day !== null).toSorted();
  if (first === undefined) return null;
  const { index, input } = match;
  const after = input.slice(index + match[0].length);
  return { days: [first, ...others], before: input.slice(0, index), after };
}

/** Null where there is no such day. */
function dayOf(year: unknown, month: unknown, day: unknown): string | null {
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isDay = at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day);
  return isDay ? at.toISOString().slice(0, 10) : null;
}

let months: Map<string, number> | undefined;

/** 1 to 12, by the name or its first three letters or more, in any of the languages. */
function monthNamed(name: string): number | undefined {
  months ??= new Map(
    LANGUAGES.flatMap((language) =>
      [{ month: 'long' }, { month: 'short' }, { month: 'long', day: 'numeric' }].flatMap((how) => {
        const format = new Intl.DateTimeFormat(language, {
          ...(how as Intl.DateTimeFormatOptions),
          timeZone: 'UTC',
          calendar: 'gregory',
        });
        return Array.from({ length: 12 }, (_, month) => {
          const parts = format.formatToParts(Date.UTC(2026, month, 10));
          const own = parts.find(({ type }) => type === 'month')?.value ?? '';
          return [fold(own), month + 1] as const;
        });
      }),
    ).filter(([own]) => own.length > 2),
  );
  return months.get(fold(name));
}

function fold(name: string): string {
  return foldLetters(name.toLowerCase()).replace(/\.$/, '');
}
