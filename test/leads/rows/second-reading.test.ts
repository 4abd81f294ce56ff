import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ListRow } from '../../../src/leads/rows/list-row.ts';
import { readRows } from '../../../src/leads/rows/add-rows.ts';
import { scanList, type ScannedList } from '../../../src/leads/rows/first-reading.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { tempList } from '../temp-list.ts';

const options = { country: 'US', refuseFictional: false } as const;

async function rowsOf(path: string, rowOptions: Parameters<typeof readRows>[1] = options) {
  const rows: ListRow[] = [];
  for await (const row of readRows(await scanList(path), rowOptions)) rows.push(...row);
  return rows;
}

/** What became of each row: its line, and its number or why not. */
async function fates(content: string | Uint8Array, rowOptions = options) {
  const rows = await rowsOf(tempList(content), rowOptions);
  return rows.map((row) => [row.line, row.kind === 'good' ? row.phone : row.refusal.code]);
}

test('a scan knows bytes, columns and rows', async () => {
  const path = tempList('name,Phone\nAlex,+12125550100\n\nBlake,+12125550101\n');
  const list = await scanList(path);
  expect(list).toMatchObject({
    path,
    headers: ['name', 'Phone'],
    rows: 2,
    mapping: { phones: [1] },
  });
  expect(list.sha256).toBe(
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  );
});

test('another row of a number that was held back does not ring', async () => {
  const rows = '+12125550100,Do not call after 6pm\n+12125550100,New\n';
  const unclear = [2, 'unclear_refusal'];
  expect(await fates(`phone,Notes\n${rows}`)).toEqual([unclear, [3, 'duplicate_in_list']]);
});

describe('every row has one fate and the line it starts on', () => {
  const expected = [
    [2, '+12125550100'],
    [3, '+12125550101'],
  ];

  test.each([
    ['comma', 'name,phone\nA,+12125550100\nB,+12125550101\n'],
    ['semicolon', 'name;phone\nA;+12125550100\nB;+12125550101'],
    ['tab', 'name\tphone\nA\t+12125550100\nB\t+12125550101\n'],
    ['bar', 'name|phone\nA|+12125550100\nB|+12125550101\n'],
    ['commas inside quoted names', '"name, a, b";phone\nA;+12125550100\nB;+12125550101\n'],
    ['one column', 'phone\n+12125550100\n+12125550101\n'],
    ['CRLF', 'name,phone\r\nA,+12125550100\r\nB,+12125550101\r\n'],
    ['CR', 'name,phone\rA,+12125550100\rB,+12125550101\r'],
    ['mixed line ends', 'name,phone\rA,+12125550100\r\nB,+12125550101\n'],
    ['byte order mark', '\ufeffphone,name\n+12125550100,A\n+12125550101,B\n'],
    ['UTF-16', Buffer.from('\ufeffname,phone\nÄ,+12125550100\nB,+12125550101\n', 'utf16le')],
    [
      'UTF-16 big-endian',
      Buffer.from('\ufeffname,phone\nA,+12125550100\nB,+12125550101\n', 'utf16le').swap16(),
    ],
    ['bare quotes', 'name,phone\nAl "A" X,+12125550100\n5" pipe,+12125550101\n'],
  ])('%s', async (_, content) => {
    expect(await fates(content)).toEqual(expected);
  });

  test('a line with sep= names the delimiter and is no header', async () => {
    expect(await fates('sep=;\r\nname;phone\r\nA, B;+12125550100\r\n')).toEqual([
      [3, '+12125550100'],
    ]);
  });

  test('a quoted cell over several lines does not shift the lines after it', async () => {
    const content =
      'name,phone\r\n"Al\r\nX",+12125550100\r\n\r\n"B\n\nY, ""Z""",+12125550101\r\nC,1\r\n';
    expect(await fates(content)).toEqual([
      [2, '+12125550100'],
      [5, '+12125550101'],
      [8, 'too_short'],
    ]);
  });

  test('a line end that falls between two pieces of the file is one line end', async () => {
    const filler = 'x'.repeat(65_536 - 'name,phone\r\n,+12125550100\r'.length);
    const content = `name,phone\r\n${filler},+12125550100\r\nB,+12125550101\r\n`;
    expect(content[65_535]).toBe('\r');
    expect(await fates(content)).toEqual(expected);
  });

  test('blank lines are no rows, a row of empty cells is one', async () => {
    expect(await fates('name,phone\n\n   \n,\nA,+12125550100\n\n')).toEqual([
      [4, 'phone_missing'],
      [5, '+12125550100'],
    ]);
  });

  test('the second row with a number is a duplicate of the first, however it is written', async () => {
    const rows = await rowsOf(tempList('phone\n+12125550100\n(212) 555-0100\n'));
    expect(rows[1]).toMatchObject({
      kind: 'duplicate',
      line: 3,
      refusal: { code: 'duplicate_in_list', text: 'duplicate of line 2 (+12125550100)' },
    });
  });
});

