import { Temporal } from '@js-temporal/polyfill';
import { describe, expect, it } from 'vitest';
import { callingHours } from '../../../src/domain/calling/calling-hours.ts';
import type { CallingPolicy, DayWindows } from '../../../src/domain/calling/policy.ts';
import { zoneKey } from '../../../src/domain/calling/zone-key.ts';
import { zoneOffsets } from '../../../src/runtime/time-zones.ts';

/*
 * The hours of every zone that this machine knows, over two years, against a computation that shares nothing with ours:
 * clocks and their changes come from another library, and a moment is judged by the clock on the wall. The offsets of
 * every zone are compared; zones whose offsets and changes are the same are judged once for each week. Close to a change
 * every minute counts, and for days around it every hour; where nothing changes for months, 70 moments a year are
 * enough, spread over all hours of the day and days of the week.
 */

const FROM = Date.UTC(2026, 0, 1);
const TO = Date.UTC(2028, 0, 1);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NEAR = 3 * HOUR;
/** As far as the hours look ahead and back around a change, and a little more. */
const DAYS_AROUND = 3 * DAY;
/** Shares no factor with the hours of a day or of a week, so that it comes to each of them. */
const FAR_STEP = 251 * HOUR;

const WEEKS: { name: string; windows: DayWindows }[] = [
  { name: 'the working day', windows: [[540, 1_200]] },
  { name: 'the whole day', windows: [[0, 1_440]] },
  { name: 'hours in which clocks are changed', windows: [[0, 30], [90, 150], [165, 1_439]] }, // prettier-ignore
];

const ZONES = Intl.supportedValuesOf('timeZone');
const SPANS = new Map(ZONES.map((zone) => [zone, spansOf(zone)]));
/** One zone for each course of the clocks: hours depend on a zone by its offsets only. */
const DIFFERENT = new Map([...SPANS].map(([zone, spans]) => [JSON.stringify(spans), zone]));

it('the offset of every zone is that of the other library, all the time and by the minute around each change', () => {
  const offsetAt = zoneOffsets([]);
  const wrong: string[] = [];
  let asked = 0;
  for (const [zone, spans] of SPANS) {
    const check = (at: number, expected: number) => {
      asked += 1;
      if (offsetAt(zone, at) !== expected) wrong.push(`${zone} ${new Date(at).toISOString()}`);
    };
    spans.forEach(({ from, offset }, index) => {
      for (const at of momentsOf(from, spans[index + 1]?.from ?? TO)) check(at, offset);
      const before = spans[index - 1]?.offset;
      if (before === undefined) return;
      for (let at = from - NEAR; at <= from + NEAR; at += 60_000) {
        check(at, at < from ? before : offset);
      }
    });
  }
  expect(wrong.slice(0, 20)).toEqual([]);
  expect(asked).toBeGreaterThan(200_000);
});

describe.each(WEEKS)('$name, all the time and by the minute around each change', ({ windows }) => {
  const policy = everyDay(windows);
  const hoursAt = callingHours(policy, zoneOffsets([]));

  it('is open exactly when the wall clock reads a time within the windows, on the safe side of changes', () => {
    const wrong: string[] = [];
    let asked = 0;
    for (const zone of DIFFERENT.values()) {
      const key = zoneKey({ zones: [zone], regions: [] });
      const spans = SPANS.get(zone) ?? [];
      const check = (at: number, expected: boolean) => {
        asked += 1;
        if (hoursAt(key, at).open !== expected) wrong.push(`${zone} ${new Date(at).toISOString()}`);
      };
      spans.forEach(({ from, offset }, index) => {
        const end = spans[index + 1]?.from ?? TO;
        const next = index === 0 ? from : from + DAY;
        for (const at of momentsOf(next, end - (end === TO ? 0 : DAY))) {
          check(at, onWall(at + offset, windows));
        }
        if (index === 0) return;
        const onSafeSide = aroundChange(zone, windows);
        const before = spans[index - 1]?.offset ?? NaN;
        for (let at = from - NEAR; at <= from + NEAR; at += 60_000) {
          check(at, onSafeSide(at, at < from ? before : offset));
        }
      });
    }
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(asked).toBeGreaterThan(DIFFERENT.size * 400);
  });
});

/** From `from` up to `to`, exclusive: every hour of the first and last days, and some hours of all others. */
function momentsOf(from: number, to: number): number[] {
  const moments: number[] = [];
  let at = from;
  while (at < to) {
    moments.push(at);
    const isFar = at >= from + DAYS_AROUND && at + FAR_STEP < to - DAYS_AROUND;
    at += isFar ? FAR_STEP : HOUR;
  }
  return moments;
}

function everyDay(windows: DayWindows): CallingPolicy {
  const week = { mon: windows, tue: windows, wed: windows, thu: windows, fri: windows, sat: windows, sun: windows }; // prettier-ignore
  const hours = { week, holidays: null };
  const limits = { hours, caps: [], afterConversationMs: null, afterRefusalMs: null };
  return {
    rules: [{ name: 'every-day', ...limits, regions: {} }],
    hours: null,
    holidays: [],
    unknownZones: 'skip',
    zoneOverrides: [],
    marginMs: 0,
  };
}

/** The offsets of a zone in these years, each from a moment on. */
function spansOf(zone: string): { from: number; offset: number }[] {
  let at = Temporal.Instant.fromEpochMilliseconds(FROM).toZonedDateTimeISO(zone);
  const spans = [{ from: FROM, offset: at.offsetNanoseconds / 1e6 }];
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds >= TO) return spans;
    at = next;
    spans.push({ from: at.epochMilliseconds, offset: at.offsetNanoseconds / 1e6 });
  }
}

function onWall(wall: number, windows: DayWindows): boolean {
  const minute = (((wall / 60_000) % 1_440) + 1_440) % 1_440;
  return windows.some(([from, to]) => minute >= from && minute < to);
}

/** Within a window on the wall, not before the later of its openings and not after the earlier of its closings. */
function aroundChange(zone: string, windows: DayWindows): (at: number, offset: number) => boolean {
  const days = new Map<number, (readonly [from: number, to: number])[]>();
  const windowsOf = (day: number) => {
    const date = new Temporal.PlainDate(1970, 1, 1).add({ days: day });
    return windows.map(
      ([from, to]) =>
        [moment(date, from, zone, 'later'), moment(date, to, zone, 'earlier')] as const,
    );
  };
  // Days that are open as a whole touch each other, so that nothing closes between them, wherever the clocks change.
  if (windows.some(([from, to]) => from === 0 && to === 1_440)) return () => true;
  return (at, offset) => {
    const day = Math.floor((at + offset) / DAY);
    const moments = days.get(day) ?? windowsOf(day);
    days.set(day, moments);
    return windows.some((window, index) => {
      const [from, to] = moments[index] ?? [NaN, NaN];
      return onWall(at + offset, [window]) && from <= at && at < to;
    });
  };
}

function moment(
  date: Temporal.PlainDate,
  minutes: number,
  timeZone: string,
  disambiguation: 'earlier' | 'later',
): number {
  const day = minutes === 1_440 ? date.add({ days: 1 }) : date;
  const time = { hour: Math.floor((minutes % 1_440) / 60), minute: minutes % 60 };
  return day
    .toPlainDateTime(Temporal.PlainTime.from(time))
    .toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds;
}
