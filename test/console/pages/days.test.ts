import { describe, expect, it } from 'vitest';
import { dayAfter, startOfDay } from '../../../src/console/pages/log/days.ts';

describe('a day that the log is filtered by', () => {
  it.each([
    ['2026-11-25', 'UTC', '2026-11-25T00:00:00Z'],
    ['2026-11-25', 'America/New_York', '2026-11-25T05:00:00Z'],
    ['2026-07-01', 'America/New_York', '2026-07-01T04:00:00Z'],
    ['2026-07-01', 'Pacific/Kiritimati', '2026-06-30T10:00:00Z'],
    ['2026-07-01', 'Asia/Kolkata', '2026-06-30T18:30:00Z'],
    // The clocks are changed at 2 in the morning of these days, and of the days before.
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00Z'],
    ['2026-03-09', 'America/New_York', '2026-03-09T04:00:00Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00Z'],
    ['2026-11-02', 'America/New_York', '2026-11-02T05:00:00Z'],
  ])('%s begins in %s at %s', (day, zone, moment) => {
    expect(startOfDay(day, zone)).toBe(new Date(moment).toISOString());
  });

  it('is over when the next one begins, also at the end of a month', () => {
    expect(dayAfter('2026-11-30')).toBe('2026-12-01');
    expect(dayAfter('2028-02-28')).toBe('2028-02-29');
  });

  it.each([undefined, '', 'yesterday', '2026-13-01'])('filters nothing where it is %s', (text) => {
    expect(startOfDay(text, 'UTC')).toBeUndefined();
    expect(dayAfter(text)).toBeUndefined();
  });
});
