import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  csvLine,
  guard,
  guardForSpreadsheet,
  spreadsheetCell,
  unguard,
} from '../../../src/domain/lists/spreadsheet.ts';
import { cellsAsSplit, READERS, runs } from '../../helpers/files/spreadsheet.ts';
import { examples } from '../../helpers/properties.ts';

test('a line is RFC 4180: commas, quotes where needed and doubled inside, CRLF', () => {
  expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', ' h', ''])).toBe('a,"b,c","d""e","f\ng"," h",\r\n');
});

describe('a cell that a spreadsheet would run is guarded, also over several lines', () => {
  test.each([
    '=1+1',
    '+1+1',
    '-1+1',
    '- not given',
    '@SUM(A1)',
    '\t',
    '\nx',
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

test.each([
  ['x;=1', "'x;'=1"],
  ['x; "=1', `'x; "'=1`],
  ['x\t=1', "'x\t'=1"],
  ['\t=1', "'\t'=1"],
  ['x\r\n\n=1', "'x\r\n\n'=1"],
  ['x|\u200b＝1', "'x|\u200b'＝1"],
  ["x;'=1", "'x;''=1"],
  ['x;-1-1;@SUM(1)', "'x;'-1-1;'@SUM(1)"],
  ['x\n- HYPERLINK("x")', `'x\n'- HYPERLINK("x")`],
])('a formula that would begin inside a cell is guarded there, too: %j', (cell, written) => {
  expect(parse(csvLine([cell, 'x']))[0]).toEqual([written, 'x']);
});

test.each([
  '+12125550123',
  '+1 901-555-0110',
  '+1-901-555-0110',
  '+1 (901) 555-0110 ext. 5',
  '(901) 555-0110',
  '+44 7700 900123',
  '-',
  '+',
  '-0.4',
  '-12',
  '-$5.00',
  'a=b',
  "'tis",
  "O'Neil",
  '4+4',
])('the harmless cell %j stays as it is', (cell) => {
  expect(csvLine([cell])).toBe(`${cell}\r\n`);
});

test.each([
  'a;b',
  'x|y',
  'a\tb',
  'x\n- wants an offer\n- call again, Tuesday',
  'x; -5',
  'x\n+1 for that',
])(
  'the cell %j is in quotes for those who split at more than commas, and no guard is in it',
  (cell) => {
    expect(csvLine([cell])).toBe(`"${cell}"\r\n`);
  },
);

test.each([
  ['+12125550123', "'+12125550123"],
  ['12345678901234567', "'12345678901234567"],
  ['0049', "'0049"],
  ['1/2', "'1/2"],
  ['3-2026', "'3-2026"],
  ['2026-01-05', "'2026-01-05"],
  ['2026-01-05 10:00', "'2026-01-05 10:00"],
  ['05.01.2026', "'05.01.2026"],
  ['5 Jan 2026', "'5 Jan 2026"],
  ['MAR1', "'MAR1"],
  ['2026年1月5日', "'2026年1月5日"],
  ['3:4', "'3:4"],
  ['10:30 PM', "'10:30 PM"],
  ['1-2', "'1-2"],
  ['1 1/2', "'1 1/2"],
  ['TRUE', "'TRUE"],
  ['false', "'false"],
  ['-007', "'-007"],
  ['００１２', "'００１２"],
  ['(901)', "'(901)"],
  ['5-', "'5-"],
  ['+5', "'+5"],
  ['+1 901-555-0110', "'+1 901-555-0110"],
  ['1'.repeat(100), `'${'1'.repeat(100)}`],
  ['(901) 555-0110', '(901) 555-0110'],
  ['901-555-0110', '901-555-0110'],
  ['192.168.0.1', '192.168.0.1'],
  ['12.50', '12.50'],
  ['-12.50', '-12.50'],
  ['-', '-'],
  ['42', '42'],
  ['Juliette', 'Juliette'],
  ['Marianne 5', 'Marianne 5'],
  ['May', 'May'],
  ['1E5', "'1E5"],
  ["'0049", "''0049"],
  ['12345678901', '12345678901'],
  ['0', '0'],
  ['2026-01-05T10:00:00-05:00', '2026-01-05T10:00:00-05:00'],
])('for a spreadsheet %j is written as %j', (cell, written) => {
  expect(spreadsheetCell(cell)).toBe(written);
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
  '|',
  '(',
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
    { numRuns: examples(2_000), seed: 1 },
  );
});

const spreadsheetLine = (cells: string[]) => `${cells.map(spreadsheetCell).join(',')}\r\n`;

test('no cell that is written is run, however a spreadsheet splits it', () => {
  for (const toLine of [csvLine, spreadsheetLine]) {
    fc.assert(
      fc.property(cell, cell, (one, other) => {
        const line = toLine(['first', one, other, 'end']);
        const cells = Object.values(READERS).flatMap((separators) =>
          cellsAsSplit(line, separators),
        );
        expect(cells.filter(runs)).toEqual([]);
      }),
      { numRuns: examples(1_200), seed: 2 },
    );
  }
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
      { numRuns: examples(500), seed: 3 },
    );
  }
});
