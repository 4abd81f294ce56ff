import { expect, test } from 'vitest';
import { numberFormat } from '../../../src/leads/workbook/cell-value.ts';
import { parsePhone } from '../../../src/leads/phone/parse-phone.ts';
import { listRows } from '../../../src/leads/read/list-rows.ts';
import { scanList } from '../../../src/leads/rows/first-reading.ts';
import { readRows } from '../../../src/leads/rows/add-rows.ts';
import { numbersToSuppress } from '../../../src/leads/suppression-list.ts';
import { surveyList } from '../../../src/leads/import.ts';
import { tempList } from '../temp-list.ts';

const NUMBERS = Array.from({ length: 5_000 }, (_, n) => `+1212555${String(n).padStart(4, '0')}`);

/** How often the event loop turns while the work is done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  turn();
  await work();
  isDone = true;
  return turns;
}

async function sizesOf<T>(pieces: AsyncIterable<T[]>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const piece of pieces) sizes.push(piece.length);
  return sizes;
}

test('calls beside a list get a turn after every 250 rows, also of rows that are in memory', async () => {
  const list = await scanList(tempList(`Phone\n${NUMBERS.join('\n')}\n`));
  let sizes: number[] = [];

  const turns = await turnsOf(async () => {
    sizes = await sizesOf(readRows(list, { country: null }));
  });

  expect(Math.max(...sizes)).toBeLessThanOrEqual(250);
  expect(turns).toBeGreaterThanOrEqual(20);
});

test('calls beside a list get a turn after every 20,000 characters, well-formed or not', async () => {
  const note = 'x'.repeat(10_000);
  for (const cell of [`"${note}"`, `a " ${note}`]) {
    const path = tempList(`Phone,Notes\n${`+12125550100,${cell}\n`.repeat(100)}`);
    const format = { kind: 'text', delimiter: ',', encoding: 'utf-8', guessed: true } as const;

    const sizes = await sizesOf(listRows(path, format, () => undefined));

    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(101);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
    // The first rows are judged once the columns are known.
    expect(await turnsOf(() => surveyList(path, { country: null }))).toBeGreaterThan(80);
  }
});

test('numbers to suppress come in pieces of 250 rows', async () => {
  const path = tempList(`Phone\n${NUMBERS.join('\n')}\n`);
  for await (const { phones } of numbersToSuppress(path, { country: null }))
    expect(phones.length).toBeLessThanOrEqual(250);
});

test('cells of a thousand characters to suppress are read in turns', async () => {
  const row = `"${Array.from({ length: 20 }, () => '12345;'.repeat(166)).join('","')}"`;
  const head = Array.from({ length: 20 }, (_, n) => `Phone ${n + 1}`).join(',');
  const path = tempList(`${head}\n${row}\n`);
  const turns = await turnsOf(async () => {
    for await (const { phones } of numbersToSuppress(path, { country: 'US' }))
      expect(phones).toEqual([]);
  });
  expect(turns).toBeGreaterThan(10);
});

test('a cell of thousands of numbers to suppress is read in turns, none is lost, and notes quote its begin', async () => {
  const path = tempList(`Phone\n${NUMBERS.slice(0, 2_000).join(' / ')}\n`);
  const found = new Set<string>();
  const notes: string[] = [];
  const turns = await turnsOf(async () => {
    for await (const piece of numbersToSuppress(path, { country: null })) {
      for (const phone of piece.phones) found.add(phone);
      notes.push(...piece.notes.values());
    }
  });
  expect([...found]).toEqual(expect.arrayContaining(NUMBERS.slice(0, 2_000)));
  expect(turns).toBeGreaterThan(25);
  expect(notes[0]).toMatch(/^with \+12125550000 from "\+12125550000 \/ .{20,40}\.\.\."$/);
});

// Quadratic readers need minutes for these, so that the test times out.
test('thousands of slashes, and of places in a number format, take linear time', () => {
  for (const cell of ['030 23125004/1/2/3/4/5', `030 23125004${'/1'.repeat(300)}`])
    expect(parsePhone(cell, 'DE')).toMatchObject({ ok: true, phone: '+493023125004' });
  const slashes = '1/'.repeat(499);
  for (let n = 0; n < 200; n++) expect(parsePhone(slashes, 'US').ok).toBe(false);
  expect(numberFormat('y'.repeat(400_000) + '0'.repeat(400_000))(1)).toEqual({ kind: 'number' });
});

test('a column name of a million letters is shown in part', async () => {
  const path = tempList(`${'Name '.repeat(200_000)}\nAnn\n`);
  const refused = await scanList(path).then(
    () => '',
    (error: unknown) => (error as Error).message,
  );
  expect(refused).toContain('has no phone column');
  expect(refused.length).toBeLessThan(1_000);
});

// Readers that look at all columns for each column need a minute for these, so that the test times out.
test('thousands of columns, of numbers or empty ones, take linear time, and some are named', async () => {
  const row = (cell: string) => `${`${cell},`.repeat(3_999)}${cell}\n`;
  const refused = async (list: string) =>
    scanList(tempList(list)).then(
      () => '',
      (error: unknown) => (error as Error).message,
    );
  expect(await refused(row('+12125550100').repeat(2))).toMatch(
    /column 20 "column_20" and 3980 more; only you can say/,
  );
  expect(await refused(`Phone${row('')}+12125550100${row('')}`)).toBe('');
});
