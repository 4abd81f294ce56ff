import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { importList, surveyList, type ImportOptions } from '../../src/leads/import.ts';
import type { NewId } from '../../src/runtime/random.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { ExportRow, Store } from '../../src/store/port.ts';
import { START, VirtualClock } from '../helpers/clock.ts';
import { aCampaign, CREATED, aPhone } from '../helpers/factory.ts';
import { tempFolder } from '../helpers/files/temp.ts';
import { tempList } from './temp-list.ts';

const campaign = aCampaign();
let store: Store;
let folder: string;
let options: ImportOptions;

beforeEach(async () => {
  folder = tempFolder();
  store = openSqliteStore({ path: join(folder, 'callsheet.db'), mode: 'dial' });
  onTestFinished(() => store.close());
  await store.createCampaign(campaign, CREATED);
  options = {
    country: 'US',
    clock: new VirtualClock(),
    newId: countingIds(),
    rejectsDir: join(folder, 'rejects'),
  };
});

function countingIds(): NewId {
  let count = 0;
  return (prefix) => `${prefix}_${++count}`;
}

const importFile = async (path: string, overrides: Partial<ImportOptions> = {}) => {
  const all = { ...options, ...overrides };
  const { scanned } = await surveyList(path, { country: all.country, policy: all.policy });
  return importList(store, campaign.id, scanned, all);
};

async function leads(): Promise<ExportRow[]> {
  return store.exportPage(campaign.id, null, 100_000);
}

const rejectsIn = (path: string | null) =>
  parse(readFileSync(path ?? '', 'utf8'), { relax_column_count: false });

const mixed =
  'name,phone\nAlex,+12125550100\nBlake,\n"Casey, Jr",212-555-0102\nDana,(212) 555-0100\nEden,9.19E+11\n';

test('every row is a lead or is in the rejects file, with its line and the reason', async () => {
  const path = tempList(mixed, 'spring.csv');
  const report = await importFile(path);

  expect(report).toMatchObject({
    rows: 5,
    good: 2,
    added: 2,
    alreadyThere: 0,
    rejected: 2,
    duplicates: 1,
    fictional: 2,
    resumed: false,
    byReason: { phone_missing: 1, duplicate_in_list: 1, excel_scientific: 1 },
    headers: ['name', 'phone'],
    phoneColumn: 'phone',
    list: { number: 1, path, good: 2, rejected: 2, duplicates: 1, finishedAt: START },
    rejectsPath: join(folder, 'rejects', 'spring-2026-01-05.csv'),
  });
  expect(report.examples).toContainEqual({
    line: 5,
    code: 'duplicate_in_list',
    text: 'duplicate of line 2 (+12125550100)',
  });
  expect((await leads()).map(({ phone, cursor, cells }) => [phone, cursor.line, cells])).toEqual([
    ['+12125550100', 2, ['Alex', '+12125550100']],
    ['+12125550102', 4, ['Casey, Jr', '212-555-0102']],
  ]);
  expect(rejectsIn(report.rejectsPath)).toEqual([
    ['name', 'phone', 'line', 'reason'],
    ['Blake', '', '3', 'the phone cell is empty; fill in the number'],
    ['Dana', '(212) 555-0100', '5', 'duplicate of line 2 (+12125550100)'],
    ['Eden', '9.19E+11', '6', expect.stringContaining('a spreadsheet has shortened')],
  ]);
  expect(statSync(report.rejectsPath ?? '').mode & 0o777).toBe(0o600);
});

test('a list without bad rows leaves no rejects file', async () => {
  const report = await importFile(tempList('phone\n+12125550100\n'));
  expect(report).toMatchObject({ added: 1, rejectsPath: null });
  expect(existsSync(options.rejectsDir)).toBe(false);
});

test('the mended rejects file can be imported as the next list', async () => {
  const { rejectsPath } = await importFile(tempList('name,phone\nA,+12125550100\nB,212-555\n'));
  const mended = readFileSync(rejectsPath ?? '', 'utf8').replace('212-555', '212-555-0101');
  expect(await importFile(tempList(mended, 'mended.csv'))).toMatchObject({ added: 1, rejected: 0 });
});

