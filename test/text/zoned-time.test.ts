import { expect, test } from 'vitest';
import { localOf, shortTime, zonedTime } from '../../src/text/times.ts';

test.each([
  ['America/New_York', '2026-01-05T15:00:00.999Z', '2026-01-05T10:00:00-05:00'],
  ['UTC', '2026-01-05T15:00:00Z', '2026-01-05T15:00:00+00:00'],
  ['Asia/Kathmandu', '2026-01-05T15:00:00Z', '2026-01-05T20:45:00+05:45'],
  ['Australia/Lord_Howe', '2026-01-05T15:00:00Z', '2026-01-06T02:00:00+11:00'],
  ['America/St_Johns', '2026-01-05T02:00:00Z', '2026-01-04T22:30:00-03:30'],
])('in %s %s is %s', (zone, utc, expected) => {
  expect(zonedTime(zone)(Date.parse(utc))).toBe(expected);
});

test('the offset changes with the clocks, to the second', () => {
  const toText = zonedTime('America/New_York');
  const change = Date.UTC(2026, 2, 8, 7);
  expect(toText(change - 1_000)).toBe('2026-03-08T01:59:59-05:00');
  expect(toText(change)).toBe('2026-03-08T03:00:00-04:00');
});

test('the instant is never changed, over two years in steps of some hours', () => {
  for (const zone of ['Europe/London', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Tokyo']) {
    const toText = zonedTime(zone);
    const start = Date.UTC(2026, 0, 1);
    const changed: string[] = [];
    for (let ms = start; ms < start + 2 * 366 * 86_400_000; ms += 5_077_000) {
      if (Date.parse(toText(ms)) !== ms) changed.push(toText(ms));
    }
    expect(changed).toEqual([]);
  }
});

test('zones that are used in turn are not mixed up, also after very many quarters of an hour', () => {
  const [here, there] = [zonedTime('America/New_York'), zonedTime('Asia/Kathmandu')];
  const day = Date.UTC(2026, 0, 5, 15);
  for (let quarter = 0; quarter <= 10_000; quarter++) here(day + quarter * 900_000);

  expect(there(day)).toBe('2026-01-05T20:45:00+05:45');
  expect(here(day)).toBe('2026-01-05T10:00:00-05:00');
  expect(zonedTime('Asia/Kathmandu')(day)).toBe('2026-01-05T20:45:00+05:45');
  expect(zonedTime('America/New_York')(Date.UTC(2026, 6, 5))).toBe('2026-07-04T20:00:00-04:00');
});

test('a local time is cut from the text', () => {
  expect(localOf('2026-01-05T18:02:09-05:00')).toBe('Mon 2026-01-05 18:02');
});

test('a moment of today is its time, one of another day has its day', () => {
  const now = Date.UTC(2026, 0, 5, 15);
  const of = (hours: number) => shortTime(now + hours * 3_600_000, now, 'America/New_York');
  expect([of(-1), of(13), of(15), of(-11)]).toEqual([
    ...['09:00', '23:00', 'Tue 2026-01-06 01:00', 'Sun 2026-01-04 23:00'],
  ]);
});
