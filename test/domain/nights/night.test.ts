import { Cron } from 'croner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WEEKDAYS } from '../../../src/domain/calling/policy.ts';
import {
  cronOfWeekly,
  nextNight,
  nightAt,
  nightOf,
  nightText,
  stopsAt,
  weeklyOf,
  type NightSettings,
} from '../../../src/domain/nights/night.ts';
import { zoneOffsets } from '../../../src/runtime/time-zones.ts';
import { examples } from '../../helpers/properties.ts';

const offsetAt = zoneOffsets([]);
const HOUR = 3_600_000;
const NEW_YORK: NightSettings = { timezone: 'America/New_York' };
const hours = (from: string, to: string, days?: 'mon'[]): NightSettings => ({
  ...NEW_YORK,
  hours: { from, to, ...(days && { days }) },
});
const at = (text: string) => Date.parse(text);
const nightIn = (settings: NightSettings, text: string) => nightOf(at(text), settings, offsetAt);
const iso = (moment: number) => new Date(moment).toISOString();

describe('a night', () => {
  it('begins at 05:00 in the zone of the campaign', () => {
    expect(nightIn(NEW_YORK, '2026-01-06T09:59:59.999Z')).toBe('2026-01-05');
    expect(nightIn(NEW_YORK, '2026-01-06T10:00:00Z')).toBe('2026-01-06');
  });

  it('has the date on which hours open that cross midnight', () => {
    const late = hours('18:00', '02:00');

    expect(nightIn(late, '2026-01-05T23:00:00Z')).toBe('2026-01-05');
    expect(nightIn(late, '2026-01-06T06:59:00Z')).toBe('2026-01-05');
    expect(nightIn(late, '2026-01-06T23:00:00Z')).toBe('2026-01-06');
  });

  it.each([
    // Closed from 06:00 to 20:00, so nights change at 13:00.
    ['20:00', '06:00', '2026-01-06T17:59:00Z', '2026-01-05'],
    ['20:00', '06:00', '2026-01-06T18:00:00Z', '2026-01-06'],
    // Closed from 12:00 to 04:00, so nights change at 20:00, and have the date of the morning.
    ['04:00', '12:00', '2026-01-06T00:59:00Z', '2026-01-05'],
    ['04:00', '12:00', '2026-01-06T01:00:00Z', '2026-01-06'],
    ['04:00', '12:00', '2026-01-06T10:30:00Z', '2026-01-06'],
    ['00:00', '05:01', '2026-01-06T05:00:00Z', '2026-01-06'],
    // Over before 05:00.
    ['01:00', '04:00', '2026-01-06T08:59:00Z', '2026-01-06'],
    ['22:00', '05:00', '2026-01-06T09:59:00Z', '2026-01-05'],
    ['00:00', '24:00', '2026-01-06T09:59:00Z', '2026-01-05'],
  ])('of hours from %s to %s has at %s the date %s', (from, to, moment, date) => {
    expect(nightIn(hours(from, to), moment)).toBe(date);
  });

  it('is 23 or 25 hours long where clocks are changed', () => {
    const length = (text: string) => {
      const { beginsAt, endsAt } = nightAt(at(text), NEW_YORK, offsetAt);
      return (endsAt - beginsAt) / HOUR;
    };

    expect(length('2026-03-08T08:00:00Z')).toBe(23);
    expect(length('2026-11-01T08:00:00Z')).toBe(25);
    expect(length('2026-11-02T12:00:00Z')).toBe(24);
  });

  it('does not come back where clocks show its border twice', () => {
    // Closed from 23:30 to 03:30, so nights change at 01:30, which clocks show twice on 1 November 2026.
    const settings = hours('03:30', '23:30');

    expect(nightIn(settings, '2026-11-01T05:29:00Z')).toBe('2026-10-31');
    expect(nightIn(settings, '2026-11-01T05:31:00Z')).toBe('2026-11-01');
    expect(nightIn(settings, '2026-11-01T06:15:00Z')).toBe('2026-11-01');
  });

  it('is that of UTC in a zone that is not known', () => {
    expect(nightIn({ timezone: 'Moon/Base' }, '2026-01-06T04:59:00Z')).toBe('2026-01-05');
    expect(nightIn({ timezone: 'Moon/Base' }, '2026-01-06T05:00:00Z')).toBe('2026-01-06');
  });

  it('contains its moments, follows the one before, and has a date of its own', () => {
    const time = fc
      .integer({ min: 0, max: 95 })
      .map((quarter) => `${String(quarter >> 2).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`); // prettier-ignore
    const own = fc.option(
      fc.tuple(time, time).filter(([from, to]) => from !== to),
      { nil: undefined },
    );
    const zone = fc.constantFrom(
      'America/New_York',
      'America/Havana',
      'Europe/Berlin',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
      'Africa/Casablanca',
    );
    const moment = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2028, 0) });
    fc.assert(
      fc.property(zone, own, moment, (timezone, window, now) => {
        const [from, to] = window ?? [];
        const settings = {
          timezone,
          ...(from !== undefined && to !== undefined && { hours: { from, to } }),
        };
        const night = nightAt(now, settings, offsetAt);
        expect(night.beginsAt).toBeLessThanOrEqual(now);
        expect(night.endsAt).toBeGreaterThan(now);
        const next = nightAt(night.endsAt, settings, offsetAt);
        expect(next.beginsAt).toBe(night.endsAt);
        expect(Date.parse(next.date) - Date.parse(night.date)).toBe(24 * HOUR);
        const last = nightAt(night.endsAt - 1, settings, offsetAt);
        expect(last).toEqual(night);
        expect(nightAt(night.beginsAt, settings, offsetAt)).toEqual(night);
      }),
      { numRuns: examples(400) },
    );
  });
});

