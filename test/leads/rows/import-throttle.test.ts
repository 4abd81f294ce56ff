import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { importThrottle } from '../../../src/leads/rows/add-rows.ts';
import { importList, surveyList } from '../../../src/leads/import.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { aCampaign, aPhone, CREATED } from '../../helpers/factory.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { tempList } from '../temp-list.ts';

const campaign = aCampaign();
const runner = { host: 'desk', boot: 'boot', pid: 7 };

async function aStore(clock: VirtualClock, onCommit?: () => void) {
  const path = join(tempFolder(), 'callsheet.db');
  const store = openSqliteStore({ path, mode: 'dial', ...(onCommit && { onCommit }) });
  onTestFinished(() => store.close());
  await store.createCampaign(campaign, CREATED);
  await store.changeCampaign(campaign.id, { state: 'running' }, CREATED);
  return { store, seen: () => store.runnerSeen(campaign.id, runner, clock.now()) };
}

test('beside a runner less is written at once, with a rest after each time', async () => {
  const clock = new VirtualClock();
  const { store, seen } = await aStore(clock);
  await seen();
  const pace = await importThrottle(store, clock);
  expect(pace.rows()).toBeLessThanOrEqual(50);
  const rest = pace.rest();
  await Promise.resolve();
  expect(clock.sleeping).toBe(1);
  await clock.advance(10);
  await rest;
});

test('without runners a thousand rows are written at once, and nobody rests', async () => {
  const clock = new VirtualClock();
  const { store } = await aStore(clock);
  const pace = await importThrottle(store, clock);
  expect(pace.rows()).toBe(1_000);
  await pace.rest();
  expect(clock.sleeping).toBe(0);
});

test('in a process of its own more rows are written at once, and beside a runner as few as elsewhere', async () => {
  const clock = new VirtualClock();
  const { store, seen } = await aStore(clock);
  expect((await importThrottle(store, clock, true)).rows()).toBe(10_000);
  const onServer = { ...store, name: 'postgresql://ada@db.example/calls' };
  expect((await importThrottle(onServer, clock, true)).rows()).toBe(1_000);
  await seen();
  expect((await importThrottle(store, clock, true)).rows()).toBeLessThanOrEqual(50);
});

test('in a process of its own thousands of rows are one transaction', async () => {
  const clock = new VirtualClock();
  let commits = 0;
  const { store } = await aStore(clock, () => (commits += 1));
  const path = tempList(
    `phone\n${Array.from({ length: 2_500 }, (_, n) => aPhone(n)).join('\n')}\n`,
  );
  const { scanned } = await surveyList(path, { country: null });
  commits = 0;
  const report = await importList(store, campaign.id, scanned, {
    country: null,
    clock,
    newId: (prefix) => `${prefix}_1`,
    rejectsDir: join(tempFolder(), 'rejects'),
    hasOwnProcess: true,
  });
  expect(report.added).toBe(2_500);
  // Its begin, its rows and its end.
  expect(commits).toBe(3);
});

test('a runner that comes is noticed within a second, and one that was killed is forgotten', async () => {
  const clock = new VirtualClock();
  const { store, seen } = await aStore(clock);
  const pace = await importThrottle(store, clock);
  await seen();
  await clock.advance(1_000);
  const rest = pace.rest();
  await expect.poll(() => clock.sleeping).toBe(1);
  expect(pace.rows()).toBeLessThanOrEqual(50);
  await clock.advance(60_000);
  await rest;
  await pace.rest();
  expect(pace.rows()).toBe(1_000);
});

test('an import that goes on beside a runner rests only after it has written', async () => {
  const clock = new VirtualClock();
  const { store, seen } = await aStore(clock);
  const path = tempList('phone\n+12125550100\n+12125550101\n');
  let ids = 0;
  const bring = async (file: string) =>
    importList(store, campaign.id, (await surveyList(file, { country: null })).scanned, {
      country: null,
      clock,
      newId: (prefix) => `${prefix}_${(ids += 1)}`,
      rejectsDir: join(tempFolder(), 'rejects'),
    });
  await bring(path);
  await seen();
  // Nobody moves the clock: a rest would never end.
  expect(await bring(path)).toMatchObject({ added: 0, alreadyThere: 2 });
  const more = bring(tempList('phone\n+12125550102\n'));
  await expect.poll(() => clock.sleeping).toBe(1);
  await clock.advance(10);
  expect(await more).toMatchObject({ added: 1 });
});
