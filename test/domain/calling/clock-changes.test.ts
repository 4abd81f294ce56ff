import { describe, expect, it } from 'vitest';
import { callingHours, type HoursAt } from '../../../src/domain/calling/calling-hours.ts';
import type { CallingPolicy, DayWindows } from '../../../src/domain/calling/policy.ts';
import { zoneOffsets } from '../../../src/runtime/time-zones.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);

function hoursIn(zone: string, windows: DayWindows, more: Partial<CallingPolicy> = {}) {
  const week = { mon: windows, tue: windows, wed: windows, thu: windows, fri: windows, sat: windows, sun: windows }; // prettier-ignore
  const limits = { caps: [], afterConversationMs: null, afterRefusalMs: null };
  const policy: CallingPolicy = {
    rules: [{ name: 'test', hours: { week, holidays: null }, ...limits, regions: {} }],
    hours: null,
    holidays: [],
    unknownZones: 'skip',
    zoneOverrides: [],
    marginMs: 0,
    ...more,
  };
  const hoursAt = callingHours(policy, zoneOffsets(policy.zoneOverrides));
  return (text: string): HoursAt => hoursAt(`${zone};`, at(text));
}

function nextOpening(hours: HoursAt): string | null {
  if (hours.open || hours.hold.until === null) return null;
  return new Date(hours.hold.until).toISOString();
}

describe('where clocks are changed', () => {
  it.each([
    ['America/Santiago', '2026-09-06T03:30:00Z'],
    ['America/Santiago', '2026-04-05T03:30:00Z'],
    ['Africa/Cairo', '2026-04-23T21:30:00Z'],
    ['Asia/Beirut', '2026-03-28T21:30:00Z'],
    ['America/Havana', '2026-11-01T04:30:00Z'],
    ['Pacific/Apia', '2011-12-30T09:30:00Z'],
  ])('days open as a whole do not close at a change at midnight: %s %s', (zone, moment) => {
    expect(hoursIn(zone, [[0, 1_440]], { marginMs: HOUR })(moment).open).toBe(true);
  });

  it('a window over the day that Samoa left out opens on the day after', () => {
    const hours = hoursIn('Pacific/Apia', [[540, 1_200]])('2011-12-30T07:00:00Z');
    expect(nextOpening(hours)).toBe('2011-12-30T19:00:00.000Z');
  });

  it('a window that opens at a time shown twice opens at the second', () => {
    const hoursAt = hoursIn('America/New_York', [[90, 150]]);
    expect(nextOpening(hoursAt('2026-11-01T05:45:00Z'))).toBe('2026-11-01T06:30:00.000Z');
  });
});

describe('where clocks are changed twice within two days', () => {
  // On the morning after the end of summer time a correction of the time-zone data begins.
  const [zone, fixedIn] = ['America/New_York', '2099a'];
  const zoneOverrides = [{ zone, from: at('2026-11-01T19:00Z'), offsetMs: -4.5 * HOUR, fixedIn }];

  it.each([
    '2026-11-01T06:04:59Z',
    '2026-11-01T06:08:55Z',
    '2026-11-01T06:35:00Z',
    '2026-11-01T07:04:59Z',
  ])('a window that opens at 02:05 is not open at %s', (moment) => {
    expect(hoursIn(zone, [[125, 165]], { zoneOverrides })(moment).open).toBe(false);
  });

  it('a window that nobody can doubt is open', () => {
    const hoursAt = hoursIn(zone, [[540, 1_200]], { zoneOverrides });
    expect(hoursAt('2026-11-01T18:00:00Z').open).toBe(true);
    expect(hoursAt('2026-11-03T18:00:00Z').open).toBe(true);
  });

  it('a change that is soon taken back is not overlooked', () => {
    const back = [
      { zone, from: at('2026-06-01T06:00Z'), offsetMs: -5 * HOUR, fixedIn },
      { zone, from: at('2026-06-01T07:00Z'), offsetMs: -4 * HOUR, fixedIn },
    ];
    const hoursAt = hoursIn(zone, [[90, 150]], { zoneOverrides: back });
    // Half past one is shown at 05:30 and at 06:30; at seven the clock goes from two to three.
    expect(hoursAt('2026-06-01T05:45:00Z').open).toBe(false);
    expect(hoursAt('2026-06-01T06:15:00Z').open).toBe(false);
  });
});

describe('a window that ends at a time shown twice', () => {
  const hoursAt = hoursIn('America/New_York', [[30, 90]]);

  it('closes at the first', () => {
    expect(hoursAt('2026-11-01T05:29:59Z').open).toBe(true);
    expect(hoursAt('2026-11-01T05:30:00Z').open).toBe(false);
    expect(hoursAt('2026-11-01T06:15:00Z').open).toBe(false);
  });
});

describe('the borders of windows', () => {
  const hoursAt = hoursIn('America/New_York', [[540, 1_200]], { marginMs: 90_000 });

  it('open at the first moment and close a margin before the last', () => {
    expect(hoursAt('2026-07-06T12:59:59.999Z').open).toBe(false);
    const until = at('2026-07-06T23:58:30Z');
    expect(hoursAt('2026-07-06T13:00:00Z')).toEqual({ open: true, until });
    expect(hoursAt('2026-07-06T23:58:29.999Z').open).toBe(true);
    expect(hoursAt('2026-07-06T23:58:30Z').open).toBe(false);
  });

  it('hold for a clock that is set back, too', () => {
    expect(hoursAt('2026-07-07T14:00:00Z').open).toBe(true);
    expect(nextOpening(hoursAt('2026-07-07T12:00:00Z'))).toBe('2026-07-07T13:00:00.000Z');
  });
});

it("the operator's window over midnight belongs to the day on which it begins", () => {
  const hours = { days: ['fri'], from: 1_320, to: 120, timezone: 'America/New_York' } as const;
  const hoursAt = hoursIn('America/New_York', [[0, 1_440]], { hours });
  expect(hoursAt('2026-07-11T05:59:00Z').open).toBe(true);
  expect(hoursAt('2026-07-11T06:00:00Z').open).toBe(false);
  expect(nextOpening(hoursAt('2026-07-10T05:00:00Z'))).toBe('2026-07-11T02:00:00.000Z');
});

it('a person whose zone nobody knows is never called', () => {
  const hours = hoursIn('', [[0, 1_440]])('2026-07-06T15:00:00Z');
  expect(hours).toMatchObject({ open: false, hold: { until: null, by: 'zones.unknown' } });
  expect(hoursIn('Mars/Olympus', [[0, 1_440]])('2026-07-06T15:00:00Z').open).toBe(false);
});
