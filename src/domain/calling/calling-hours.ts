import { DAY_MS } from '../time-units.ts';
import { hasHolidays, holidayOn, HOLIDAYS } from './holidays.ts';
import { assumedPlace, limitsAt } from './limits.ts';
import {
  dateOf,
  dayIn,
  intersection,
  joined,
  momentsOf,
  openOn,
  wallWindows,
  weekdayOf,
  type Interval,
  type LocalDay,
  type OffsetAt,
} from './local-days.ts';
import {
  clockText,
  title,
  WEEKDAYS,
  weekText,
  windowsText,
  type CallingPolicy,
  type DayWindows,
  type Hold,
  type OperatorHours,
  type WeekHours,
} from './policy.ts';
import { placeOf, type Place } from './zone-key.ts';

/** One condition on the hours in one zone: all conditions of a place have to be open at the same time. */
interface OpeningTimes {
  /** What asks for it: a rule, or a key of the campaign file. */
  by: string;
  /** When it is open in a span of time, joined and ascending; intervals may reach beyond the span. */
  in: (from: number, to: number) => Interval[];
  /** A clause on why it is closed at a moment, or about to close: `outside Mon-Fri 09:00-20:00`. */
  why: (at: number) => string;
  /** The moment as it is there: `it is Sat 21:14 in America/New_York`. */
  clock: (at: number) => string;
}

/** A year, and a month more: what is closed for so long is taken to be closed for ever. */
const LONGEST_LOOK_MS = 400 * DAY_MS;

/** All times that must be open when somebody at a place is called; `unknown`: nothing opens, and why. */
function openingTimesOf(
  policy: CallingPolicy,
  known: Place,
  offsetAt: OffsetAt,
): OpeningTimes[] | { unknown: { by: string; why: string } } {
  const { hours, holidays } = policy;
  const place = assumedPlace(policy, known);
  const operator = [
    ...(hours === null ? [] : [operatorTimes(hours, holidays, offsetAt)]),
    ...(policy.notBefore === undefined ? [] : [notBeforeTimes(policy.notBefore, offsetAt)]),
  ];
  const weeks = limitsAt(policy, place).flatMap(({ by, limits }) =>
    limits.hours === null ? [] : [{ by, week: limits.hours }],
  );
  if (weeks.length === 0 && holidays.length === 0) return operator;
  const { zones } = place;
  if (zones.length === 0) {
    const why = 'the time zone is not known';
    return { unknown: { by: 'zones.unknown', why } };
  }
  if (zones.some((zone) => offsetAt(zone, 0) === undefined)) {
    // The zone is shown beside the people: one reason for all of them.
    const why = "this machine's time-zone data does not know the time zone";
    return { unknown: { by: 'time zone', why } };
  }
  const ofZone = (zone: string): OpeningTimes[] => [
    ...weeks.map(({ by, week }) => weekTimes(by, week, { zone, place, holidays, offsetAt })),
    ...(weeks.length === 0 ? [ownHolidays(zone, holidays, offsetAt)] : []),
  ];
  return [...operator, ...zones.flatMap(ofZone)];
}

interface Where {
  zone: string;
  place: Place;
  holidays: readonly string[];
  offsetAt: OffsetAt;
}

function weekTimes(by: string, week: WeekHours, where: Where): OpeningTimes {
  const { zone, offsetAt } = where;
  const windows = (day: LocalDay): DayWindows => {
    const kind = kindOf(day, week, where);
    if (kind === 'weekday') return week.week[weekdayOf(day)];
    return kind === 'public holiday' ? (week.holidays ?? []) : [];
  };
  return {
    by,
    in: (from, to) => daysIn(from, to, windows, zone, offsetAt),
    why: (at) => {
      const day = dayIn(zone, at, offsetAt) ?? 0;
      const kind = kindOf(day, week, where);
      if (kind === 'weekday') return `outside ${weekText(week)}`;
      if (kind === 'public holiday') return `a public holiday, ${windowsText(week.holidays ?? [])}`;
      if (kind === 'own holiday') return "one of the campaign's holidays";
      const { regions } = where.place;
      if (regions.length === 0)
        return 'any day may be a public holiday, as it is not known in which country they are';
      const of = regions.filter(hasHolidays).join(' or ');
      const { from, through } = HOLIDAYS;
      return `the public holidays of ${of} in ${dateOf(day).slice(0, 4)} are not known; callsheet knows those of ${from} to ${through}`;
    },
    clock: (at) => clockIn(zone, at, offsetAt),
  };
}

/**
 * A day outside the years of the table may be a holiday, and is closed; where a region has no table at all, hours alone
 * hold, which the plan says. A person of no known region is not called: nobody is called by a guess.
 */