test('a row whose cells are not below their headings is refused, empty cells at its end are nothing', async () => {
  const path = tempList(
    'phone,name,email\n+12125550100\n+12125550101,B\n+12125550102,C,c@example.com,extra,\n+12125550103,D,,,\n',
  );
  expect((await scanList(path)).headers).toEqual(['phone', 'name', 'email']);
  expect(await rowsOf(path)).toMatchObject([
    {
      kind: 'rejected',
      cells: ['+12125550100', '(missing)', '(missing)'],
      refusal: {
        code: 'short_row',
        text: 'the row has 1 cell, and there are 3 headings: "name", "email" are missing; fill in all cells, with nothing between the delimiters where one is empty',
      },
    },
    { kind: 'rejected', refusal: { code: 'short_row' } },
    {
      kind: 'rejected',
      cells: ['+12125550102', 'C', 'c@example.com', 'extra', ''],
      refusal: {
        code: 'shifted_row',
        text: 'the row has 5 cells, and there are 3 headings: a comma too many has moved the cells after it; put the cell that holds one in quotes, or give each column a heading',
      },
    },
    { kind: 'good', cells: ['+12125550103', 'D', ''], notes: [] },
  ]);
});

test('a row without its last cells is taken where they decide nothing, and noted', async () => {
  const path = tempList('phone,shoes,colour\n+12125550100\n+12125550101,42\n');
  expect(await rowsOf(path)).toMatchObject([
    {
      kind: 'good',
      cells: ['+12125550100', '', ''],
      notes: [
        { text: 'line 2 has 1 cell, but there are 3 column names; the missing ones are empty' },
      ],
    },
    { kind: 'good', cells: ['+12125550101', '42', ''], notes: [{ code: 'ragged_row' }] },
  ]);
});

test('empty cells without end, as spreadsheets write them, are no columns', async () => {
  const path = tempList(`phone${','.repeat(16_383)}\n+12125550100${','.repeat(16_383)}\n`);
  expect((await scanList(path)).headers).toEqual(['phone']);
  expect(await rowsOf(path)).toMatchObject([{ kind: 'good', cells: ['+12125550100'], notes: [] }]);
});

test('a guard before a cell is taken off again, an apostrophe that belongs there is not', async () => {
  const path = tempList(`phone,a,b,c,d\n'+12125550100,'=1+1,'tis,"'x;'=1","x;'=1"\n`);
  expect((await rowsOf(path))[0]?.cells).toEqual(['+12125550100', '=1+1', "'tis", 'x;=1', "x;'=1"]);
});

describe('the country of a row', () => {
  const content =
    'phone,country\n020 7946 0123,GB\n020 7946 0124,United Kingdom\n212-555-0100,\n212-555-0101,Atlantis\n+1 212 555 0102,Atlantis\n';

  test('outranks the one given', async () => {
    expect(await fates(content)).toEqual([
      [2, '+442079460123'],
      [3, '+442079460124'],
      [4, '+12125550100'],
      [5, 'unknown_country'],
      [6, '+12125550102'],
    ]);
  });
});

