import {
  dateOf,
  dayIn,
  momentsOf,
  weekdayOf,
  type Interval,
  type LocalDay,
  type OffsetAt,
} from '../calling/local-days.ts';
import { title, WEEKDAYS, type Weekday } from '../calling/policy.ts';
import type { CampaignSettings } from '../campaign.ts';
import { DAY_MS, MINUTE_MS } from '../time-units.ts';

export type NightSettings = Pick<CampaignSettings, 'timezone' | 'hours'>;

/** One night of a campaign: from its first to (not including) its last moment, epoch ms. */
export interface Night {
  /** The local date in the campaign's zone on which calling begins: `2026-01-05`. */
  date: string;
  beginsAt: number;
  endsAt: number;
}

/** Nights begin at 05:00, when nobody is called by any shipped rule and the night before is over. */
const USUAL_BEGIN = 5 * 60;
const DAY_MINUTES = 24 * 60;

/**
 * The night to which a moment belongs: a local date in the campaign's zone. A night begins at 05:00 local or, where the
 * operator's own hours are open then, in the middle of the time in which they are closed. Hours that cross midnight
 * belong to the date on which they open. In a zone that is not known the night is the day in UTC.
 * @param at epoch ms
 * @returns `2026-01-05`
 */
export function nightOf(at: number, settings: NightSettings, offsetAt: OffsetAt): string {
  return nightAt(at, settings, offsetAt).date;
}

/** The night to which a moment (epoch ms) belongs, with its borders: nights follow each other without a gap. */
export function nightAt(at: number, settings: NightSettings, offsetAt: OffsetAt): Night {
  const { begin, opensNextDay } = borderOf(settings);
  const zone = zoneOf(settings, offsetAt);
  const beginOf = (day: LocalDay) => firstMoment(day, begin, zone, offsetAt);
  let day = (dayIn(zone, at - begin * MINUTE_MS, offsetAt) ?? 0) + 1;
  // Where clocks are changed at the border, the wall alone would give a moment to two nights.
  while (beginOf(day) > at) day -= 1;
  return {
    date: dateOf(opensNextDay ? day + 1 : day),
    beginsAt: beginOf(day),
    endsAt: beginOf(day + 1),
  };
}

/** The first night after `night` on whose date the operator's own hours open. */
export function nextNight(night: Night, settings: NightSettings, offsetAt: OffsetAt): Night {
  const days = settings.hours?.days ?? WEEKDAYS;
  let next = night;
  for (let tried = 0; tried < WEEKDAYS.length; tried += 1) {
    next = nightAt(next.endsAt, settings, offsetAt);
    if (days.includes(weekdayOf(dayOf(next.date)))) return next;
  }
  return next;
}

/**
 * When a night's dialling ends that may go on until a time on the wall, epoch ms; half-open, so that no call begins at
 * that moment: on the date of the night or, where the night begins later than that, on the day after. Where clocks are
 * changed, the earlier of two readings counts.
 * @param time `20:30`
 */
export function stopsAt(
  night: Night,
  time: string,
  settings: NightSettings,
  offsetAt: OffsetAt,
): number {
  const zone = zoneOf(settings, offsetAt);
  const day = dayOf(night.date);
  const sameDay = firstMoment(day, minutesOf(time), zone, offsetAt);
  if (sameDay > night.beginsAt) return Math.min(sameDay, night.endsAt);
  return firstMoment(day + 1, minutesOf(time), zone, offsetAt);
}

/** `Tue 2026-01-06`. */
export function nightText({ date }: Pick<Night, 'date'>): string {
  return `${title(weekdayOf(dayOf(date)))} ${date}`;
}

/** When nights begin, in minutes after midnight, and whether the hours of a night open on the day after. */
function borderOf({ hours }: NightSettings): { begin: number; opensNextDay: boolean } {
  const usual = { begin: USUAL_BEGIN, opensNextDay: false };
  if (hours === undefined) return usual;
  const from = minutesOf(hours.from);
  const to = minutesOf(hours.to);
  const until = to > from ? to : to + DAY_MINUTES;
  const isOpen = [USUAL_BEGIN, USUAL_BEGIN + DAY_MINUTES].some(
    (time) => from <= time && time < until,
  );
  const closedFor = from + DAY_MINUTES - until;
  if (closedFor === 0) return usual;
  if (!isOpen) return { ...usual, opensNextDay: from < USUAL_BEGIN };
  const begin = (until + Math.floor(closedFor / 2)) % DAY_MINUTES;
  return { begin, opensNextDay: from < begin };
}

/** The earlier one where clocks show the time twice, so that each moment belongs to one night. */
function firstMoment(day: LocalDay, minutes: number, zone: string, offsetAt: OffsetAt): number {
  const wall = day * DAY_MS + minutes * MINUTE_MS;
  return momentsOf(wall, zone, offsetAt)?.earlier ?? wall;
}

function zoneOf({ timezone }: NightSettings, offsetAt: OffsetAt): string {
  return offsetAt(timezone, 0) === undefined ? 'UTC' : timezone;
}

