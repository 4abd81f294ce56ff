import { expect, test } from 'vitest';
import {
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  unknown,
} from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aDatabasePath, aStore, change } from '../database.ts';

test('who left a list stays out where a call of theirs may have rung, also if the tables say so against all rules', async () => {
  const path = aDatabasePath();
  const store = aStore(path);
  await aRunningCampaign(store, { leads: 1 });
  const { attemptId, phone } = await claimedOne(store);
  await store.recordDial(attemptId, unknown());
  change(
    path,
    `UPDATE leads SET state = 'done', result = 'cancelled', result_source = 'callsheet', reason = 'left_list'
     WHERE state = 'calling'`,
  );

  expect(await store.leftPhones(CAMPAIGN, null, 9)).toEqual([phone]);
  expect(await store.waitAgain(CAMPAIGN, [phone], START)).toBe(0);
});

test('a campaign that an older callsheet has cancelled is brought back unless somebody was called after that', async () => {
  const path = aDatabasePath();
  const store = aStore(path);
  await aRunningCampaign(store, { leads: 1 });
  const entry = { at: START, who: 'x', what: 'campaign.cancelled', detail: {} };
  await store.changeCampaign(CAMPAIGN, { state: 'cancelled' }, entry);
  change(path, 'UPDATE campaigns SET cancelled_after = NULL');

  expect(await store.undoCancel(CAMPAIGN, entry)).toMatchObject({ kind: 'undone' });
});
