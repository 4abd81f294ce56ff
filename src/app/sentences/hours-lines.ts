import { formatHours } from '../../config/calling-settings.ts';
import type { HoursAt } from '../../domain/calling/calling-hours.ts';
import {
  openSpans,
  type NextOpening,
  type Openings,
  type PeopleAt,
  type Shut,
} from '../../domain/calling/openings.ts';
import { clockText, WEEKDAYS, type Weekday } from '../../domain/calling/policy.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/time-units.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import { grouped } from '../../text/amounts.ts';
import { formatDuration, isTimezone, localMinute, localTime, zonedTime } from '../../text/times.ts';
import { dayIn } from '../../text/wall-clock.ts';
import { counted, shellWord, someOf } from '../../text/wording.ts';
import type { Begins } from '../../views/campaigns.ts';
import type { CallingAhead } from '../plan/schedule-times.ts';

/** The names of the rules, as people know them. */
export function ruleNames({ rules }: Pick<CampaignSettings, 'rules'>): string {
  return rules.map((rule) => rule.replace(/^.*[/\\]/, '').replace(/\.ya?ml$/i, '')).join(', ');
}

/** What decides when people are called: rules, own hours, margin. */
export function policyLines(settings: CampaignSettings): string[] {
  const { policy, hours, holidays = [], notBefore, timezone } = settings;
  const lines: string[] = [];
  if (policy === undefined) {
    lines.push(
      'Rules "always": no calling hours and no caps apply; suppressed numbers are never called.',
    );
  } else {
    const parts = [
      policy.rules.length === 0
        ? 'no rules'
        : `rules ${ruleNames(settings)}, each person in their own time zone`,
      ...(hours === undefined ? [] : [`own hours ${formatHours(hours)} ${timezone} for everybody`]),
      ...(holidays.length === 0 ? [] : [counted(holidays.length, 'own holiday')]),
      ...(notBefore === undefined ? [] : [`nobody before ${notBefore} ${timezone}`]),
    ];
    lines.push(
      `Hours: ${parts.join('; ')}; no call begins in the last ${formatDuration(policy.marginMs)} of open hours.`,
    );
  }
  lines.push(...midnightLines(settings));
  return lines;
}

/** Says of own hours that end on the next day to which day they belong. */
export function midnightLines({ hours }: Pick<CampaignSettings, 'hours'>): string[] {
  if (hours === undefined || hours.to > hours.from || hours.to === '00:00') return [];
  const { from, to, days: [day = 'mon'] = [] } = hours;
  const next = WEEKDAYS[(WEEKDAYS.indexOf(day) + 1) % WEEKDAYS.length] ?? day;
  return [
    `Own hours ${from}-${to} run over midnight: the window that opens ${WEEKDAY_NAMES[day]} ${from} ends ${WEEKDAY_NAMES[next]} ${to} and counts as ${WEEKDAY_NAMES[day]}'s; for hours of one day give hours.from before hours.to.`,
  ];
}

const WEEKDAY_NAMES: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** When the hours open next, while somebody waits for that, and who can never be called and why. */
export function openingLines(
  found: Openings,
  { name, settings }: { name: string; settings: CampaignSettings },
): string[] {
  const { next, later, shut } = found;
  return [
    ...(next === null || later === 0
      ? []
      : [
          `By hours and retries the next of ${grouped(later)} may be called ${openingText(next, settings)}.`,
        ]),
    ...shutLines(shut, name),
  ];
}

/** Who is never called, and why. */
export function shutLines(shut: readonly Shut[], campaign: string): string[] {
  return shut.map((each) => {
    const who = counted(each.people, 'person is', 'people are');
    return `${who} never called: ${shutText(each, campaign)}`;
  });
}

/** Nights belong to the day on which they begin, as a rule. */
const DAY_BEGINS_MS = 5 * HOUR_MS;

/**
 * Between which times of day people are called by their own clocks, within a week; nothing where all are in one zone
 * or may be called all day.
 *
 * @param hoursAt see `callingHours`
 */
export function ownTimeLines(
  places: readonly PeopleAt[],
  hoursAt: (zoneKey: string, at: number) => HoursAt,
  from: number,
): string[] {
  const zoned = places.flatMap(({ zoneKey }) =>
    placeOf(zoneKey).zones.flatMap((zone) => (isTimezone(zone) ? [{ zoneKey, zone }] : [])),
  );
  if (new Set(zoned.map(({ zone }) => zone)).size < 2) return [];
  const offsetAt = zoneOffsets([]);
  const times = zoned.flatMap(({ zoneKey, zone }) =>
    openSpans((at) => hoursAt(zoneKey, at), [from, from + 7 * DAY_MS]).map(([opens, closes]) => {
      const wall = opens + (offsetAt(zone, opens) ?? 0) - DAY_BEGINS_MS;
      const begins = wall - Math.floor(wall / DAY_MS) * DAY_MS;
      return { zone, begins, ends: begins + closes - opens };
    }),
  );
  const [first] = times.toSorted((a, b) => a.begins - b.begins);
  const last = times.toSorted((a, b) => a.ends - b.ends).at(-1);
  if (first === undefined || last === undefined) return [];
  if (times.every(({ begins, ends }) => ends - begins >= DAY_MS)) return [];
  const always = times.find(({ begins, ends }) => ends - begins >= DAY_MS);
  if (always) return [`Some are called at any hour of their day, such as those in ${always.zone}.`];
  const clock = (ms: number) => clockText(((ms + DAY_BEGINS_MS) / MINUTE_MS) % 1_440);
  // Out of 8 to 21 o'clock, the widest hours of US law (47 CFR 64.1200(c)(1)).
  const isLate =
    first.begins + DAY_BEGINS_MS < 8 * HOUR_MS || last.ends + DAY_BEGINS_MS > 21 * HOUR_MS;
  return [
    `In their own time, people are called from ${clock(first.begins)} (${first.zone}) to ${clock(last.ends)} (${last.zone}).`,
    ...(isLate ? ['Calling rules “by the law of each place” (local) call nobody at night.'] : []),
  ];
}

