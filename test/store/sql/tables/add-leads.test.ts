import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../../../src/store/sqlite/open.ts';
import type { NewLead } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { aCampaign, aPhone, CREATED } from '../../../helpers/factory.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';

const campaign = aCampaign();
const lead = (n: number, line = n + 2): NewLead => ({
  phone: aPhone(n),
  line,
  cells: [`name ${n}`, aPhone(n)],
});

async function aStore() {
  const store = openSqliteStore({ path: join(tempFolder(), 'callsheet.db'), mode: 'dial' });
  onTestFinished(() => store.close());
  await store.createCampaign(campaign, CREATED);
  const begin = (id: string) =>
    store.beginList(campaign.id, { id, path: `${id}.csv`, sha256: id, headers: [], at: START });
  await begin('first');
  await begin('second');
  return store;
}

test('of many rows together those whose number is there already are told one by one', async () => {
  const store = await aStore();
  await store.addLeads('first', [lead(3), lead(40)]);
  // 60 rows, some of them a second time: line 70 repeats line 12, line 71 one at the end.
  const rows = Array.from({ length: 58 }, (_, n) => lead(n));
  rows.splice(20, 0, lead(10, 70));
  rows.push(lead(57, 71));

  const answer = await store.addLeads('second', rows);

  expect(answer.added).toBe(56);
  expect(answer.duplicates).toEqual([
    { line: 5, phone: aPhone(3), firstLine: 5, firstList: 'first.csv' },
    { line: 70, phone: aPhone(10), firstLine: 12, firstList: 'second.csv' },
    { line: 42, phone: aPhone(40), firstLine: 42, firstList: 'first.csv' },
    { line: 71, phone: aPhone(57), firstLine: 59, firstList: 'second.csv' },
  ]);
  const all = await store.exportPage(campaign.id, null, 1_000);
  expect(all).toHaveLength(58);
  expect(all.find(({ phone }) => phone === aPhone(30))).toMatchObject({
    cursor: { list: 2, line: 32 },
    cells: ['name 30', aPhone(30)],
  });
});

test('of many rows together those of suppressed numbers end at once, the others wait', async () => {
  const store = await aStore();
  const entry = { at: START, source: 'operator', note: null, who: 'op', expiresAt: null } as const;
  await store.suppress([{ phone: aPhone(7), ...entry }]);

  const answer = await store.addLeads(
    'first',
    Array.from({ length: 60 }, (_, n) => lead(n)),
  );

  expect(answer.added).toBe(59);
  expect(answer.suppressed).toMatchObject([{ line: 9, phone: aPhone(7) }]);
  expect((await store.progress(campaign.id, START)).waiting).toBe(59);
});

test('a batch of which one row cannot be kept leaves none behind', async () => {
  const store = await aStore();
  const rows = Array.from({ length: 60 }, (_, n) => lead(n));
  rows[45] = { ...lead(45), phone: 'no number' as never };
  await expect(store.addLeads('first', rows)).rejects.toThrow(/constraint/i);
  expect(await store.exportPage(campaign.id, null, 10)).toEqual([]);
});