test('a fictional number is taken, and refused where a live service is to call it', async () => {
  const path = tempList('phone\n+12125550100\n');
  expect(await rowsOf(path)).toMatchObject([{ kind: 'good', fictional: true }]);
  expect(await rowsOf(path, { country: null, refuseFictional: true })).toMatchObject([
    { kind: 'rejected', refusal: { code: 'fictional_number' } },
  ]);
});

describe('a list that cannot be read is refused with the place and what is allowed', () => {
  test.each([
    ['an unclosed quote', 'a,phone\n1,2\n"Al,+12125550100\nB,3\n', /line 3 opens a quote/],
    [
      'an unclosed quote after a cell of several lines',
      'a,b,phone\r\n"x\r\ny","z,+12125550100\r\nB,c,3\r\n',
      /line 3 opens a quote/,
    ],
    [
      'a lost quote that a later one hides',
      'a,phone,c\n"Al,+12125550100,x\n"Bo",+12125550101,y\n',
      /line 2 opens a quote/,
    ],
    [
      'a row without end',
      `phone,note\n+12125550100,"${'5,6\n'.repeat(300_000)}"\n`,
      /line 2 begins a row of more than 1000000 bytes \(most likely a quote is not closed\)/,
    ],
    [
      'a row of more cells than a list has columns',
      `phone,name\n+12125550100,A\n+12125550101${',B'.repeat(4_000)}\n`,
      /has 4001 cells in line 3, and a list has at most 4000 columns/,
    ],
    ['a broken archive', 'PK\u0003\u0004rest', /is a broken archive/],
    [
      'an old workbook',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      /is an Office file of the old kind/,
    ],
    ['no text', Buffer.alloc(500), /is full of zero bytes/],
  ])('%s', async (_, content, message) => {
    await expect(scanList(tempList(content))).rejects.toMatchObject({
      code: 'LIST_UNREADABLE',
      exitCode: 2,
      message: expect.stringMatching(message) as string,
      hint: expect.any(String) as string,
    });
  });

  test('a folder', async () => {
    await expect(scanList(tempFolder())).rejects.toMatchObject({
      code: 'LIST_UNREADABLE',
      message: expect.stringContaining('is a folder') as string,
    });
  });

  test('a path through a file', async () => {
    const path = join(tempList('phone\n1\n'), 'below.csv');
    await expect(scanList(path)).rejects.toMatchObject({
      code: 'LIST_UNREADABLE',
      message: expect.stringContaining('is a file, not a folder (ENOTDIR)') as string,
    });
  });

  test('a missing file', async () => {
    const folder = tempFolder();
    await mkdir(join(folder, 'in'));
    const path = join(folder, 'in', '..', 'none.csv');
    await expect(scanList(path)).rejects.toMatchObject({
      code: 'LIST_NOT_FOUND',
      exitCode: 2,
      message: `${path} does not exist.`,
    });
  });

  test.each([
    ['', 'is empty'],
    ['\n\n', 'is empty'],
    ['name,phone\n\n', 'has column names but no rows'],
  ])('%j is empty', async (content, what) => {
    await expect(scanList(tempList(content))).rejects.toMatchObject({
      code: 'LIST_EMPTY',
      exitCode: 2,
      message: expect.stringContaining(what) as string,
    });
  });
});

describe('a list that changes after it was scanned', () => {
  const readAfterChange = async (
    content: string,
    before: (list: ScannedList) => void = () => {},
  ) => {
    const path = tempList(content);
    const list = await scanList(path);
    before(list);
    await appendFile(path, '+12125550101\n');
    const rows: ListRow[] = [];
    for await (const row of readRows(list, options)) rows.push(...row);
    return rows;
  };

  test('is imported as it was scanned', async () => {
    expect(await readAfterChange('phone\n+12125550100\n')).toHaveLength(1);
  });

  test('is refused where it is too long to be remembered, or was forgotten', async () => {
    const long = `phone\n${'n/a\n'.repeat(50_001)}`;
    await expect(readAfterChange(long)).rejects.toMatchObject({ code: 'LIST_CHANGED' });
    const short = readAfterChange('phone\n+12125550100\n', ({ memory }) => {
      memory.forget();
    });
    await expect(short).rejects.toMatchObject({ code: 'LIST_CHANGED' });
  });
});
