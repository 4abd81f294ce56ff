import { Temporal } from '@js-temporal/polyfill';
import {
  WEEKDAYS,
  type CallingLimits,
  type CallingPolicy,
  type DayWindows,
} from '../../../src/domain/calling/policy.ts';

/**
 * What a policy allows, worked out apart from the product, with another library and minute by minute. Shares nothing
 * with it but the shape of its data.
 */

const MINUTE_MS = 60_000;

/** The names of a place: `zones;regions`. Zones are those that are assumed where none is known. */
export function zonesOf(policy: CallingPolicy | undefined, zoneKey: string): string[] {
  const [zones = ''] = zoneKey.split(';');
  if (zones !== '') return zones.split('|');
  const assumed = policy?.unknownZones ?? 'skip';
  return assumed === 'skip' ? [] : [...assumed];
}

export function limitsOf(policy: CallingPolicy | undefined, zoneKey: string): CallingLimits[] {
  const regions = (zoneKey.split(';')[1] ?? '').split(',');
  return (policy?.rules ?? []).flatMap((rule) => [
    rule,
    ...Object.entries(rule.regions)
      .filter(([region]) => regions.includes(region))
      .map(([, limits]) => limits),
  ]);
}

/** Whether a call to somebody at the place may begin at that moment (epoch ms): the whole margin after it is open. */
export function mayBegin(policy: CallingPolicy | undefined, zoneKey: string, at: number): boolean {
  if (policy === undefined) return true;
  for (let moment = at; moment < at + policy.marginMs; moment += MINUTE_MS) {
    if (!isOpen(policy, zoneKey, moment)) return false;
  }
  return isOpen(policy, zoneKey, at + policy.marginMs);
}

/** The first moment within so many days at which a call may begin, to the quarter of an hour; undefined: none. */
export function opensWithin(
  policy: CallingPolicy | undefined,
  zoneKey: string,
  from: number,
  days: number,
): number | undefined {
  const step = 15 * MINUTE_MS;
  for (let at = from; at < from + days * 96 * step; at += step) {
    if (mayBegin(policy, zoneKey, at)) return at;
  }
  return undefined;
}

/** The date at a moment in a zone; undefined: nobody knows its clock. */
export function dateIn(zone: string, at: number): string | undefined {
  return wallIn(zone, at)?.toPlainDate().toString();
}

function isOpen(policy: CallingPolicy, zoneKey: string, at: number): boolean {
  const { hours, holidays } = policy;
  if (hours !== null) {
    const wall = wallIn(hours.timezone, at);
    if (wall === undefined) return false;
    const minute = minuteOf(wall);
    const today = hours.days.includes(weekdayOf(wall));
    const yesterday = hours.days.includes(weekdayOf(wall.subtract({ days: 1 })));
    const isIn =
      hours.to > hours.from
        ? today && minute >= hours.from && minute < hours.to
        : (today && minute >= hours.from) || (yesterday && minute < hours.to);
    if (!isIn) return false;
  }
  const weeks = limitsOf(policy, zoneKey).flatMap((limits) => limits.hours ?? []);
  if (weeks.length === 0 && holidays.length === 0) return true;
  const zones = zonesOf(policy, zoneKey);
  if (zones.length === 0) return false;
  return zones.every((zone) => {
    const wall = wallIn(zone, at);
    if (wall === undefined || holidays.includes(wall.toPlainDate().toString())) return false;
    return weeks.every(({ week }) => isWithin(week[weekdayOf(wall)], minuteOf(wall)));
  });
}

function isWithin(windows: DayWindows, minute: number): boolean {
  return windows.some(([from, to]) => minute >= from && minute < to);
}

function wallIn(zone: string, at: number): Temporal.ZonedDateTime | undefined {
  try {
    return Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(zone);
  } catch {
    return undefined;
  }
}

function weekdayOf(wall: Temporal.ZonedDateTime) {
  return WEEKDAYS[wall.dayOfWeek - 1] ?? 'mon';
}

/** With the part of a minute that has passed. */
function minuteOf(wall: Temporal.ZonedDateTime): number {
  return wall.hour * 60 + wall.minute + (wall.second + wall.millisecond / 1_000) / 60;
}