/** How those who wait come to now, later and never; nothing where all may be called now. */
export function waitingLines({ now, later, never }: Openings): string[] {
  if (later + never === 0) return [];
  const who = `Of ${grouped(now + later + never)} waiting`;
  const parts = [
    `${now === 0 ? 'none' : grouped(now)} may be called now`,
    ...(later > 0 ? [`${grouped(later)} later`] : []),
    ...(never > 0 ? [`${grouped(never)} never`] : []),
  ];
  return [`${who}: ${parts.join(', ')}.`];
}

/** Why people are never called, where they are, and what to do about it, as sentences. */
export function shutText({ by, why, zones }: Shut, campaign: string): string {
  const where = zones.length === 0 ? '' : ` (in ${someOf(zones, ZONES_NAMED)})`;
  return `${by}: ${why}${where}. ${remedyFor(by, campaign)}.`;
}

const ZONES_NAMED = 3;

/**
 * In the campaign's time and in that of the person, each with its day:
 * `Tue 2026-01-06 15:00 Europe/Berlin, which is Tue 09:00 America/New_York (us-states)`.
 */
export function openingText(
  { at, zoneKey, by }: NextOpening,
  { timezone }: Pick<CampaignSettings, 'timezone'>,
): string {
  const there = placeOf(zoneKey)
    .zones.filter((zone) => isTimezone(zone) && zone !== timezone)
    .slice(0, 2)
    .map((zone) => dayAndTime(at, zone));
  const here = localTime(at, timezone);
  const both = there.length === 0 ? here : `${here}, which is ${there.join(' and ')}`;
  return by === null ? both : `${both} (${by})`;
}

/**
 * When calls begin, with words for a button (`now`, `tonight at 18:00`) and with their end as a sentence: `Calling
 * starts tonight at 18:00, until 21:00, then tomorrow at 18:00.`
 *
 * @param given.isOn false: only once somebody starts it
 * @param given.isCalling somebody is called
 */
export function beginsView(
  { at, until, then }: CallingAhead,
  given: { now: number; timezone: string; hasCalled: boolean; isOn: boolean; isCalling?: boolean },
): Begins {
  const { now, timezone, isOn } = given;
  const iso = zonedTime(timezone);
  const whenOf = (moment: number) => momentText(moment, now, timezone);
  const isNow = at <= now;
  const when = isNow ? 'now' : whenOf(at);
  const dayOf = (moment: number) => dayIn(timezone, moment);
  const endsAt = () =>
    dayOf(until) === dayOf(at) ? clockAt(until, timezone) : whenOf(until).replace(/^on /, '');
  const ends = until === Infinity ? '' : endsAt();
  const begin =
    isNow && given.isCalling === true ? 'now' : `${given.hasCalled ? 'goes on' : 'starts'} ${when}`;
  return {
    at: isNow ? null : iso(at),
    until: ends === '' ? null : iso(until),
    then: then === null ? null : iso(then),
    ...{ isOn, when },
    text: `Calling ${begin}${ends === '' ? '' : `${begin === 'now' ? '' : ','} until ${ends}`}${then === null ? '' : `, then ${whenOf(then)}`}.`,
  };
}

/** `tonight at 18:00`, `today at 09:00`, `tomorrow at 09:00`, `on Monday at 09:00`, `on Mon 2026-01-05 at 09:00`. */
function momentText(at: number, now: number, timezone: string): string {
  const clock = clockAt(at, timezone);
  const day = dayIn(timezone, at);
  if (day === dayIn(timezone, now)) return `${clock < '17:00' ? 'today' : 'tonight'} at ${clock}`;
  if (day === dayIn(timezone, now, 1)) return `tomorrow at ${clock}`;
  const [weekday = '', date = ''] = localMinute(at, timezone).split(' ');
  const isSoon = date < dayIn(timezone, now, 7);
  const name = WEEKDAY_NAMES[weekday.toLowerCase() as Weekday];
  return `on ${isSoon ? name : `${weekday} ${date}`} at ${clock}`;
}

function clockAt(at: number, timezone: string): string {
  return localMinute(at, timezone).slice(-'hh:mm'.length);
}

/** `Tue 09:00 America/New_York`. */
function dayAndTime(at: number, zone: string): string {
  const [weekday = '', , ...rest] = localTime(at, zone).split(' ');
  return [weekday, ...rest].join(' ');
}

/** What to do about people whom nobody may ever call. @param by see `Hold` */
export function remedyFor(by: string, campaign: string): string {
  if (by === 'zones.unknown') {
    return '`--set zones.unknown=us48` calls them in hours that hold in all of the 48 states; a zone there, such as America/New_York, in those of that zone';
  }
  if (by === 'variables') {
    const name = shellWord(campaign);
    return `Import a list that fills it (\`callsheet import ${name} LIST\`), or \`callsheet set ${name} variables=none\` calls them all the same`;
  }
  if (by === 'time zone') {
    return 'They wait until this machine knows it: run callsheet with a newer Node (`callsheet doctor` names its time-zone data)';
  }
  if (['hours', 'holidays', 'notBefore', 'schedule', 'stop.at'].includes(by)) {
    return `Choose other \`${by}\` or \`rules\`: together they leave these people no time`;
  }
  return 'Choose other `rules` or `hours`: together they leave these people no time; `callsheet rules show RULE` draws the week of each';
}
