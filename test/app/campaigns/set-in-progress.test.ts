import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { changeSettings } from '../../../src/app/campaigns/change-settings.ts';
import {
  aClaim,
  addList,
  aRunningCampaign,
  CAMPAIGN,
  ENTRY,
  someLeads,
} from '../../conformance/store/setup.ts';
import { aCampaign, CREATED } from '../../helpers/factory.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { aDatabasePath, aStore } from '../../store/sqlite/database.ts';

it('a run in progress dials with the agent, the longest call and the needed columns that are set meanwhile', async () => {
  const path = aDatabasePath();
  const store = aStore(path);
  const world = fakeWorld({ cwd: dirname(path) });
  await aRunningCampaign(store, { id: 'cmp_other', service: 'simulated', leads: 0 });
  const before = { agent: 'ag_before' };
  const made = aCampaign({ service: 'simulated', simulated: true, settings: before });
  await store.createCampaign({ ...made, name: CAMPAIGN }, CREATED);
  await addList(store, CAMPAIGN, someLeads(2));
  await store.changeCampaign(CAMPAIGN, { state: 'running' }, ENTRY);
  const now = world.clock.now();
  const claim = aClaim({ service: 'simulated', now, want: 1 });
  await store.claim(claim);
  await store.runnerSeen(CAMPAIGN, world.owner, now, true);
  const set = (...setting: string[]) =>
    changeSettings({ db: path, campaign: CAMPAIGN, setting }, world);

  const first = await set('agent=ag_demo', 'longestCall=40m', 'skipCalled=30d');
  const { intents } = await store.claim(claim);
  expect(intents).toMatchObject([{ agent: 'ag_demo' }]);
  expect(
    (await store.heldSlots(CAMPAIGN, now)).map(({ holdsUntil }) => holdsUntil - now),
  ).toContain(2_400_000);
  const second = await set('variables=plan');

  for (const { run } of [first, second]) expect(run).toMatchObject({ keeps: [] });
});
