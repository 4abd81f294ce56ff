import { expect, it, test } from 'vitest';
import { readCallback } from '../../../src/service/calls/spoken.ts';

const AT = Date.parse('2026-01-06T15:30:00Z');

test.each<[unknown, number]>([
  ['2026-01-06T15:30:00Z', AT],
  ['2026-01-06T15:30Z', AT],
  ['2026-01-06 15:30:00.000z', AT],
  ['2026-01-06T10:30:00-05:00', AT],
  ['2026-01-06T10:30-0500', AT],
  ['2026-01-06 10:30 -05', AT],
  ['2026-01-06T21:00+05:30', AT],
  [AT, AT],
  [AT / 1_000, AT],
  [String(AT / 1_000), AT],
])('a person is called back at the moment that %j names', (value, at) => {
  expect(readCallback(value)).toEqual({ said: String(value).trim(), at });
});

test.each([
  ['2026-01-06T15:30', '2026-01-06T15:30'],
  ['2026-01-06 15:30:10.5', '2026-01-06T15:30:10'],
])('%j is a time of their own clock', (said, wall) => {
  expect(readCallback(said)).toEqual({ said, wall });
});

test.each<[unknown, string]>([
  ['tomorrow at 3', 'tomorrow at 3'],
  ['2026-01-06', '2026-01-06'],
  ['15:30', '15:30'],
  ['2026-13-06T15:30Z', '2026-13-06T15:30Z'],
  [true, 'true'],
  [42, '42'],
  [{ at: 1 }, '{"at":1}'],
  ['x'.repeat(200), 'x'.repeat(100)],
])('%j is kept in its words', (value, said) => {
  expect(readCallback(value)).toEqual({ said });
});

it.each([false, 0, '', ' ', 'false', 'No', 'none', 'null', 'N/A', '0'])(
  'is not asked for by %j',
  (value) => {
    expect(readCallback(value)).toBeUndefined();
  },
);
