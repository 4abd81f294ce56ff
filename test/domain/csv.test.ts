import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { csvLine, unguard } from '../../src/domain/csv.ts';
import { seededRandom } from '../../src/runtime/random.ts';

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

test('whatever cells are written come back the same through a parser (seed csv-1)', () => {
  const random = seededRandom('csv-1');
  const alphabet = [
    'a',
    'é',
    '😀',
    ',',
    ';',
    '"',
    "'",
    '\n',
    '\r',
    '\r\n',
    ' ',
    '\t',
    '=',
    '+',
    '-',
    '@',
    '1',
    '',
  ];
  const pick = () => alphabet[Math.floor(random() * alphabet.length)] ?? '';
  const cell = () => Array.from({ length: Math.floor(random() * 8) }, pick).join('');
  const rows = Array.from({ length: 3_000 }, () => [cell(), cell(), cell(), 'end']);
  const text = rows.map(csvLine).join('');
  const read = parse(text, { record_delimiter: '\r\n' });
  expect(read.map((row) => row.map(unguard))).toEqual(rows);
});
