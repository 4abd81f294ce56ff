import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src/text/times.ts';
import { nearest } from '../../src/text/nearest.ts';
import { formatPace, parsePace } from '../../src/config/fields.ts';

describe('durations', () => {
  it.each([
    ['50ms', 50],
    ['5s', 5_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['0s', 0],
  ])('%s is read', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '5', '5 s', '1.5h', '-5s', '5min', '5S', 's', '1h30m', '9999999999s'])(
    '"%s" is no duration',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it.each([
    [90_000, '90s'],
    [120_000, '2m'],
    [86_400_000, '1d'],
    [1_500, '1500ms'],
    [0, '0ms'],
  ])('%d ms is printed as the text that reads back', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
    expect(parseDuration(text)).toBe(ms);
  });
});

describe('paces', () => {
  it.each([
    ['10/s', { count: 10, perMs: 1_000 }],
    ['60/min', { count: 60, perMs: 60_000 }],
    ['500/h', { count: 500, perMs: 3_600_000 }],
  ])('%s is read and printed back', (text, pace) => {
    expect(parsePace(text)).toEqual(pace);
    expect(formatPace(pace)).toBe(text);
  });

  it.each(['', '0/s', '10', '10/m', '10 / s', '-1/s', '1.5/s', '10/day'])(
    '"%s" is no pace',
    (text) => {
      expect(parsePace(text)).toBeUndefined();
    },
  );

  it('a pace over another span is still printed', () => {
    expect(formatPace({ count: 3, perMs: 250 })).toBe('3/250ms');
  });
});

describe('the nearest word', () => {
  it.each([
    ['concurency', 'concurrency'],
    ['longest_call', 'longestCall'],
    ['Rulse', 'rules'],
    ['cuontry', 'country'],
  ])('%s means %s', (typed, meant) => {
    expect(nearest(typed, ['rules', 'country', 'concurrency', 'longestCall'])).toBe(meant);
  });

  it('is none when nothing is near', () => {
    expect(nearest('webhooks', ['rules', 'country'])).toBeUndefined();
    expect(nearest('x', [])).toBeUndefined();
  });
});
