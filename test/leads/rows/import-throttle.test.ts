import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { importThrottle } from '../../../src/leads/rows/add-rows.ts';
import { importList, surveyList } from '../../../src/leads/import.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { aCampaign, CREATED } from '../../helpers/factory.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { tempList } from '../temp-list.ts';

const campaign = aCampaign();
const runner = { host: 'desk', boot: 'boot', pid: 7 };

async function aStore(clock: VirtualClock) {
  const store = openSqliteStore({ path: join(tempFolder(), 'callsheet.db'), mode: 'dial' });
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
