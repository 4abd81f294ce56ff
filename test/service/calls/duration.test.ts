import { expect, test } from 'vitest';
import { parseDurationText, readDuration } from '../../../src/service/calls/spoken.ts';

test.each<[string, number | undefined]>([
  ['00:01:23', 83_000],
  ['1:23', 83_000],
  ['1:00:00.5', 3_600_500],
  ['PT1M23S', 83_000],
  ['PT1H', 3_600_000],
  ['1m 23s', 83_000],
  ['2 min', 120_000],
  ['83', 83_000],
  ['83.5 sec', 83_500],
  ['', undefined],
  ['PT', undefined],
  ['soon', undefined],
  ['1:2:3:4', undefined],
  ['-5', undefined],
])('%s', (text, ms) => {
  expect(parseDurationText(text)).toBe(ms);
});

test.each<[unknown, number, boolean]>([
  [83, 83_000, true],
  ['83', 83_000, true],
  [[83], 83_000, true],
  [{ value: 83 }, 83_000, true],
  [{ value: 83, unit: 's' }, 83_000, false],
  ['83 s', 83_000, false],
  ['1:23', 83_000, false],
])('%j is read, and is a guess where nothing names its unit', (length, ms, isGuess) => {
  const found = readDuration([{ length }], { duration: [[['length'], 'auto']] });
  expect([found?.ms, found?.isGuess ?? false]).toEqual([ms, isGuess]);
});