function kindOf(
  day: LocalDay,
  { holidays }: WeekHours,
  { place, holidays: own }: Where,
): 'weekday' | 'public holiday' | 'own holiday' | 'unknown' {
  if (own.length === 0 && holidays === null) return 'weekday';
  const date = dateOf(day);
  if (own.includes(date)) return 'own holiday';
  if (holidays === null) return 'weekday';
  if (place.regions.length === 0) return 'unknown';
  const found = place.regions.filter(hasHolidays).map((region) => holidayOn(region, date));
  if (found.includes(undefined)) return 'unknown';
  return found.includes(true) ? 'public holiday' : 'weekday';
}

const ALL_DAY: DayWindows = [[0, 1_440]];

/** Where no rule has hours, nobody is called on the campaign's own holidays all the same. */
function ownHolidays(zone: string, own: readonly string[], offsetAt: OffsetAt): OpeningTimes {
  const windows = (day: LocalDay) => (own.includes(dateOf(day)) ? [] : ALL_DAY);
  return {
    by: 'holidays',
    in: (from, to) => daysIn(from, to, windows, zone, offsetAt),
    why: () => "one of the campaign's holidays",
    clock: (at) => clockIn(zone, at, offsetAt),
  };
}

/** The window belongs to the day on which it begins, also where it ends on the next one. */
function operatorTimes(
  hours: OperatorHours,
  holidays: readonly string[],
  offsetAt: OffsetAt,
): OpeningTimes {
  const { days, from, to, timezone } = hours;
  const window: DayWindows = [[from, to > from ? to : to + 1_440]];
  const isCalled = (day: LocalDay) =>
    days.includes(weekdayOf(day)) && !holidays.includes(dateOf(day));
  const on = days.length === WEEKDAYS.length ? 'every day' : days.map(title).join(', ');
  return {
    by: 'hours',
    in: (start, end) =>
      daysIn(start, end, (day) => (isCalled(day) ? window : []), timezone, offsetAt),
    why: () => `outside ${on} ${clockText(from)}-${clockText(to)}`,
    clock: (at) => clockIn(timezone, at, offsetAt),
  };
}

/** Open for good from a moment on; of two readings of its clock, the later one counts. */
function notBeforeTimes(
  { at, timezone }: NonNullable<CallingPolicy['notBefore']>,
  offsetAt: OffsetAt,
): OpeningTimes {
  const wall = Date.parse(`${at.replace(' ', 'T')}Z`);
  const begins = momentsOf(wall, timezone, offsetAt)?.later ?? Infinity;
  return {
    by: 'notBefore',
    in: (_, to) => (to > begins ? [[begins, Infinity]] : []),
    why: () => `before ${at} ${timezone}`,
    clock: (now) => clockIn(timezone, now, offsetAt),
  };
}

/** From the day before, whose window may end on the first day, to the last day. */
function daysIn(
  from: number,
  to: number,
  windows: (day: LocalDay) => DayWindows,
  zone: string,
  offsetAt: OffsetAt,
): Interval[] {
  const first = dayIn(zone, from, offsetAt);
  const last = dayIn(zone, to, offsetAt);
  if (first === undefined || last === undefined) return [];
  const walls: Interval[] = [];
  for (let day = first - 1; day <= last + 1; day += 1) {
    walls.push(...wallWindows(day, windows(day)));
  }
  return joined(joined(walls).flatMap((wall) => openOn(wall, zone, offsetAt)));
}

/** `it is Sat 21:14 in America/New_York`. */
function clockIn(zone: string, at: number, offsetAt: OffsetAt): string {
  const wall = at + (offsetAt(zone, at) ?? 0);
  const day = Math.floor(wall / DAY_MS);
  const minutes = Math.floor((wall - day * DAY_MS) / 60_000);
  return `it is ${title(weekdayOf(day))} ${clockText(minutes)} in ${zone}`;
}

export type { OffsetAt } from './local-days.ts';

/**
 * `until`: the first moment at which no call may begin any more, epoch ms; Infinity: the hours never close. `opensAt`:
 * the same as `hold.until`, for callers that need no words.
 */
export type HoursAt =
  { open: true; until: number } | { open: false; opensAt: number | null; hold: Hold };

/** The next two days answer most questions; ten days cover holidays and weekends. */
const LOOKS_MS = [2 * DAY_MS, 10 * DAY_MS, LONGEST_LOOK_MS];
/** Answers kept for each place: those of the days that pages look at, and on which its leads are due again. */
const ANSWERS_KEPT = 8;
/** If nothing opens within the longest look, it is asked again after this. */
const NEVER_ASKED_AGAIN_MS = DAY_MS;

