import { describe, expect, test } from 'vitest';
import { readRows } from '../../../src/leads/rows/add-rows.ts';
import type { ListRow } from '../../../src/leads/rows/list-row.ts';
import { scanList, type ScanOptions } from '../../../src/leads/rows/first-reading.ts';
import { tempList } from '../temp-list.ts';

/** Lists that break importers; those of csv-spectrum, PapaParse and node-csv by name have files of their own. */

const options = { country: 'US', refuseFictional: false } as const;

async function read(content: string | Uint8Array, scan: ScanOptions = {}) {
  const list = await scanList(tempList(content), scan);
  const rows: ListRow[] = [];
  for await (const row of readRows(list, options)) rows.push(...row);
  return { list, rows, cells: rows.map((row) => row.cells) };
}

describe('cells come in as they were meant', () => {
  test.each<[string, string, string[][]]>([
    ['PapaParse: unquoted field with quotes at its end', 'a,phone\nb"",1\n', [['b""', '1']]],
    [
      'PapaParse: quoted field has no closing quote but is followed by the end',
      'phone,a\n1,"b"',
      [['1', 'b']],
    ],
    ['node-csv: a byte order mark before a quoted header', '\ufeff"phone",a\n1,2\n', [['1', '2']]],
    [
      'node-csv: mixed line ends',
      'a,phone\r\n1,2\n3,4\r5,6',
      [
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
      ],
    ],
  ])('%s', async (_, content, expected) => {
    expect((await read(content)).cells).toEqual(expected);
  });
});

const FOUND = ['+12125550100', '+12125550101'];
const numbersOf = (rows: ListRow[]) =>
  rows.map((row) => (row.kind === 'good' ? row.phone : row.kind));

describe('numbers are found where the list is no plain table', () => {
  test.each<[string, string | Uint8Array, string[]]>([
    ['sep= names a semicolon', 'sep=;\r\nname;phone\r\nA;+12125550100\r\nB;+12125550101\r\n', []],
    [
      'semicolons, with commas in names',
      'name;phone\nA, Dr.;+12125550100\nB, Dr.;+12125550101\n',
      [],
    ],
    ['a decimal comma in every row', 'sum;phone\n1,5;+12125550100\n2,5;+12125550101\n', []],
    [
      'a title above the names',
      'Call list spring, as of today\n\nname,phone\nA,+12125550100\nB,+12125550101\n',
      ['1 line above the column names (line 3) left out'],
    ],
    [
      'a title of one column',
      'Phone numbers for spring\nphone\n+12125550100\n+12125550101\n',
      ['1 line above the column names (line 2) left out'],
    ],
    [
      'no names',
      '+12125550100\n+12125550101\n',
      ['no line has column names; the numbers are in column 1'],
    ],
    [
      'no names, several columns',
      'A,(212) 555-0100,2026-01-05\nB,(212) 555-0101,2026-01-06\n',
      ['no line has column names; the numbers are in column 2'],
    ],
    [
      'Windows-1252',
      Buffer.from('name,phone\nAndr\u00e9,+12125550100\nB,+12125550101\n', 'latin1'),
      [
        'line 2 is not UTF-8, so the list is read as windows-1252; if names look wrong, save it as "CSV UTF-8" or say what it is with --encoding',
      ],
    ],
    [
      'zero bytes',
      'name,phone\nA\0,+12125550100\nB,+1\0' + '2125550101\n',
      ['line 2 has zero bytes, which are taken out'],
    ],
  ])('%s', async (_, content, warnings) => {
    const { list, rows } = await read(content);
    expect(numbersOf(rows)).toEqual(FOUND);
    expect(list.warnings).toEqual(warnings);
  });

  test('a list in another encoding is read right when it is named', async () => {
    const russian = Buffer.concat([
      Buffer.from('name,phone\n'),
      Buffer.from([0xcf, 0xe0]),
      Buffer.from(',+12125550100\n'),
    ]);
    const { cells } = await read(russian, { encoding: 'windows-1251' });
    expect(cells).toEqual([['\u041f\u0430', '+12125550100']]);
    await expect(read(russian, { encoding: 'latin-99' })).rejects.toMatchObject({
      code: 'FLAG_INVALID',
    });
    await expect(read(russian, { encoding: 'utf-8' })).rejects.toMatchObject({
      code: 'LIST_UNREADABLE',
    });
  });

  test('columns with the same name are kept both, and the operator says which is called', async () => {
    const content = 'phone,name,phone\n+12125550100,A,+12125550102\n+12125550101,B,+12125550103\n';
    await expect(read(content)).rejects.toMatchObject({
      code: 'LIST_COLUMN_UNCLEAR',
      hint: 'give --map phone=#1 or --map phone=#3 (or several of them, in the order to call)',
    });
    const { rows, cells } = await read(content, { choices: [{ target: 'phone', column: '#1' }] });
    expect(numbersOf(rows)).toEqual(FOUND);
    expect(cells[0]).toEqual(['+12125550100', 'A', '+12125550102']);
  });

  test('no names and two columns of numbers: the operator says which is called', async () => {
    const content = '+12125550100,+12125550102\n+12125550101,+12125550103\n';
    await expect(read(content)).rejects.toMatchObject({ code: 'LIST_COLUMN_UNCLEAR' });
    const { rows } = await read(content, { choices: [{ target: 'phone', column: '#1' }] });
    expect(numbersOf(rows)).toEqual(FOUND);
  });
});

describe('a row with several numbers', () => {
  test('is called at the first column that has one, and the others stay in their cells', async () => {
    const { rows } = await read(
      'Mobile,Work Phone\n+12125550100,+12125550109\n,+12125550101\nn/a,+12125550102\n+12125550103,\nx,y\n',
    );
    expect(numbersOf(rows)).toEqual([...FOUND, '+12125550102', '+12125550103', 'rejected']);
    expect(rows[1]?.notes).toMatchObject([{ code: 'other_column' }]);
  });

  test('of somebody who asked not to be called is suppressed with all of them', async () => {
    const { rows } = await read(
      'Mobile,Work Phone,Do Not Call\n+12125550100,+12125550109,TRUE\n+12125550101,,FALSE\n+12125550102,,2026-01-05 10:00\n+12125550100,,0\n',
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['suppressed', 'good', 'suppressed', 'duplicate']);
    expect(rows[0]).toMatchObject({
      phones: ['+12125550100', '+12125550109'],
      refusal: {
        code: 'do_not_call',
        text: '+12125550100 asked not to be called ("Do Not Call": "TRUE")',
      },
    });
  });
});

test('a list whose names cannot be read for want of its encoding says so, and the flag that helps', async () => {
  const shiftJis = Buffer.from([0x8e, 0x81, 0x96, 0xbc, 0x2c, 0x93, 0x64, 0x98, 0x62, 0x0a]);
  const list = Buffer.concat([shiftJis, Buffer.from('A,+12125550100\n')]);
  await expect(read(list)).rejects.toMatchObject({
    code: 'LIST_HAS_NO_PHONE_COLUMN',
    message: expect.stringContaining('so the list is read as windows-1252') as string,
    hint: expect.stringMatching(/^if these names look wrong, give --encoding/) as string,
  });
  expect((await read(list, { encoding: 'shift_jis' })).list.headers).toEqual(['氏名', '電話']);
});
