import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  csvLine,
  guard,
  guardForSpreadsheet,
  spreadsheetLine,
  unguard,
} from '../../src/domain/csv.ts';
import { isE164 } from '../../src/domain/phone.ts';

test('a line is RFC 4180: commas, quotes where needed and doubled inside, CRLF', () => {
  expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', ' h', ''])).toBe('a,"b,c","d""e","f\ng"," h",\r\n');
});

describe('a cell that a spreadsheet would run is guarded, also over several lines', () => {
  test.each([
    '=1+1',
    '+1 212 555 0123',
    '-1+1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '＝1',
    '=1\nx',
    "'=1",
    '\u00a0=1',
    '\ufeff=1',
    '\u200b=1',
    '\u0001@x',
    '\u3000＝1',
    '＋1',
    '－1',
    '＠x',
    '﹦1',
    '−1',
    "''\t",
  ])('%j', (cell) => {
    expect(parse(csvLine([cell, 'x']))[0]).toEqual([`'${cell}`, 'x']);
  });
});

test.each(['+12125550123', '-0.4', '-12', 'a=b', "'tis", "O'Neil", '4+4'])(
  'the harmless cell %j stays as it is',
  (cell) => {
    expect(csvLine([cell])).toBe(`${cell}\r\n`);
  },
);

test.each([
  ['+12125550123', "'+12125550123"],
  ['12345678901234567', "'12345678901234567"],
  ['0049', "'0049"],
  ['1/2', "'1/2"],
  ['3-2026', "'3-2026"],
  ['2026-01-05', '2026-01-05'],
  ['1E5', "'1E5"],
  ["'0049", "''0049"],
  ['12345678901', '12345678901'],
  ['0', '0'],
  ['2026-01-05T10:00:00-05:00', '2026-01-05T10:00:00-05:00'],
])('for a spreadsheet %j is written as %j', (cell, written) => {
  expect(spreadsheetLine([cell])).toBe(`${written}\r\n`);
});

/** Cells made of what is dangerous, and any others. */
const signs = [
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  ' ',
  "'",
  '"',
  ',',
  ';',
  '0',
  '1',
  'E',
  'a',
  '＝',
  '＋',
  '\u200b',
  '\ufeff',
  '\0',
];
const cell = fc.oneof(
  fc.array(fc.constantFrom(...signs), { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);

test('both guards are taken off again, whatever the cell', () => {
  fc.assert(
    fc.property(cell, (text) => {
      expect(unguard(guard(text))).toBe(text);
      expect(unguard(guardForSpreadsheet(text))).toBe(text);
    }),
    { numRuns: 5_000, seed: 1 },
  );
});

test('no cell that is written starts a formula', () => {
  const STARTS = '=+-@＝＋－＠﹢﹣﹦﹫−';
  // Said in another way than the guard itself: what is left when all that is not seen is taken away.
  const first = (text: string) => text.replaceAll(/[\s\p{Cc}\p{Cf}]/gu, '').charAt(0);
  fc.assert(
    fc.property(cell, (text) => {
      const written = parse(csvLine([text, 'end']), { relax_column_count: true })[0]?.[0] ?? '';
      const isInert = isE164(written) || /^-\d+(\.\d+)?$/.test(written);
      if (!isInert) expect(STARTS.includes(first(written)) && first(written) !== '').toBe(false);
      expect(/^[\t\r\0]/.test(written)).toBe(false);
    }),
    { numRuns: 5_000, seed: 2 },
  );
});

test('whatever cells are written come back the same through a parser, and are written the same again', () => {
  for (const toLine of [csvLine, spreadsheetLine]) {
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 20 }), (rows) => {
        const text = rows.map((row) => toLine([...row, 'end'])).join('');
        const read = parse(text, { record_delimiter: '\r\n' }).map((row) => row.map(unguard));
        expect(read).toEqual(rows.map((row) => [...row, 'end']));
        expect(read.map(toLine).join('')).toBe(text);
      }),
      { numRuns: 500, seed: 3 },
    );
  }
});
