import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { listBytes } from '../../../src/leads/read/list-bytes.ts';
import { readRows } from '../../../src/leads/rows/add-rows.ts';
import { scanList, type ScanOptions } from '../../../src/leads/rows/first-reading.ts';
import { tempList } from '../temp-list.ts';
import { zipOf } from './zip-of.ts';

const LIST = 'name,phone\nA,+12125550100\nB,+12125550101\n';
const options = { country: 'US', refuseFictional: false } as const;

async function cellsOf(path: string, scan: ScanOptions = {}) {
  const cells: string[][] = [];
  for await (const rows of readRows(await scanList(path, scan), options))
    cells.push(...rows.map((row) => row.cells));
  return cells;
}

test('a list comes in as it is, as .gz and as the only list in a .zip, and is the same list', async () => {
  const plain = await scanList(tempList(LIST));
  const packed = [
    tempList(gzipSync(LIST), 'leads.csv.gz'),
    tempList(
      zipOf({ 'leads.csv': LIST, '__MACOSX/._leads.csv': 'x', '.hidden': 'y' }),
      'leads.zip',
    ),
  ];
  for (const path of packed) {
    expect(await cellsOf(path)).toEqual([
      ['A', '+12125550100'],
      ['B', '+12125550101'],
    ]);
    expect((await scanList(path)).sha256).toBe(plain.sha256);
  }
});

test('a .zip with several lists, with none, or that lies about its size is refused', async () => {
  const refused = async (bytes: Buffer, message: RegExp) => {
    await expect(scanList(tempList(bytes, 'leads.zip'))).rejects.toMatchObject({
      code: 'LIST_UNREADABLE',
      message: expect.stringMatching(message) as string,
    });
  };
  await refused(
    zipOf({ 'a.csv': LIST, 'b.csv': LIST }),
    /holds 2 files \(a\.csv, b\.csv\), and one list is wanted/,
  );
  await refused(zipOf({ '.hidden': LIST }), /holds no file/);
  await refused(
    zipOf({ 'a.csv': LIST }, (text) => text.length - 10),
    /cannot be read \(too many bytes/,
  );
});

test('an archive of half a million files is refused before they are read', async () => {
  const { archiveOf } = (await import(
    new URL('../../bench/hostile/archive.mjs', import.meta.url).href
  )) as { archiveOf: (files: number, names: string, first?: string) => Buffer };
  const refused = async (bytes: Buffer, what: string) => {
    const path = tempList(bytes, 'leads.zip');
    await expect(scanList(path)).rejects.toMatchObject({
      code: 'LIST_UNREADABLE',
      message: `${path} holds ${what}; a list is CSV text, also as .gz or .zip, or a workbook (.xlsx).`,
      hint: 'unpack it and give the list in it; save a sheet of a workbook as "CSV UTF-8"',
    });
  };
  const many = '500000 files, and 5000 are read at most';
  await refused(archiveOf(500_000, 'a'), many);
  await refused(archiveOf(500_000, 'xl/media/image', '[Content_Types].xml'), many);
  await refused(archiveOf(1_000, 'a'.repeat(20_000)), 'names of more than 10000000 bytes');
});

test('an archive that unpacks to more than anybody has leads is left at once', async () => {
  const bomb = tempList(gzipSync(Buffer.alloc(10_000_000, 'a')), 'bomb.csv.gz');
  let read = 0;
  const all = async () => {
    for await (const piece of listBytes(bomb, 1_000_000)) read += piece.length;
  };
  await expect(all()).rejects.toMatchObject({
    code: 'LIST_UNREADABLE',
    message: expect.stringContaining('unpacks to more than 1000000 bytes') as string,
  });
  expect(read).toBeLessThanOrEqual(1_000_000);
});

test('a broken .gz is refused', async () => {
  const path = tempList(gzipSync(LIST).subarray(0, 30), 'leads.csv.gz');
  await expect(scanList(path)).rejects.toMatchObject({ code: 'LIST_UNREADABLE' });
});

test('a workbook gives its numbers whole, its days as days, and the sheet that is named', async () => {
  const people = [
    ['name', 'phone', 'since', 'ok'].map((value) => ({ value })),
    [
      { value: 'A' },
      { type: Number, value: 12125550100 },
      { type: Date, value: new Date('2026-01-05T00:00:00Z'), format: 'yyyy-mm-dd' },
      { type: Boolean, value: true },
    ],
  ];
  const other = [[{ value: 'phone' }], [{ value: '+12125550101' }]];
  const written = writeWorkbook(
    [
      { data: people, sheet: 'People' },
      { data: other, sheet: 'Other' },
    ] as never,
    {} as never,
  );
  const path = tempList('', 'people.xlsx');
  await (written as unknown as { toFile: (path: string) => Promise<void> }).toFile(path);
  expect(readFileSync(path).subarray(0, 2).toString()).toBe('PK');

  expect(await cellsOf(path)).toEqual([['A', '12125550100', '2026-01-05', 'TRUE']]);
  expect(await cellsOf(path, { sheet: 'Other' })).toEqual([['+12125550101']]);
  await expect(scanList(path, { sheet: 'Nobody' })).rejects.toMatchObject({
    code: 'SHEET_UNKNOWN',
    message: `${path} has no sheet "Nobody"; it has "People", "Other".`,
  });
});