/** `18:30` as minutes after midnight. */
export function minutesOf(time: string): number {
  const [hours = NaN, minutes = NaN] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function dayOf(date: string): LocalDay {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

/**
 * How a scheduled time was met: `made_up` passed while nothing served, and its night was called all the same; `told`
 * passed, and people were only told.
 */
export type HowMet = 'on_time' | 'made_up' | 'told';

/** A scheduled time that nobody takes up for this long is missed. */
export const LATE_MS = 10 * MINUTE_MS;

/** The latest scheduled time of a campaign that is not after now; times are epoch ms. */
export interface LastFiring {
  at: number;
  /** The end of its night, or the next scheduled time where that comes first. */
  endsAt: number;
  /** Nobody expected calls at times up to this: the schedule was made then, or the campaign started. */
  expectedFrom: number;
  /** Undefined: nobody has taken it up. */
  met: HowMet | undefined;
}

/** `call`: its night is being called; `take`: record it as `met`; `wait`: nothing is called until the next one. */
type FiringStep = { kind: 'call' } | { kind: 'take'; met: HowMet } | { kind: 'wait' };

/**
 * The next step for a scheduled time. A missed one is made up while its night is not over and somebody may still be
 * called in it.
 * @param mayCall whether somebody may be called from now until the end of the night
 */
export function firingStep(
  { at, endsAt, expectedFrom, met }: LastFiring,
  now: number,
  mayCall: boolean,
): FiringStep {
  if (met !== undefined) return { kind: met === 'told' || now >= endsAt ? 'wait' : 'call' };
  if (at <= expectedFrom) return { kind: 'wait' };
  if (now >= endsAt) return { kind: 'take', met: 'told' };
  if (now - at <= LATE_MS) return { kind: 'take', met: 'on_time' };
  return { kind: 'take', met: mayCall ? 'made_up' : 'told' };
}

/** How many people may be called at any moment of a span of time, epoch ms. */
export interface PeopleSpan {
  from: number;
  to: number;
  people: number;
}

/** The times in which people of a place may be called. */
interface PlaceSpans {
  people: number;
  /** Ascending, without overlaps. */
  spans: readonly Interval[];
}

/** How many people of all places may be called and when: ascending, without times at which nobody may be called. */
export function peopleAhead(places: readonly PlaceSpans[]): PeopleSpan[] {
  const changes = new Map<number, number>();
  const change = (at: number, people: number) => changes.set(at, (changes.get(at) ?? 0) + people);
  for (const { people, spans } of places)
    for (const [from, to] of spans) {
      change(from, people);
      change(to, -people);
    }
  const all: PeopleSpan[] = [];
  let people = 0;
  for (const [at, by] of [...changes].toSorted((a, b) => a[0] - b[0])) {
    if (by === 0) continue;
    const last = all.at(-1);
    if (last !== undefined && people > 0) last.to = at;
    people += by;
    if (people > 0) all.push({ from: at, to: at, people });
  }
  return all;
}

/** The same time on days of the week, as most schedules are. */
export interface Weekly {
  /** `18:00`. */
  at: string;
  /** In the order of the week. */
  days: readonly Weekday[];
}

/** Reads a schedule in cron notation; undefined: it has other times than one on days of the week. */
export function weeklyOf(cron: string): Weekly | undefined {
  const [, minute, hour, on] = /^(\d\d?) (\d\d?) [*?] [*?] (\S+)$/.exec(cron.trim()) ?? [];
  if (minute === undefined || hour === undefined || on === undefined) return undefined;
  const numbers = on.split(',').map((part) => {
    if (part === '*' || part === '?') return [0, 6] as const;
    const [from = NaN, to = from, more] = part.split('-').map(dayNumber);
    return more === undefined ? ([from, to] as const) : ([NaN, NaN] as const);
  });
  if (numbers.some(([from, to]) => !(from <= to))) return undefined;
  const isOn = (day: number) => numbers.some(([from, to]) => from <= day && day <= to);
  // Sunday is 0 and 7.
  const days = WEEKDAYS.filter((_, day) => isOn(day + 1) || (day === 6 && isOn(0)));
  return { at: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, days };
}

function dayNumber(text: string): number {
  if (/^[0-7]$/.test(text)) return Number(text);
  const named = WEEKDAYS.findIndex((day) => day === text.toLowerCase());
  return named === -1 ? NaN : (named + 1) % 7;
}

/** The cron notation that `weeklyOf` reads. */
export function cronOfWeekly({ at, days }: Weekly): string {
  const numbers = days.map((day) => (WEEKDAYS.indexOf(day) + 1) % 7).toSorted();
  const [first = 0] = numbers;
  const isRange = numbers.length > 2 && numbers.every((day, i) => day === first + i);
  const list = isRange ? `${first}-${first + numbers.length - 1}` : numbers.join(',');
  return `${minutesOf(at) % 60} ${Math.floor(minutesOf(at) / 60)} * * ${list === '0-6' ? '*' : list}`;
}
