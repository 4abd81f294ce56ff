import type { ForecastReport } from '../../app/plan/forecast.ts';
import { forecastSentences, minuteText, whole } from '../../app/sentences/forecast-lines.ts';
import { hasZone, placeOf } from '../../domain/calling/zone-key.ts';
import type { ForecastHour } from '../../domain/forecast/forecast.ts';
import { HOUR_MS } from '../../domain/time-units.ts';
import { withIso } from '../../text/iso-times.ts';
import { counted, someOf } from '../../text/plural.ts';

/** A forecast in lines of at most 100 columns: from what, when it ends, what it takes, by night or hour, who when. */
export function forecastLines(report: ForecastReport, timezone: string): string[] {
  const { plays, weight, sharesWith, openCalls } = report;
  return [
    '',
    ...forecastSentences(report, timezone),
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
