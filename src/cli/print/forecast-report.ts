import type { ForecastReport } from '../../app/plan/forecast.ts';
import { hasZone, placeOf } from '../../domain/calling/zone-key.ts';
import type { ForecastHour } from '../../domain/forecast/forecast.ts';
import type { Range } from '../../domain/forecast/quantiles.ts';
import { HOUR_MS } from '../../domain/time-units.ts';
import { costSumText, durationText, grouped } from '../../text/amounts.ts';
import { withIso } from '../../text/iso-times.ts';
import { weekdayTime } from '../../text/local-time.ts';
import { counted, someOf } from '../../text/plural.ts';

/** A forecast in lines of at most 100 columns: from what, when it ends, what it takes, by night or hour, who when. */
export function forecastLines(report: ForecastReport, timezone: string): string[] {
  const { startAt, plays, weight, sharesWith, openCalls } = report;
  return [
    '',
    `Forecast from ${weekdayTime(startAt, timezone)}, ${fromWhat(report)}:`,
    ...endLines(report, timezone),
    ...neededLines(report),
    ...barLines(report, timezone),
    ...zoneLines(report, timezone),
    ...(weight > 1 ? [`One of ${weight} people was played, at ${plays} plays.`] : []),
    ...(sharesWith.length === 0
      ? []
      : [`Not in it: ${someOf(sharesWith, 3)} may take slots of the same service.`]),
    ...(openCalls === 0 ? [] : [`Not in it: ${counted(openCalls, 'call')} in progress now.`]),
    '',
  ];
}

/** The same for --json: times are ISO 8601, people and calls by time zone. */
export function forecastJson(report: ForecastReport, timezone: string) {
  const { byNight, byHour, endsAt, ...rest } = report;
  return {
    ...withIso(rest, ['startAt'], timezone),
    endsAt: withIso(endsAt, ['low', 'middle', 'high'], timezone),
    byNight: byNight.map((night) => withIso(night, ['beginsAt'], timezone)),
    byHour: byHour.map((hour) => ({
      ...withIso({ at: hour.at }, ['at'], timezone),
      zones: Object.fromEntries(byZone(hour)),
    })),
  };
}

function fromWhat({ seen }: ForecastReport): string {
  if (seen.of === 'defaults') return 'from usual calls, as too few were seen';
  const whose = {
    campaign: 'of this campaign',
    agent: 'with this agent',
    service: 'at this service, with other agents',
  }[seen.of];
  return `from ${counted(seen.calls, 'call')} ${whose}`;
}

function endLines({ end, endShare, endsAt, people }: ForecastReport, timezone: string): string[] {
  const { low, middle, high } = endsAt;
  if (end === 'nobody_may') return ['  Nobody of them can be called, as things stand.'];
  if (middle === null || low === null)
    return ['  When it ends cannot be told: plays differ too much.'];
  const when = (at: number | null) => (at === null ? 'an unknown time' : minuteText(at, timezone));
  const what = {
    done: `${counted(people, 'person', 'people')} through`,
    budget: "The campaign's budget used up",
    time: 'No more calls, with people left',
  }[end];
  return [
    `  ${what}: ${when(middle)}; 8 of 10 times between`,
    `  ${when(low)} and ${when(high)}.`,
    ...(endShare < 0.9
      ? [`  Only ${Math.round(endShare * 100)}% of the plays end like that.`]
      : []),
  ];
}

function neededLines({ nights, calls, talkMs, costs, seen, slots }: ForecastReport): string[] {
  const spent = Object.entries(costs).map(([currency, cost]) =>
    rangeText(cost, (amount) => costSumText(amount.toFixed(4), currency)),
  );
  const unknown =
    seen.of === 'defaults'
      ? 'not known, as no call was seen'
      : 'not known, as no call that was seen had a cost';
  const partly = seen.priced > 0 && seen.priced < seen.calls / 2;
  const some = partly ? ` (${grouped(seen.priced)} of the calls that were seen had one)` : '';
  return [
    `  Nights: ${rangeText(nights, whole)}. Calls: ${rangeText(calls, whole)}, at most ${slots} at once.`,
    `  Talk time: ${rangeText(talkMs, durationText)}.`,
    `  Cost: ${spent.length === 0 ? unknown : spent.join(' and ') + some}.`,
  ];
}

const whole = (count: number) => grouped(Math.round(count));

