import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Part } from '../../../src/leads/workbook/parts.ts';
import { durationOf, momentOf, readStyles } from '../../../src/leads/workbook/cell-value.ts';

const LAST = 2_958_465;

type Day = [year: number, month: number, day: number];

/** A calendar that counts day by day, and has the 29th of February 1900 where spreadsheets have it. */
function* calendar(year: number, hasLeap1900: boolean): Generator<Day> {
  for (; year <= 9999; year++) {
    const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
    const february = isLeap || (year === 1900 && hasLeap1900) ? 29 : 28;
    for (const [month, days] of [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].entries()) {
      for (let day = 1; day <= days; day++) yield [year, month + 1, day];
    }
  }
}

function written(day: Day): string {
  return day.map((part) => String(part).padStart(2, '0')).join('-');
}

/** What `momentOf` makes of each 97th day and of all at the beginning, where it is not as the calendar has it. */
function mistakes(days: Generator<Day>, first: number, is1904: boolean) {
  const wrong: unknown[] = [];
  let serial = first - 1;
  for (const day of days) {
    serial += 1;
    if (serial % 97 !== 0 && serial > 100 && serial < LAST - 1_500) continue;
    for (const [fraction, time] of TIMES) {
      const found = momentOf(serial + fraction, is1904);
      if (found?.day !== written(day) || found.time !== time) wrong.push([serial, day, found]);
    }
  }
  return { wrong, last: serial };
}

/** Fractions of a day, and the time that they are. */
const TIMES: [fraction: number, time: string | null][] = [
  [0, null],
  [0.25, '06:00:00'],
  [0.5, '12:00:00'],
  [1 / 3, '08:00:00'],
  [0.999988425925926, '23:59:59'],
  [1 / 86_400_000, '00:00:00.001'],
];

describe('every day that a workbook knows', () => {
  test('from 1900-01-01 to 9999-12-31 is the one of the calendar, at any time of it', () => {
    expect(mistakes(calendar(1900, true), 1, false)).toEqual({ wrong: [], last: LAST });
  });

  test('the same from 1904-01-01 on', () => {
    expect(mistakes(calendar(1904, false), 0, true)).toEqual({ wrong: [], last: LAST - 1_462 });
  });

  test('before the first day there is a time only, and before that and after the last there is nothing', () => {
    expect(momentOf(0, false)).toEqual({ day: null, time: '00:00:00' });
    expect(momentOf(0.75, false)).toEqual({ day: null, time: '18:00:00' });
    for (const none of [-0.5, -1, LAST + 1, 1e300, Infinity, NaN]) {
      expect(momentOf(none, false)).toBeUndefined();
      expect(momentOf(none, true)).toBeUndefined();
    }
  });
});

test('a time that was written as a fraction of a day comes back to the millisecond', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 61, max: LAST - 1 }),
      fc.integer({ min: 0, max: 86_399_999 }),
      (days, ms) => {
        const { time } = momentOf(days + ms / 86_400_000, false) ?? {};
        const [hours, minutes, seconds] = (time ?? '0:0:0').split(':').map(Number);
        const read = (hours ?? 0) * 3_600 + (minutes ?? 0) * 60 + (seconds ?? 0);
        expect(Math.round(read * 1_000)).toBe(ms);
      },
    ),
  );
});

test('a duration goes on after 24 hours', () => {
  expect([0.5, 1, 1.1041666666666667, 100.25].map(durationOf)).toEqual([
    '12:00:00',
    '24:00:00',
    '26:30:00',
    '2406:00:00',
  ]);
  expect([-1, 1e300, NaN].map(durationOf)).toEqual([undefined, undefined, undefined]);
});

test('a format longer than any spreadsheet takes is General: its numbers stay numbers', async () => {
  const styleOf = (code: string) => {
    const xml = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`;
    const part = { name: 'xl/styles.xml', read: () => Readable.from([Buffer.from(xml)]) };
    return readStyles(part as unknown as Part);
  };
  const longest = `yyyy${';'.repeat(251)}`;

  expect((await styleOf(longest))(0)(46_000)).toMatchObject({ kind: 'moment', hasDay: true });
  expect((await styleOf(`${longest};`))(0)(46_000)).toEqual({ kind: 'number' });
  expect((await styleOf(longest))(1)(46_000)).toEqual({ kind: 'number' });
});
