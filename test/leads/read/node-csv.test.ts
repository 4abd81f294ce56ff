import { describe, expect, test } from 'vitest';
import { csvRows } from '../../../src/leads/read/csv-rows.ts';
import { readRows } from '../../../src/leads/rows/add-rows.ts';
import type { ListRow } from '../../../src/leads/rows/list-row.ts';
import { scanList } from '../../../src/leads/rows/first-reading.ts';
import { readTable } from '../columns/read-table.ts';
import { tempList } from '../temp-list.ts';

/** The cases of node-csv's csv-parse that concern an importer, as option: name; the texts are our own. */

type Case = [name: string, text: string | Uint8Array, rows: string[]];

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

describe('read as csv-parse reads them with its tolerant options', () => {
  test.each<Case>([
    ['bom: handle BOM with utf8 (default)', '\ufeffa,b\nd,e', ['a|b', 'd|e']],
    ['delimiter: using tab', 'a\tb\t\n1\t\t2', ['a|b|', '1||2']],
    ['delimiter_auto: sync small', 'a:b;c\nd:e;f', ['a:b|c', 'd:e|f']],
    [
      'delimiter_auto: handle inconsistent field length',
      '1,a.b,c.d\n2,e\n3,f,g',
      ['1|a.b|c.d', '2|e', '3|f|g'],
    ],
    ['encoding: utf16le auto detected with quote', utf16('\ufeffa,"b,c"\n1,2'), ['a|b,c', '1|2']],
    ['escape: does not apply outside quoted field', 'aa,b1\\\\b2\nf,h', ['aa|b1\\\\b2', 'f|h']],
    ['escape: does not apply to delimiter', 'aa\\,bb', ['aa\\|bb']],
    [
      'quote: with fields containing delimiters',
      '203,",19.0,45",1\n"283,19.0","8.8","D,2,"',
      ['203|,19.0,45|1', '283,19.0|8.8|D,2,'],
    ],
    [
      'quote: values containing quotes and double quotes escape',
      'AB,"""",CD,"""ho"""\n"",JK,"",""\n',
      ['AB|"|CD|"ho"', '|JK||'],
    ],
    [
      'quote: line breaks inside quotes',
      '20,"\n",45,"\nok\n"\n"\n",19,"","\n"',
      ['20|\n|45|\nok\n', '\n|19||\n'],
    ],
    ['quote: no throw followed by a delimiter', '""|BB', ['|BB']],
    ['record_delimiter: No record', '', []],
    [
      'record_delimiter: Test line ends with field delimiter and without record delimiter',
      '"a","b",',
      ['a|b|'],
    ],
    [
      'record_delimiter: skip default record delimiters when quoted',
      '1,2,"\n"\r\n3,4,',
      ['1|2|\n', '3|4|'],
    ],
    [
      'record_delimiter: support utf16le with bom with windows line ending',
      utf16('\ufeffa,b\r\n1,2'),
      ['a|b', '1|2'],
    ],
    ['relax_column_count: dont throw error if true', '1,2,3\n4,5', ['1|2|3', '4|5']],
    [
      'relax_quotes: true with invalid quotes in the middle',
      '38,the "S" Hostel,J',
      ['38|the "S" Hostel|J'],
    ],
    [
      'relax_quotes: true with invalid quotes on the left',
      'a,"b" c,d\na,""b" c,d',
      ['a|"b" c|d', 'a|""b" c|d'],
    ],
    ['relax_quotes: true with two invalid quotes on the left', 'a,""b"" c,d', ['a|""b"" c|d']],
    [
      'relax_quotes: true with invalid quotes on the right',
      'a,b "c",d\nBo"","23",e',
      ['a|b "c"|d', 'Bo""|23|e'],
    ],
    [
      'skip_empty_lines: used conjointly with trim to ignore whitespaces',
      'a,b\n\t\nd,e',
      ['a|b', 'd|e'],
    ],
    // Ours: a row of one empty cell is nobody, quoted or not.
    [
      'skip_empty_lines: quoted fields are not interpreted as empty',
      'ABC\n""\nDEF',
      ['ABC', 'DEF'],
    ],
    ['comment: is cancel by default', 'a,b\n#1,2', ['a|b', '#1|2']],
    ['trim: should preserve surrounding whitespaces', ' a , b\n 1,2 ', [' a | b', ' 1|2 ']],
  ])('%s', async (_, text, rows) => {
    expect(await readTable(text)).toEqual(rows);
  });

  test('bom: throw parsing error if quote follow bom; here the mark is taken off first', async () => {
    expect(await readTable('\ufeff"a",b\nd,e')).toEqual(['a|b', 'd|e']);
  });

  test('bom: preserve data if no enough data to detect BOM; here such bytes are no text in UTF-8', async () => {
    await expect(readTable(Buffer.from([239, 187]))).rejects.toThrow(
      'ends in the middle of a character of UTF-8 (line 1)',
    );
  });

  test.each([
    [
      'max_record_size: field exceed limit',
      `a,b\n1,"${'x\n'.repeat(600_000)}"`,
      'line 2 begins a row',
    ],
    ['quote: when unclosed', '"",19,"","', 'line 1 opens a quote'],
  ])('%s is refused with its line', async (_, text, message) => {
    await expect(readTable(text)).rejects.toThrow(message);
  });
});

