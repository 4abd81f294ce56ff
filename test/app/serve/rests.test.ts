import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createRests } from '../../../src/app/serve/serve-one.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { addList } from '../../conformance/store/setup.ts';
import { addCampaign } from '../../helpers/campaign-run.ts';
import { START } from '../../helpers/clock.ts';
import { aLead } from '../../helpers/factory.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

const ENTRY = { at: START, who: 'operator', what: 'campaign.changed', detail: {} };
const COUNTS = { total: 2, waiting: 2, calling: 0, open: 0 };

async function scene() {
  const store = openSqliteStore({ path: join(tempFolder(), 'callsheet.db'), mode: 'dial' });
  onTestFinished(() => store.close());
  const campaign = await addCampaign(store, { name: 'spring', from: 0, leads: 2 });
  const rests = createRests(store);
  await rests.begin(campaign, START);
  return { store, campaign, rests };
}

it('a campaign rests for five seconds after a look', async () => {
  const { campaign, rests } = await scene();
  expect(await rests.isResting(campaign, START + 4_999)).toBe(true);
  expect(await rests.isResting(campaign, START + 5_000)).toBe(false);
});

it('a campaign is looked at again at once when the wall clock was set back during its rest', async () => {
  const { campaign, rests } = await scene();
  rests.again(campaign.id, START, { until: START + 60_000, ...COUNTS });
  const now = START - 3_600_000;
  expect(await rests.isResting(campaign, now)).toBe(false);
  await rests.begin(campaign, now);
  expect(rests.isIdle(campaign.id, now, COUNTS)).toBe(false);
});

it('a new list ends the rest at once', async () => {
  const { store, campaign, rests } = await scene();
  await addList(store, campaign.id, [aLead(9)], { id: 'list_9', sha256: 'hash 9' });
  expect(await rests.isResting(campaign, START + 1)).toBe(false);
});

it('a changed setting ends the rest at once, also what its run has found', async () => {
  const { store, campaign, rests } = await scene();
  rests.again(campaign.id, START, { until: START + 3_600_000, ...COUNTS });
  await rests.begin(campaign, START + 5_000);
  expect(rests.isIdle(campaign.id, START + 5_001, COUNTS)).toBe(true);
  const settings = { ...campaign.settings, concurrency: 9 };
  const changed = await store.changeCampaign(campaign.id, { settings }, ENTRY);
  expect(await rests.isResting(changed, START + 5_001)).toBe(false);
  await rests.begin(changed, START + 5_001);
  expect(rests.isIdle(campaign.id, START + 5_002, COUNTS)).toBe(false);
});

it('a campaign for which there is nothing to do is looked at when somebody else waits, or the time has come', async () => {
  const { campaign, rests } = await scene();
  rests.again(campaign.id, START, { until: START + 60_000, ...COUNTS });
  expect(rests.isIdle(campaign.id, START + 59_999, COUNTS)).toBe(true);
  expect(rests.isIdle(campaign.id, START + 60_000, COUNTS)).toBe(false);
  expect(rests.isIdle(campaign.id, START + 1, { ...COUNTS, waiting: 3 })).toBe(false);
  expect(rests.isIdle(campaign.id, START + 1, { ...COUNTS, open: 1 })).toBe(false);
});
