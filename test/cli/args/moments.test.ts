import { describe, expect, it } from 'vitest';
import { pastTime, timeToday } from '../../../src/cli/args/moments.ts';
import { START } from '../../helpers/clock.ts';

const ZONE = 'America/New_York';
/** 2026-01-05 10:00 there. */
const at = (text: string, now = START) =>
  new Date(pastTime('--since', text, now, ZONE)).toISOString();

describe('a moment that is to come', () => {
  /** 2026-11-22 18:00 there. */
  const EVENING = Date.parse('2026-11-22T23:00:00Z');
  const until = (text: string, zone = ZONE, now = EVENING) =>
    new Date(timeToday('--until', text, now, zone)).toISOString();

  it.each([
    ['20:30', '2026-11-23T01:30:00.000Z'],
    ['2026-11-23 09:15', '2026-11-23T14:15:00.000Z'],
    ['2026-11-23T09:15Z', '2026-11-23T09:15:00.000Z'],
  ])('%s is read in the zone of the campaign', (text, expected) => {
    expect(until(text)).toBe(expected);
  });

  it.each([
    ['17:59', 'has passed today', '2026-11-23 17:59'],
    ['9:00', 'has passed today', '2026-11-23 09:00'],
    ['2026-11-21 20:30', 'has passed', '2026-11-23 20:30'],
  ])('%s, which has passed, is an error that says how tomorrow is meant', (text, passed, then) => {
    expect(() => until(text)).toThrow(
      expect.objectContaining({
        message: `--until "${text}" ${passed}: it is Sun 2026-11-22 18:00 America/New_York, and nobody would be called.`,
        hint: `--until "${then}" is that time tomorrow, Mon ${then} America/New_York`,
      }) as Error,
    );
  });

  it.each(['25:00', 'noon', '2026-02-30 20:30', '2026-11-23', '20:30Z', '2026-11-23T20:30+99:00'])(
    '%s is no time, and the two ways to write one are named',
    (text) => {
      expect(() => until(text)).toThrow(
        `--until "${text}" is not a time of day such as 21:00, nor a moment such as "2026-11-23 20:30".`,
      );
    },
  );

  it.each([
    ['Africa/Cairo', '2026-04-23T22:00:00.000Z', '00:30'],
    ['America/Santiago', '2026-09-06T04:00:00.000Z', '00:30'],
    ['America/Havana', '2026-03-08T05:00:00.000Z', '00:30'],
    ['America/New_York', '2026-03-08T07:00:00.000Z', '02:30'],
  ])('in an hour that summer time skips in %s is the skip', (zone, skip, text) => {
    expect(until(text, zone, Date.parse(skip))).toBe(skip);
  });
});

describe('a moment in the past', () => {
  it.each([
    ['2026-01-04', '2026-01-04T05:00:00.000Z'],
    ['2026-01-04T18:00', '2026-01-04T23:00:00.000Z'],
    ['2026-01-04 18:00:30', '2026-01-04T23:00:30.000Z'],
    ['2026-01-04T18:00Z', '2026-01-04T18:00:00.000Z'],
    ['2026-01-04T18:00:00+05:30', '2026-01-04T12:30:00.000Z'],
    ['2025-07-01T12:00', '2025-07-01T16:00:00.000Z'],
    ['09:30', '2026-01-05T14:30:00.000Z'],
    ['9:30', '2026-01-05T14:30:00.000Z'],
    ['18:00', '2026-01-04T23:00:00.000Z'],
    ['12h', '2026-01-05T03:00:00.000Z'],
    ['2d', '2026-01-03T15:00:00.000Z'],
  ])('%s is read in the zone of the campaign', (text, expected) => {
    expect(at(text)).toBe(expected);
  });

  it('keeps to the clocks where they change', () => {
    const later = Date.parse('2026-12-01T00:00:00Z');
    expect(at('2026-03-08T01:59', later)).toBe('2026-03-08T06:59:00.000Z');
    expect(at('2026-03-08T03:00', later)).toBe('2026-03-08T07:00:00.000Z');
    expect(at('2026-11-01T12:00', later)).toBe('2026-11-01T17:00:00.000Z');
  });

  it.each(['', 'yesterday', '2026-02-30', '2026-13-01', '25:00', '12', '2026-01-04T18', '5x'])(
    '%j is refused with what is allowed',
    (text) => {
      expect(() => at(text)).toThrow(
        `--since "${text}" is not a time such as 2026-01-05, 2026-01-05T18:00, 18:00, or 12h or 2d for so long ago.`,
      );
    },
  );
});
