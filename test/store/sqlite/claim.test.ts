import { describe, expect, it } from 'vitest';
import {
  aClaim,
  aRunningCampaign,
  aSweep,
  CAMPAIGN,
  claimedOne,
  rejected,
  rowOf,
  unknown,
} from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aPhone } from '../../helpers/factory.ts';
import { shortHash } from '../../../src/runtime/ids.ts';
import { aDatabasePath, aStore, change } from './database.ts';

describe('a claim', () => {
  it('has a new key, a hash of campaign, number and count, after a spent attempt', async () => {
    const path = aDatabasePath();
    const store = aStore(path);
    await aRunningCampaign(store, { leads: 1 });
    const first = await claimedOne(store);
    await store.recordDial(first.attemptId, rejected());
    // No rule lets a person be called again yet: put the lead back by hand.
    change(path, "UPDATE leads SET state = 'waiting', result = NULL, result_source = NULL");

    const second = await claimedOne(store);

    expect(first).toMatchObject({ ordinal: 1, key: shortHash([CAMPAIGN, aPhone(0), 1]) });
    expect(second).toMatchObject({ ordinal: 2, key: shortHash([CAMPAIGN, aPhone(0), 2]) });
  });

  it('is refused by the database where a lead is waiting beside an open attempt', async () => {
    const path = aDatabasePath();
    const store = aStore(path);
    await aRunningCampaign(store, { leads: 1 });
    await claimedOne(store);
    change(path, `UPDATE leads SET state = 'waiting' WHERE campaign_id = '${CAMPAIGN}'`);

    await expect(store.claim(aClaim())).rejects.toThrow('attempts.lead_row');
  });

  it('stays as it is when the answer of an earlier attempt comes late', async () => {
    const path = aDatabasePath();
    const store = aStore(path);
    await aRunningCampaign(store, { leads: 1 });
    const first = await claimedOne(store);
    await store.recordDial(first.attemptId, unknown());
    await store.sweep(aSweep({ now: START + 600_000 }));
    change(path, "UPDATE leads SET state = 'waiting', result = NULL, result_source = NULL");
    const second = await claimedOne(store);

    expect(await store.recordDial(first.attemptId, rejected())).toBe('moved');

    expect(await rowOf(store, second)).toMatchObject({ state: 'calling', attempts: 2 });
    expect(await store.claim(aClaim())).toMatchObject({ hold: 'none_waiting' });
  });
});