/**
 * Decides at which moments calls to people at a place may begin: where the whole margin after the moment lies within
 * the hours of every rule in every zone of the place, and within the operator's own. The returned function remembers
 * its answers until they change, so that every claim can ask for the same few hundred places at nearly no cost.
 */
export function callingHours(
  policy: CallingPolicy,
  offsetAt: OffsetAt,
): (zoneKey: string, at: number) => HoursAt {
  const places = new Map<string, ReturnType<typeof openingTimesOf>>();
  const answers = new Map<string, readonly Answer[]>();

  return (zoneKey, at) => {
    const times = places.get(zoneKey) ?? openingTimesOf(policy, placeOf(zoneKey), offsetAt);
    places.set(zoneKey, times);
    if ('unknown' in times) {
      return { open: false, opensAt: null, hold: { until: null, ...times.unknown } };
    }
    if (times.length === 0) return { open: true, until: Infinity };
    const known = answers.get(zoneKey) ?? [];
    let answer = known.find(({ from, to }) => at >= from && at < to);
    if (answer === undefined) {
      answer = lookFrom(at, times, policy.marginMs);
      answers.set(zoneKey, [answer, ...known.slice(0, ANSWERS_KEPT - 1)]);
    }
    const { open } = answer;
    if (open !== undefined && at >= open[0]) return { open: true, until: open[1] };
    return {
      open: false,
      opensAt: open?.[0] ?? null,
      // Computed only when it is read: its words cost a hundred times as much as the decision.
      get hold() {
        return holdAt(at, open?.[0] ?? null, times, policy.marginMs);
      },
    };
  };
}

/** The answer for the moments `[from, to)`: the interval that is open then, or opens at their end. */
interface Answer {
  from: number;
  to: number;
  open: Interval | undefined;
}

function lookFrom(at: number, times: readonly OpeningTimes[], marginMs: number): Answer {
  for (const look of LOOKS_MS) {
    const end = at + look;
    const next = openIn(at, end, times, marginMs).find(([, to]) => to > at);
    if (next === undefined) continue;
    const [from, to] = next;
    // Hours that are open where the look ends stay open for longer, as far as is known.
    if (to >= end && look < LONGEST_LOOK_MS) continue;
    return from <= at ? { from: at, to, open: next } : { from: at, to: from, open: next };
  }
  return { from: at, to: at + NEVER_ASKED_AGAIN_MS, open: undefined };
}

/** When calls may begin from a day before `from` to about `to`. */
function openIn(
  from: number,
  to: number,
  times: readonly OpeningTimes[],
  marginMs: number,
): Interval[] {
  const [first = [], ...rest] = times.map((each) => each.in(from - DAY_MS, to + marginMs));
  const all = rest.reduce(intersection, first);
  return all.flatMap(([start, end]) => {
    const lastStart = end - marginMs;
    return start < lastStart ? [[start, lastStart] as const] : [];
  });
}

/** The condition that opens last at the next opening decides; it may be open now and close until then. */
function holdAt(
  at: number,
  until: number | null,
  times: readonly OpeningTimes[],
  marginMs: number,
): Hold {
  const isClosed = (each: OpeningTimes) => !covers(each.in(at, at + marginMs), at, at + marginMs);
  const closed = times.filter(isClosed);
  if (until === null) {
    const by = [...new Set(times.map((each) => each.by))].join(' + ');
    // Without the time of the moment: people in many zones share one reason.
    const why = [...new Set(times.map((each) => each.why(at).replace(/^outside /, '')))];
    const never = why.length === 1 ? 'are never open' : 'are never open together';
    return { until, by, why: `these hours ${never}: ${why.join('; ')}` };
  }
  const opening = (each: OpeningTimes) =>
    each.in(at, until + marginMs).find(([from, to]) => from <= until && until < to)?.[0] ?? until;
  // Of conditions that open at the same time, the narrowest is named: a state's own hours come after those of its rule.
  const closedFirst = [
    ...closed.toReversed(),
    ...times.filter((each) => !closed.includes(each)).toReversed(),
  ];
  const [last] = closedFirst.toSorted((a, b) => opening(b) - opening(a));
  if (last === undefined || closed.includes(last)) {
    return { until, by: last?.by ?? '', why: last === undefined ? '' : whyAt(last, at) };
  }
  return { until, by: last.by, why: `just before it opens: ${whyAt(last, opening(last) - 1)}` };
}

function whyAt({ why, clock }: OpeningTimes, at: number): string {
  return `${why(at)} (${clock(at)})`;
}

function covers(open: readonly Interval[], from: number, to: number): boolean {
  return open.some(([start, end]) => start <= from && to < end);
}