/** `3`, or `3 (2 to 4)`. */
function rangeText({ low, middle, high }: Range, text: (value: number) => string): string {
  const [from, usual, to] = [text(low), text(middle), text(high)];
  return from === to ? usual : `${usual} (${from} to ${to})`;
}

const MOST_ROWS = 14;
const BAR = 40;

/** Calls by night or, where there is only one night, by hour. */
function barLines({ byNight, byHour }: ForecastReport, timezone: string): string[] {
  const hours = byHour.map(({ at, places }) => ({
    label: minuteText(at, timezone),
    calls: Object.values(places).reduce((sum, { calls }) => sum + calls, 0),
    text: '',
  }));
  const nights = byNight.map(({ night, calls }) => ({
    label: night,
    calls: calls.middle,
    text: calls.low === calls.high ? '' : ` (${whole(calls.low)} to ${whole(calls.high)})`,
  }));
  const rows = nights.length > 1 ? nights : hours.filter(({ calls }) => calls >= 0.5);
  const most = Math.max(...rows.map(({ calls }) => calls));
  const shown = rows.slice(0, MOST_ROWS).map(({ label, calls, text }) => {
    const bar = '#'.repeat(Math.max(1, Math.round((calls / most) * BAR)));
    return `  ${label}  ${bar.padEnd(BAR)}  ${whole(calls)}${text}`;
  });
  const more = rows.length - shown.length;
  const rest =
    more > 0 ? [`  and ${counted(more, nights.length > 1 ? 'night' : 'hour')} more`] : [];
  return ['Calls:', ...shown, ...rest];
}

const MOST_ZONES = 10;
const MOST_HOURS = 15;
const CELL = 5;
const LABEL = 20;

/** How many people can be called in the next hours in which somebody can, by time zone. */
function zoneLines({ byHour }: ForecastReport, timezone: string): string[] {
  const [first] = byHour;
  if (first === undefined) return [];
  const hours = byHour.filter(({ at }) => at < first.at + 24 * HOUR_MS).slice(0, MOST_HOURS);
  const people = new Map<string, number[]>();
  hours.forEach((hour, n) => {
    for (const [zone, { callable }] of byZone(hour)) {
      const row = people.get(zone) ?? hours.map(() => 0);
      row[n] = callable;
      people.set(zone, row);
    }
  });
  const sum = (row: readonly number[]) => row.reduce((all, each) => all + each, 0);
  const rows = [...people].toSorted(([, a], [, b]) => sum(b) - sum(a));
  const heads = hours.map(({ at }) => minuteText(at, timezone).slice(-'hh:mm'.length));
  const line = (label: string, cells: readonly string[]) =>
    `  ${label.slice(0, LABEL - 1).padEnd(LABEL)}${cells.map((cell) => cell.padStart(CELL)).join('')}`;
  const more = rows.length - MOST_ZONES;
  return [
    `People who can be called, by hour (${timezone}) and zone; --json has a week:`,
    line(
      '',
      heads.map((head) => head.slice(0, 2)),
    ),
    ...rows.slice(0, MOST_ZONES).map(([zone, row]) => line(shortZone(zone), row.map(shortCount))),
    ...(more > 0 ? [`  and ${counted(more, 'zone')} more`] : []),
  ];
}

/** The places of an hour by their time zones: `America/New_York`, `America/Chicago|America/New_York`. */
function byZone({ places }: ForecastHour): Map<string, { callable: number; calls: number }> {
  const zones = new Map<string, { callable: number; calls: number }>();
  for (const [key, { callable, calls }] of Object.entries(places)) {
    const zone = hasZone(key) ? placeOf(key).zones.join('|') : 'unknown';
    const known = zones.get(zone) ?? { callable: 0, calls: 0 };
    zones.set(zone, { callable: known.callable + callable, calls: known.calls + calls });
  }
  return zones;
}

/** `New_York`, `Chicago +1`. */
function shortZone(zone: string): string {
  const [first = '', ...others] = zone.split('|');
  const more = others.length === 0 ? '' : ` +${others.length}`;
  return `${first.split('/').at(-1) ?? first}${more}`;
}

/** `999`, `12k`, `1.2M`. */
function shortCount(count: number): string {
  if (count < 0.5) return '-';
  if (count < 9_999.5) return String(Math.round(count));
  return count < 999_500 ? `${Math.round(count / 1_000)}k` : `${(count / 1e6).toFixed(1)}M`;
}

/** `Mon 2026-01-05 09:00`. */
function minuteText(at: number, timezone: string): string {
  return weekdayTime(at, timezone).split(' ').slice(0, 3).join(' ');
}
