import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import readXlsxFile, { readSheet } from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { csvFormat, excelFormat, type ResultFormat } from '../../../src/results/format.ts';
import { columnsOf, type ResultRow } from '../../../src/results/columns.ts';
import { workbook, xlsxFormat } from '../../../src/results/xlsx.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { examples } from '../../helpers/properties.ts';

const CUT = ' … [cut: a spreadsheet holds no more; the whole text is in the jsonl export]';

async function written(
  format: ResultFormat,
  rows: readonly (readonly string[])[],
): Promise<Buffer> {
  const columns = columnsOf(
    (rows[0] ?? []).map((_, index) => `c${index}`),
    'lead',
    false,
    null,
  ).filter(({ kind }) => kind === 'own');
  const chunks: Buffer[] = [];
  const writer = await format(columns, async (chunk) => {
    chunks.push(Buffer.from(chunk));
  });
  await writer.add(rows.map((own) => ({ own }) as unknown as ResultRow));
  await writer.end();
  return Buffer.concat(chunks);
}

const textOf = async (format: ResultFormat, rows: readonly (readonly string[])[]) =>
  (await written(format, rows)).toString();

/** Read by another program than ours. */
async function readBook(book: Buffer): Promise<(string | number | null)[][]> {
  const path = join(tempFolder(), 'book.xlsx');
  writeFileSync(path, book);
  return (await readSheet(path)) as (string | number | null)[][];
}

describe('excel', () => {
  test('begins with a byte order mark, csv does not', async () => {
    expect(await textOf(excelFormat, [['é']])).toBe('\ufeffc0\r\né\r\n');
    expect(await textOf(csvFormat, [['é']])).toBe('c0\r\né\r\n');
  });

  test('keeps plus signs, long numbers, zeros in front and times, which csv leaves bare', async () => {
    const row = ['+12005550100', '+1 200-555-0100', '12345678901234567', '0049', '3:4'];
    expect(await textOf(excelFormat, [row])).toContain(
      "\r\n'+12005550100,'+1 200-555-0100,'12345678901234567,'0049,'3:4\r\n",
    );
    expect(await textOf(csvFormat, [row])).toContain(`\r\n${row.join(',')}\r\n`);
  });

  test('cuts a cell that a spreadsheet would cut, with a mark and not through a character', async () => {
    const cellOf = async (text: string) =>
      parse(await textOf(excelFormat, [[text]]), { bom: true })[1]?.[0] ?? '';
    const fits = 'x'.repeat(32_767);
    expect(await cellOf(fits)).toBe(fits);
    const cut = await cellOf(`${fits}x`);
    expect(cut).toHaveLength(32_767);
    expect(cut.endsWith(`x${CUT}`)).toBe(true);
    // With its guard it fits, or is cut and says so.
    const formula = `=${'x'.repeat(32_765)}`;
    expect(await cellOf(formula)).toBe(`'${formula}`);
    const guarded = await cellOf(`${formula}x`);
    expect(guarded).toHaveLength(32_767);
    expect(guarded).toMatch(/^'=x+ … /);
    expect(guarded.endsWith(CUT)).toBe(true);
    // The place of the cut is in the middle of a character in one of the two.
    for (const text of ['😀'.repeat(20_000), `x${'😀'.repeat(20_000)}`]) {
      expect((await cellOf(text)).replace(CUT, '')).toMatch(/^x?(😀)+$/u);
    }
    expect(await textOf(csvFormat, [['y'.repeat(40_000)]])).toContain('y'.repeat(40_000));
  });
});

describe('xlsx', () => {
  test('is a workbook in which texts are texts and numbers are numbers', async () => {
    const wanted = ['phone', 'call_duration_seconds', 'call_reason'];
    const columns = columnsOf(['phone'], 'lead', false, wanted);
    const chunks: Buffer[] = [];
    const writer = await xlsxFormat(columns, async (chunk) => {
      chunks.push(Buffer.from(chunk));
    });
    const stored = { analytics: { durationMs: 1_500 } };
    await writer.add([{ own: ['+12005550100'], stored, reason: null } as unknown as ResultRow]);
    await writer.end();
    expect(await readBook(Buffer.concat(chunks))).toEqual([
      ['phone', 'call_duration_seconds', 'call_reason'],
      ['+12005550100', 1.5, null],
    ]);
  });

  test('brings every text through, whatever it is', async () => {
    const sign = fc.constantFrom(
      '=',
      '+',
      '0',
      'a',
      'é',
      '😀',
      '<',
      '&',
      '>',
      '"',
      ' ',
      '_x0041_',
      '\n',
      '\t',
      '\r',
      '\u0001',
    );
    const cell = fc
      .array(sign, { minLength: 1, maxLength: 6 })
      .map((parts) => `|${parts.join('')}|`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }),
        async (rows) => {
          const [, ...read] = await readBook(await written(xlsxFormat, rows));
          expect(read).toEqual(rows);
        },
      ),
      { numRuns: examples(30), seed: 4 },
    );
  });

  test('keeps a cell as long as one may be, and cuts a longer one with a mark', async () => {
    const fits = `=${'x'.repeat(32_766)}`;
    const book = await readBook(await written(xlsxFormat, [[fits, `${fits}x`]]));
    expect(book[1]?.[0]).toBe(fits);
    expect(book[1]?.[1]).toHaveLength(32_767);
    expect(String(book[1]?.[1]).endsWith(`x${CUT}`)).toBe(true);
  });

  test('replaces half characters, which nobody could read', async () => {
    const book = await readBook(await written(xlsxFormat, [['a\u0001b\rc\ud800']]));
    expect(book[1]).toEqual(['a\u0001b\rc\ufffd']);
  });

  test('goes on in another sheet where one is full', async () => {
    const rows = Array.from({ length: 5 }, (_, n) => [`r${n}`]);
    const path = join(tempFolder(), 'book.xlsx');
    writeFileSync(path, await written(workbook(2), rows));
    const sheets = (await readXlsxFile(path)) as unknown as { sheet: string; data: unknown[][] }[];
    expect(sheets.map(({ sheet, data }) => [sheet, data])).toEqual([
      ['Results', [['c0'], ['r0'], ['r1']]],
      ['Results 2', [['c0'], ['r2'], ['r3']]],
      ['Results 3', [['c0'], ['r4']]],
    ]);
    expect(readFileSync(path).subarray(0, 2).toString()).toBe('PK');
  });
});