describe('the same bytes again', () => {
  test('are the same list: nothing is added, nothing is a duplicate of itself', async () => {
    const first = await importFile(tempList(mixed, 'spring.csv'));
    const again = await importFile(tempList(mixed, 'spring.csv'));
    expect(again).toMatchObject({
      resumed: true,
      added: 0,
      alreadyThere: 2,
      rejected: 2,
      duplicates: 1,
      byReason: first.byReason,
      rejectsPath: first.rejectsPath,
    });
    expect(await store.lists(campaign.id)).toHaveLength(1);
    expect(readdirSync(options.rejectsDir)).toEqual(['spring-2026-01-05.csv']);
  });

  test('go on where a broken-off import stopped', async () => {
    const lines = Array.from({ length: 2_500 }, (_, n) => aPhone(n));
    const path = tempList(`phone\n${lines.join('\n')}\n`);
    const stop = { done: 0, total: 0 };
    const stopping = importFile(path, {
      onProgress: (rows) => {
        Object.assign(stop, rows);
        throw new Error('killed');
      },
    });
    await expect(stopping).rejects.toThrow('killed');
    expect(stop).toEqual({ done: 1_000, total: 2_500 });
    expect((await store.lists(campaign.id))[0]?.finishedAt).toBeNull();

    expect(await importFile(path)).toMatchObject({
      added: 1_500,
      alreadyThere: 1_000,
      good: 2_500,
    });
    expect(await leads()).toHaveLength(2_500);
    expect((await store.lists(campaign.id))[0]).toMatchObject({ finishedAt: START, good: 2_500 });
  });

  test('go on where an import broke off that had a process of its own', async () => {
    const earlier = tempList(`phone\n${aPhone(9_990)}\n${aPhone(1)}\n`, 'earlier.csv');
    await importFile(earlier);
    const no = { source: 'operator', who: 'ada', note: null, expiresAt: null } as const;
    await store.suppress([{ ...no, phone: aPhone(2_400), at: START }]);
    const lines = Array.from({ length: 11_000 }, (_, n) => (n === 3_000 ? '212-555' : aPhone(n)));
    const path = tempList(`phone\n${lines.join('\n')}\n`);
    const done: number[] = [];
    const stopping = importFile(path, {
      hasOwnProcess: true,
      onProgress: (rows) => {
        done.push(rows.done);
        throw new Error('killed');
      },
    });
    await expect(stopping).rejects.toThrow('killed');
    expect(done).toEqual([10_000]);
    // All that was reported is in the database.
    expect(await leads()).toHaveLength(2 + 9_997);

    const report = await importFile(path, { hasOwnProcess: true });
    expect(report).toMatchObject({ added: 1_000, rejected: 1, duplicates: 2, suppressed: 1 });
    expect(report.examples).toContainEqual({
      line: 9_992,
      code: 'already_in_campaign',
      text: `${aPhone(9_990)} is in the campaign already (line 2 of ${earlier})`,
    });
    expect(await leads()).toHaveLength(2 + 10_997);
  });

  test('with a country take what was rejected for want of one', async () => {
    const path = tempList('phone\n+12125550100\n212-555-0101\n');
    const without = await importFile(path, { country: null });
    expect(without).toMatchObject({ added: 1, byReason: { no_country: 1 } });
    expect(await importFile(path)).toMatchObject({ added: 1, alreadyThere: 1, rejected: 0 });
  });

  test('without the country of the first time leave what was taken then', async () => {
    const path = tempList('phone\n+12125550100\n212-555-0101\n');
    await importFile(path);
    expect(await importFile(path, { country: null })).toMatchObject({
      added: 0,
      alreadyThere: 2,
      rejected: 0,
      rejectsPath: null,
    });
    expect(await importFile(path, { country: 'GB' })).toMatchObject({ added: 0, alreadyThere: 2 });
    expect(await leads()).toHaveLength(2);
  });
});

test('a row of another list on the same line is not taken for this one', async () => {
  const first = tempList('phone\n+12125550100\n555-12\n');
  await importFile(first);
  await importFile(tempList('name\tphone\n\nA\t+12125550101\n'));
  expect(await importFile(first)).toMatchObject({ alreadyThere: 1, rejected: 1 });
});

