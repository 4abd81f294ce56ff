import { describe, expect, it } from 'vitest';
import { startOfDay } from '../../src/text/wall-clock.ts';

describe('a day in a zone', () => {
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
    // Midnight is skipped.
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00Z'],
  ])('%s begins in %s at %s', (day, zone, moment) => {
    expect(startOfDay(day, zone)).toBe(new Date(moment).toISOString());
  });

  it('is over when the next one begins, also at the end of a month', () => {
    expect(startOfDay('2026-11-30', 'UTC', 1)).toBe('2026-12-01T00:00:00.000Z');
    expect(startOfDay('2028-02-28', 'UTC', 1)).toBe('2028-02-29T00:00:00.000Z');
  });

  it.each(['', 'yesterday', '2026-13-01', '+275760-09-13', '-271821-04-19'])(
    'begins at no moment where it is "%s"',
    (text) => {
      expect(startOfDay(text, 'UTC')).toBeUndefined();
    },
  );
});