describe('the lines of rows', () => {
  test.each([
    ['info: with skip_empty_lines', 'a\n\n\nb\n\nc\n', [1, 4, 6]],
    ['info: with multiline records', 'a,b\n1,"x\ny\r\nz"\n3,4\n', [1, 2, 5]],
    ['raw: has the inner line breaks', 'a\r\n"b\r\nc"\r\nd', [1, 2, 4]],
  ])('%s', async (_, text, lines) => {
    const shape = { delimiter: ',', encoding: 'utf-8' };
    const found: number[] = [];
    for await (const rows of csvRows(tempList(text), shape)) {
      found.push(...rows.map(({ line }) => line));
    }
    expect(found).toEqual(lines);
  });
});

describe('names of columns', () => {
  async function read(text: string) {
    const list = await scanList(tempList(text));
    const rows: ListRow[] = [];
    const options = { country: null, refuseFictional: false };
    for await (const piece of readRows(list, options)) rows.push(...piece);
    return { headers: list.headers, cells: rows.map(({ cells }) => cells.join('|')) };
  }

  test.each([
    [
      'columns: read from first row if true',
      'phone,a\n+12125550100,b',
      ['phone', 'a'],
      ['+12125550100|b'],
    ],
    [
      'columns: lines with empty column names',
      'phone,,a\n+12125550100,1,b',
      ['phone', '', 'a'],
      ['+12125550100|1|b'],
    ],
    [
      'columns: header detection honors skip_empty_lines',
      '\n\nphone,a\n+12125550100,b',
      ['phone', 'a'],
      ['+12125550100|b'],
    ],
    [
      'relax_column_count: with columns bigger than records',
      'phone,a,b\n+12125550100,b',
      ['phone', 'a', 'b'],
      ['+12125550100|b|'],
    ],
    [
      'relax_column_count: with columns smaller than records',
      'phone,a\n+12125550100,b,c',
      ['phone', 'a'],
      ['+12125550100|b|c'],
    ],
    [
      'columns_duplicates_to_array: when false; here both are kept',
      'phone,a,a\n+12125550100,b,c',
      ['phone', 'a', 'a'],
      ['+12125550100|b|c'],
    ],
    [
      'from_line: start at defined position; here a title is told from names',
      'Our leads\nphone,a\n+12125550100,b',
      ['phone', 'a'],
      ['+12125550100|b'],
    ],
  ])('%s', async (_, text, headers, cells) => {
    expect(await read(text)).toEqual({ headers, cells });
  });
});
