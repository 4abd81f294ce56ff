import { describe, expect, it } from 'vitest';
import { pastTime } from '../../../src/cli/args/moments.ts';
import { START } from '../../helpers/clock.ts';

const ZONE = 'America/New_York';
/** 2026-01-05 10:00 there. */
const at = (text: string, now = START) =>
  new Date(pastTime('--since', text, now, ZONE)).toISOString();

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