describe('the night that comes next', () => {
  const night = (settings: NightSettings, text: string) => nightAt(at(text), settings, offsetAt);

  it('is that of the day after', () => {
    const next = nextNight(night(NEW_YORK, '2026-01-05T20:00:00Z'), NEW_YORK, offsetAt);

    expect(next.date).toBe('2026-01-06');
    expect(iso(next.beginsAt)).toBe('2026-01-06T10:00:00.000Z');
    expect(nightText(next)).toBe('Tue 2026-01-06');
  });

  it('is one on which the hours open', () => {
    const mondays = hours('18:00', '21:00', ['mon']);

    expect(nextNight(night(mondays, '2026-01-05T23:00:00Z'), mondays, offsetAt).date).toBe(
      '2026-01-12',
    );
  });

  it('is the week after where the hours open on no day', () => {
    const never: NightSettings = { ...NEW_YORK, hours: { from: '18:00', to: '21:00', days: [] } };

    expect(nextNight(night(never, '2026-01-05T23:00:00Z'), never, offsetAt).date).toBe(
      '2026-01-12',
    );
  });
});

describe('a time at which dialling stops', () => {
  const stop = (time: string, settings: NightSettings, text: string) =>
    iso(stopsAt(nightAt(at(text), settings, offsetAt), time, settings, offsetAt));

  it('is that of the evening', () => {
    expect(stop('20:30', NEW_YORK, '2026-01-05T20:00:00Z')).toBe('2026-01-06T01:30:00.000Z');
  });

  it('is that after midnight where the night has begun later', () => {
    expect(stop('01:30', NEW_YORK, '2026-01-05T20:00:00Z')).toBe('2026-01-06T06:30:00.000Z');
    expect(stop('05:00', NEW_YORK, '2026-01-05T20:00:00Z')).toBe('2026-01-06T10:00:00.000Z');
  });

  it('is on the date of the night where the night has begun the evening before', () => {
    const morning = hours('04:00', '12:00');

    expect(stop('11:00', morning, '2026-01-05T13:00:00Z')).toBe('2026-01-05T16:00:00.000Z');
    // Later than the night ends.
    expect(stop('20:30', morning, '2026-01-05T13:00:00Z')).toBe('2026-01-06T01:00:00.000Z');
  });

  it('is the first of two moments at which clocks show it', () => {
    expect(stop('01:30', NEW_YORK, '2026-10-31T20:00:00Z')).toBe('2026-11-01T05:30:00.000Z');
  });
});

describe('a time on days of the week', () => {
  const clock = (n: number) => String(n).padStart(2, '0');
  const WEEKLY = fc.record({
    at: fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(([hour, minute]) => `${clock(hour)}:${clock(minute)}`),
    days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
  });

  it('is written in cron notation that is read as the same, and comes on those days alone', () => {
    fc.assert(
      fc.property(WEEKLY, fc.integer({ min: 0, max: 400 }), (weekly, day) => {
        const cron = cronOfWeekly(weekly);
        expect(weeklyOf(cron)).toEqual(weekly);
        const next = new Cron(cron, { timezone: 'UTC', paused: true }).nextRun(
          new Date(at('2026-01-01T00:00:00Z') + day * 24 * HOUR),
        );
        expect(next?.toISOString().slice(11, 16)).toBe(weekly.at);
        expect(weekly.days).toContain(WEEKDAYS[((next?.getUTCDay() ?? 0) + 6) % 7]);
      }),
      { numRuns: examples(1) },
    );
  });

  it.each([
    ['0 18 * * *', '18:00', [...WEEKDAYS]],
    ['5 9 ? * ?', '09:05', [...WEEKDAYS]],
    ['0 18 * * 1-5', '18:00', ['mon', 'tue', 'wed', 'thu', 'fri']],
    ['0 18 * * MON-WED,sat', '18:00', ['mon', 'tue', 'wed', 'sat']],
    ['0 18 * * 7', '18:00', ['sun']],
    ['0 18 * * 0,5-7', '18:00', ['fri', 'sat', 'sun']],
    ['0 18 * * 0-6', '18:00', [...WEEKDAYS]],
  ])('is read from %s', (cron, time, days) => {
    expect(weeklyOf(cron)).toEqual({ at: time, days });
  });

  it.each([
    '0 18 1 * *',
    '0 18 * 3 *',
    '0 18,19 * * *',
    '*/5 18 * * *',
    '0 18 * * 1#2',
    'none',
    '0 18 * * 5-1',
    '0 18 * * 1-5/2',
    '0 18 * * 5L',
  ])('is not what %s says', (cron) => {
    expect(weeklyOf(cron)).toBeUndefined();
  });
});