test('a number that another list has brought is a duplicate with nothing to mend, also from the same path and line', async () => {
  const path = tempList('name,phone\nA,+12125550100\n', 'daily.csv');
  await importFile(path);
  writeFileSync(path, 'name,phone\nA,212-555-0100\nB,+12125550101\n');
  const report = await importFile(path);
  expect(report).toMatchObject({ added: 1, duplicates: 1, good: 1, list: { number: 2 } });
  expect(report.examples).toEqual([
    {
      line: 2,
      code: 'already_in_campaign',
      text: `+12125550100 is in the campaign already (line 2 of ${path})`,
    },
  ]);
  expect(report.rejectsPath).toBeNull();
  expect(await importFile(path)).toMatchObject({ added: 0, alreadyThere: 1, duplicates: 1 });
});

test('another file in the rejects folder is never overwritten', async () => {
  const first = await importFile(tempList('phone\nA\n', 'x.csv'));
  const second = await importFile(tempList('phone\nB\n', 'x.csv'));
  expect(second.rejectsPath).toBe(join(options.rejectsDir, 'x-2026-01-05-2.csv'));
  expect(rejectsIn(first.rejectsPath)[1]?.[0]).toBe('A');
  expect(rejectsIn(second.rejectsPath)[1]?.[0]).toBe('B');
});

test('a rejected cell that a spreadsheet would run is guarded', async () => {
  const list = 'phone,note,also\n1,"=HYPERLINK(""x"")","x;=1+1"\n';
  const { rejectsPath } = await importFile(tempList(list));
  expect(rejectsIn(rejectsPath)[1]?.slice(1, 3)).toEqual([`'=HYPERLINK("x")`, "'x;'=1+1"]);
});

test('a fictional number is rejected where the service is live', async () => {
  const path = tempList('phone\n+12125550100\n');
  expect(await importFile(path, { refuseFictional: true })).toMatchObject({
    added: 0,
    byReason: { fictional_number: 1 },
  });
});

test('a rejects folder that cannot be written leaves the list unfinished, and the import goes on later', async () => {
  writeFileSync(options.rejectsDir, 'a file is in the way');
  const path = tempList(mixed);
  await expect(importFile(path)).rejects.toMatchObject({
    code: 'REJECTS_NOT_WRITABLE',
    exitCode: 2,
    message: expect.stringContaining(options.rejectsDir) as string,
  });
  expect((await store.lists(campaign.id))[0]?.finishedAt).toBeNull();
  const elsewhere = join(folder, 'elsewhere');
  expect(await importFile(path, { rejectsDir: elsewhere })).toMatchObject({ alreadyThere: 2 });
});

test('a list is finished only when its rejects file is in place', async () => {
  mkdirSync(join(options.rejectsDir, 'spring-2026-01-05.csv'), { recursive: true });
  await expect(importFile(tempList(mixed, 'spring.csv'))).rejects.toMatchObject({
    code: 'REJECTS_NOT_WRITABLE',
  });
  expect((await store.lists(campaign.id))[0]?.finishedAt).toBeNull();
  expect(readdirSync(options.rejectsDir)).toEqual(['spring-2026-01-05.csv']);
});

test('no list joins a campaign beside one that was broken off', async () => {
  const path = tempList('phone\n+12125550100\n');
  const cut = importFile(path, {
    onProgress: () => {
      throw new Error('killed');
    },
  });
  await expect(cut).rejects.toThrow('killed');
  await expect(importFile(tempList('phone\n+12125550101\n'))).rejects.toMatchObject({
    code: 'LIST_UNFINISHED',
    exitCode: 2,
    message: expect.stringContaining(path) as string,
  });
});

test.each(['XX', 'Atlantis'])(
  'the country %s is refused before anything is kept',
  async (country) => {
    await expect(importFile(tempList(mixed), { country })).rejects.toMatchObject({
      code: 'COUNTRY_UNKNOWN',
      exitCode: 2,
    });
    expect(await store.lists(campaign.id)).toEqual([]);
  },
);

test('a broken list leaves no trace in the campaign', async () => {
  const path = tempList(`phone,name\n+12125550100,A\n"+12125550101,B\n`);
  await expect(importFile(path)).rejects.toMatchObject({ code: 'LIST_UNREADABLE' });
  expect(await store.lists(campaign.id)).toEqual([]);
});
