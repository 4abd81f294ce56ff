import { Temporal } from '@js-temporal/polyfill';
import {
  WEEKDAYS,
  type CallingLimits,
  type CallingPolicy,
  type DayWindows,
  type WeekHours,
} from '../../../src/domain/calling/policy.ts';

import { isHoliday } from './public-holidays.ts';

/**
 * What a policy allows, worked out apart from the product, with another library and minute by minute. Shares nothing
 * with it but the shape of its data.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** Corrections of these nights are known to the time-zone data since long before this version, or long after it. */
const NEWEST = '2050a';

/** The names of a place: `zones;regions`. Zones are those that are assumed where none is known. */
export function zonesOf(policy: CallingPolicy | undefined, zoneKey: string): string[] {
  const [zones = ''] = zoneKey.split(';');
  if (zones !== '') return zones.split('|');
  const assumed = policy?.unknownZones ?? 'skip';
  return assumed === 'skip' ? [] : [...assumed];
}

export function limitsOf(policy: CallingPolicy | undefined, zoneKey: string): CallingLimits[] {
  const regions = regionsOf(policy, zoneKey);
  return (policy?.rules ?? []).flatMap((rule) => [
    rule,
    ...Object.entries(rule.regions)
      .filter(([region]) => regions.includes(region))
      .map(([, limits]) => limits),
  ]);
}

/** The countries and states of a place; where no zone is known, those that are assumed with it, too. */
function regionsOf(policy: CallingPolicy | undefined, zoneKey: string): string[] {
  const [zones, regions = ''] = zoneKey.split(';');
  const own = regions === '' ? [] : regions.split(',');
  const isAssumed = zones === '' && policy !== undefined && policy.unknownZones !== 'skip';
  return isAssumed ? [...own, ...(policy.unknownRegions ?? [])] : own;
}

/** Whether a call to somebody at the place may begin at that moment (epoch ms): the whole margin after it is open. */
export function mayBegin(policy: CallingPolicy | undefined, zoneKey: string, at: number): boolean {
  if (policy === undefined) return true;
  for (let moment = at; moment < at + policy.marginMs; moment += MINUTE_MS) {
    if (!isOpen(policy, zoneKey, moment)) return false;
  }
  return isOpen(policy, zoneKey, at + policy.marginMs);
}

/**
 * The first moment within so many days at which a call may begin at all places, to the quarter of an hour; undefined: none. Days on
 * which clocks are changed are left out: where they show a time twice, or skip it, nobody needs to be called.
 */
export function opensWithin(
  policy: CallingPolicy | undefined,
  zoneKeys: readonly string[],
  from: number,
  days: number,
): number | undefined {
  const step = 15 * MINUTE_MS;
  const mayAt = (zoneKey: string, at: number) =>
    mayBegin(policy, zoneKey, at) && !areClocksChanged(policy, zoneKey, at);
  const keys = [...new Set(zoneKeys)];
  for (let at = from; at < from + days * 96 * step; at += step) {
    if (keys.every((zoneKey) => mayAt(zoneKey, at))) return at;
  }
  return undefined;
}

function areClocksChanged(policy: CallingPolicy | undefined, zoneKey: string, at: number): boolean {
  const own = policy?.hours?.timezone;
  return [...zonesOf(policy, zoneKey), ...(own === undefined ? [] : [own])].some((zone) => {
    const [before, after] = [at - DAY_MS, at + DAY_MS].map((moment) => {
      const shown = wallIn(policy, zone, moment)?.toPlainDateTime().toZonedDateTime('UTC');
      return shown && shown.epochMilliseconds - Math.floor(moment);
    });
    return before !== after;
  });
}

/** The date at a moment in a zone; undefined: nobody knows its clock. */
export function dateIn(
  policy: CallingPolicy | undefined,
  zone: string,
  at: number,
): string | undefined {
  return wallIn(policy, zone, at)?.toPlainDate().toString();
}

/** What the clock of a zone shows, `2026-11-27T15:30-05:00`; in UTC where nobody knows it. */
export function clockIn(policy: CallingPolicy | undefined, zone: string, at: number): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(Math.floor(at));
  const utc = instant.toZonedDateTimeISO('UTC').toPlainDateTime();
  const wall = wallIn(policy, zone, at)?.toPlainDateTime() ?? utc;
  const minutes = Math.round(utc.until(wall).total({ unit: 'minutes' }));
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  const offset = `${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
  return `${wall.toString().slice(0, 16)}${minutes < 0 ? '-' : '+'}${offset}`;
}

function isOpen(policy: CallingPolicy, zoneKey: string, at: number): boolean {
  const { hours, holidays } = policy;
  if (hours !== null) {
    const wall = wallIn(policy, hours.timezone, at);
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
  const regions = regionsOf(policy, zoneKey);
  if (zones.length === 0) return false;
  return zones.every((zone) => {
    const wall = wallIn(policy, zone, at);
    if (wall === undefined || holidays.includes(wall.toPlainDate().toString())) return false;
    return weeks.every((week) => isWithin(windowsOn(wall, week, regions), minuteOf(wall)));
  });
}

/** A day that may be a holiday somewhere of which nothing is known is closed. */
function windowsOn(
  wall: Temporal.ZonedDateTime,
  { week, holidays }: WeekHours,
  regions: readonly string[],
): DayWindows {
  if (holidays === null) return week[weekdayOf(wall)];
  const found = regions.map((region) => isHoliday(region, wall.toPlainDate().toString()));
  if (found.length === 0 || found.includes(undefined)) return [];
  return found.includes(true) ? holidays : week[weekdayOf(wall)];
}

function isWithin(windows: DayWindows, minute: number): boolean {
  return windows.some(([from, to]) => minute >= from && minute < to);
}

function wallIn(
  policy: CallingPolicy | undefined,
  zone: string,
  at: number,
): Temporal.ZonedDateTime | undefined {
  const instant = Temporal.Instant.fromEpochMilliseconds(Math.floor(at));
  try {
    const known = instant.toZonedDateTimeISO(zone);
    const corrected = correctedOffset(policy, known.timeZoneId, at);
    if (corrected === undefined) return known;
    return instant.add({ milliseconds: corrected }).toZonedDateTimeISO('UTC');
  } catch {
    return undefined;
  }
}

/** The latest correction of a zone that holds, unless the time-zone data has it already. */
function correctedOffset(policy: CallingPolicy | undefined, zone: string, at: number) {
  return (policy?.zoneOverrides ?? [])
    .filter((each) => each.from <= at && each.fixedIn > NEWEST && isSame(zone, each.zone))
    .map(({ from, offsetMs }) => ({ from, offsetMs: Number(offsetMs) }))
    .toSorted((a, b) => b.from - a.from)[0]?.offsetMs;
}

const compared = new Map<string, boolean>();

/** Zones have several names. */
function isSame(zone: string, other: string): boolean {
  const key = `${zone} ${other}`;
  let known = compared.get(key);
  if (known === undefined) {
    const there = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    known = there.equals(there.withTimeZone(other));
    compared.set(key, known);
  }
  return known;
}

function weekdayOf(wall: Temporal.ZonedDateTime) {
  return WEEKDAYS[wall.dayOfWeek - 1] ?? 'mon';
}

/** With the part of a minute that has passed. */
function minuteOf(wall: Temporal.ZonedDateTime): number {
  return wall.hour * 60 + wall.minute + (wall.second + wall.millisecond / 1_000) / 60;
}
