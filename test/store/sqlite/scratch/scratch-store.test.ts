import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../src/domain/time-units.ts';
import type { DialRecord, Store } from '../../../../src/store/port.ts';
import { openScratchStore } from '../../../../src/store/sqlite/scratch/scratch-store.ts';
import { aPolicy } from '../../../conformance/store/calling/policies.ts';
import {
  aClaim,
  addList,
  aPlacedCall,
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  dialled,
  ENTRY,
  placed,
  released,
  someLeads,
  unknown,
} from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aCampaign, aLead, aPhone, CREATED, someSettings } from '../../../helpers/factory.ts';
import { aDatabasePath, aStore } from '../database.ts';

describe('a scratch store', () => {
  it('claims whom the database would, after calls of other campaigns and by the same caps', async () => {
    const { path, store } = aDatabase();
    await called(store, 'cmp_a', 0, placed('call_a'));
    await called(store, 'cmp_b', 1, released('never_sent'));
    await called(store, 'cmp_c', 2, unknown());
    await capped(store, 4);
    const scratch = await aCopy(path);

    const request = aClaim({ want: 4, now: START + HOUR_MS, slots: 50 });
    const inScratch = await scratch.store.claim(request);
    const inReal = await store.claim(request);
    expect(phones(inScratch)).toEqual([aPhone(1), aPhone(3)]);
    expect(phones(inReal)).toEqual(phones(inScratch));
    expect(inScratch.askAgainAt).toBe(inReal.askAgainAt);
  });

  it('knows who of a list that came in here is suppressed', async () => {
    const { path, store } = aDatabase();
    await aRunningCampaign(store, { leads: 1 });
    const entry = { at: START, note: null, who: 'operator', expiresAt: null };
    await store.suppress([{ ...entry, phone: aPhone(5), source: 'operator' }]);
    const scratch = await aCopy(path, 2);

    const claim = await scratch.store.claim(aClaim({ want: 3 }));
    expect(phones(claim)).toEqual([aPhone(0), aPhone(6)]);
    const why = expect.stringContaining('on the suppression list') as string;
    expect(scratch.neverCalled()).toEqual([
      { state: 'done', result: 'suppressed', why, people: 1 },
    ]);
  });

  it('takes lists of its own, beside people whom other campaigns have called', async () => {
    const { path, store } = aDatabase();
    await called(store, 'cmp_a', 5, placed('call_a'));
    await capped(store, 2);
    const scratch = await aCopy(path, 2);

    const claim = await scratch.store.claim(aClaim({ want: 4 }));
    expect(phones(claim)).toEqual([aPhone(0), aPhone(1), aPhone(6)]);
  });

  it('counts its people as they are here', async () => {
    const { path, store } = aDatabase();
    await aRunningCampaign(store, { leads: 3 });
    await aPlacedCall(store);
    const scratch = await aCopy(path);

    expect(await scratch.store.peopleCounts(CAMPAIGN)).toMatchObject({
      total: 3,
      byState: { waiting: 2, calling: 0, done: 1 },
      byResult: { no_result: 1 },
    });
    expect(await scratch.store.zonesOf(CAMPAIGN)).toEqual(await store.zonesOf(CAMPAIGN));
  });

  it('has no call in progress: nobody is called a second time, and no result is waited for', async () => {
    const { path, store } = aDatabase();
    await aRunningCampaign(store, { leads: 2 });
    await aPlacedCall(store);
    const scratch = await aCopy(path);

    expect(await scratch.store.progress(CAMPAIGN, START)).toMatchObject({
      waiting: 1,
      calling: 0,
      open: 0,
    });
    expect(phones(await scratch.store.claim(aClaim({ want: 2 })))).toEqual([aPhone(1)]);
  });

  it('has used of the budgets what the database has', async () => {
    const { path, store } = aDatabase();
    await aRunningCampaign(store, { leads: 2, settings: { stop: { total: { calls: 2 } } } });
    await aPlacedCall(store);
    const scratch = await aCopy(path);

    expect(await scratch.store.budget(CAMPAIGN, START)).toMatchObject({
      campaign: { calls: 1, open: 0, stuck: 1 },
      more: 1,
    });
  });

  it('changes nothing in the database from which it copies', async () => {
    const { path, store } = aDatabase();
    await called(store, 'cmp_a', 0, placed('call_a'));
    await capped(store, 2);
    await store.close();
    const before = readFileSync(path);

    const scratch = await aCopy(path);
    await scratch.store.claim(aClaim());
    await scratch.store.suppress([
      { at: START, note: null, who: 'o', expiresAt: null, phone: aPhone(9), source: 'operator' },
    ]);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('begins anew from its image as often as one likes', async () => {
    const { path, store } = aDatabase();
    await aRunningCampaign(store, { leads: 3 });
    const scratch = openScratchStore();
    scratch.copyCampaign(path, CAMPAIGN);
    scratch.copyWhatCounts(path, CAMPAIGN);
    const image = scratch.image();
    await scratch.store.close();

    for (let time = 0; time < 2; time++) {
      const again = openScratchStore({ image });
      expect(again.begin(CAMPAIGN)).toBe(3);
      await claimedOne(again.store);
      expect(again.calls()).toEqual([
        { at: START, person: expect.any(Number) as number, settledAt: null, result: null },
      ]);
      await again.store.close();
    }
  });
});

const ONE_A_DAY = { caps: [{ calls: 1, perMs: DAY_MS }] };

function aDatabase() {
  const path = aDatabasePath();
  return { path, store: aStore(path) };
}

/** @param more people of a list that is imported here, from the sixth on */
async function aCopy(path: string, more = 0) {
  const scratch = openScratchStore();
  onTestFinished(() => scratch.store.close());
  scratch.copyCampaign(path, CAMPAIGN);
  const list = { id: 'list_2', sha256: 'bb22' };
  if (more > 0) await addList(scratch.store, CAMPAIGN, someLeads(more, 5), list);
  scratch.copyWhatCounts(path, CAMPAIGN);
  scratch.begin(CAMPAIGN);
  return scratch;
}

/** A campaign with one call a day to a number, and so many people. */
async function capped(store: Store, people: number): Promise<void> {
  const settings = someSettings({ policy: aPolicy(ONE_A_DAY), concurrency: 50 });
  await store.createCampaign(aCampaign({ settings }), CREATED);
  await addList(store, CAMPAIGN, someLeads(people));
  await store.changeCampaign(CAMPAIGN, { state: 'running' }, ENTRY);
}

/** Another campaign that has called a person, with this answer to the dial. */
async function called(store: Store, id: string, lead: number, answer: DialRecord): Promise<void> {
  await aRunningCampaign(store, { id, leads: [aLead(lead, { line: 2 })] });
  await dialled(store, answer, { campaignId: id });
}

function phones({ intents }: { intents: { phone: string }[] }): string[] {
  return intents.map(({ phone }) => phone);
}
