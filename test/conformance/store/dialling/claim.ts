import { describe, expect, it } from 'vitest';
import type { CampaignChange } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { aPhone } from '../../../helpers/factory.ts';
import {
  aClaim,
  aList,
  aRunningCampaign,
  aRunningStore,
  CAMPAIGN,
  claimed,
  claimedOne,
  dialled,
  ENTRY,
  exported,
  placed,
  released,
  rowOf,
  someLeads,
  type OpenStore,
} from '../setup.ts';

export function claimRules(open: OpenStore): void {
  describe('claim', () => {
    it('gives as many as are wanted, in list order, each once', async () => {
      const store = await aRunningStore(open, { leads: someLeads(5).reverse() });

      const first = await store.claim(aClaim({ want: 2 }));
      const second = await store.claim(aClaim({ want: 3 }));

      expect(first.shortfall).toBeNull();
      expect([...first.intents, ...second.intents].map(({ phone }) => phone)).toEqual(
        [0, 1, 2, 3, 4].map(aPhone),
      );
    });

    it('gives all that a dial needs', async () => {
      const store = await aRunningStore(open, { settings: { agent: 'ag_7' }, leads: 1 });

      const intent = await claimedOne(store, { now: START + 5 });

      expect(intent).toEqual({
        attemptId: expect.stringMatching(/./) as string,
        key: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        phone: aPhone(0),
        agent: 'ag_7',
        ordinal: 1,
        intentAt: START + 5,
      });
      expect(await rowOf(store, intent)).toMatchObject({
        state: 'calling',
        attempts: 1,
        firstAttemptAt: START + 5,
        attempt: { state: 'intent', intentAt: START + 5, callId: null, agent: 'ag_7' },
      });
    });

    it.each<[string, CampaignChange]>([
      ['a draft', { state: 'draft' }],
      ['paused', { pause: { reason: 'operator', detail: '' } }],
      ['cancelled', { state: 'cancelled' }],
    ])('gives nothing while the campaign is %s', async (_state, change) => {
      const store = await aRunningStore(open);
      await store.changeCampaign(CAMPAIGN, change, ENTRY);

      expect(await store.claim(aClaim())).toMatchObject({
        intents: [],
        shortfall: 'not_running',
        askAgainAt: null,
      });
    });

    it('gives nothing while a list of the campaign is half imported', async () => {
      const store = await aRunningStore(open);
      await store.beginList(CAMPAIGN, aList({ id: 'list_2', sha256: 'bb22' }));

      expect(await store.claim(aClaim())).toMatchObject({
        intents: [],
        shortfall: 'list_unfinished',
      });

      await store.finishList('list_2', { good: 0, rejected: 0, duplicates: 0 });
      await claimedOne(store);
    });

    it('says when nobody waits any more', async () => {
      const store = await aRunningStore(open, { leads: 2 });

      expect(await store.claim(aClaim({ want: 3 }))).toMatchObject({ shortfall: 'none_waiting' });
      expect(await store.claim(aClaim())).toMatchObject({
        intents: [],
        shortfall: 'none_waiting',
        askAgainAt: null,
      });
    });

    it('leaves a released lead until its time and says when that is', async () => {
      const store = await aRunningStore(open, { leads: 2 });
      const { phone } = await dialled(store, released('refused_without_effect', START + 5_000));

      const early = await store.claim(aClaim({ want: 2, now: START + 4_999 }));
      expect(early.intents.map((intent) => intent.phone)).toEqual([aPhone(1)]);
      expect(early).toMatchObject({ shortfall: 'not_yet_due', askAgainAt: START + 5_000 });
      expect(await store.claim(aClaim({ now: START + 4_999 }))).toMatchObject({
        intents: [],
        shortfall: 'not_yet_due',
        askAgainAt: START + 5_000,
      });

      expect(await claimedOne(store, { now: START + 5_000 })).toMatchObject({ phone });
    });

    it('repeats the idempotency key after a release without effect, as a new attempt', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const first = await dialled(store, released('refused_without_effect'));
      const second = await dialled(store, released('never_sent'));
      const third = await claimedOne(store);

      expect([second.key, third.key]).toEqual([first.key, first.key]);
      expect([second.ordinal, third.ordinal]).toEqual([1, 1]);
      const ids = [first, second, third].map(({ attemptId }) => attemptId);
      expect(new Set(ids).size).toBe(3);
    });

    it('has another idempotency key for every number and campaign', async () => {
      const store = await aRunningStore(open, { leads: 2 });
      await aRunningCampaign(store, { id: 'cmp_b', leads: 2 });

      const here = await claimed(store, 2);
      const there = await claimed(store, 2, { campaignId: 'cmp_b' });

      expect(here.map(({ phone }) => phone)).toEqual(there.map(({ phone }) => phone));
      expect(new Set([...here, ...there].map(({ key }) => key)).size).toBe(4);
    });

    it('never shares a lead between two runners, nor gives more than the slots hold', async () => {
      const { store, beside } = await open();
      await aRunningCampaign(store, { settings: { concurrency: 25 }, leads: 40 });
      const other = await beside();

      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 ? store : other).claim(aClaim({ want: 3 }))),
      );

      const phones = claims.flatMap(({ intents }) => intents.map(({ phone }) => phone));
      expect(phones).toHaveLength(25);
      expect(new Set(phones).size).toBe(25);
    });

    it('keeps what it gave through a restart', async () => {
      const { store, reopen } = await open();
      await aRunningCampaign(store, { leads: 2 });
      const before = await claimedOne(store);

      const again = await reopen();

      expect(await claimedOne(again)).not.toMatchObject({ phone: before.phone });
      expect(await exported(again)).toMatchObject([{ state: 'calling' }, { state: 'calling' }]);
    });
  });

  describe("a campaign's pace", () => {
    const settings = { concurrency: 100, pace: { count: 10, perMs: 1_000 } };

    it('is not exceeded, and it says when to ask again', async () => {
      const store = await aRunningStore(open, { settings, leads: 30 });
      await claimedOne(store);

      const claim = await store.claim(aClaim({ want: 5, now: START + 10 }));
      expect(claim).toMatchObject({ intents: [], shortfall: 'pace' });
      expect(claim.askAgainAt).toBeGreaterThan(START + 10);
      expect(claim.askAgainAt).toBeLessThanOrEqual(START + 100);

      const now = claim.askAgainAt ?? 0;
      expect(await store.claim(aClaim({ want: 5, now }))).toMatchObject({ shortfall: 'pace' });
      const held = await store.heldSlots(CAMPAIGN, now);
      expect(held).toHaveLength(2);
    });

    it('is shared by all runners', async () => {
      const { store, beside } = await open();
      await aRunningCampaign(store, { settings, leads: 60 });
      const stores = [store, await beside()];

      for (let now = START; now < START + 2_000; now += 50) {
        await Promise.all(stores.map((each) => each.claim(aClaim({ want: 5, now }))));
      }

      const { calling } = await store.progress(CAMPAIGN, START + 2_000);
      expect(calling).toBeGreaterThanOrEqual(20);
      expect(calling).toBeLessThanOrEqual(21);
    });

    it('that was changed holds from the next claim on', async () => {
      const { store } = await open();
      const slow = { ...settings, pace: { count: 1, perMs: 3_600_000 } };
      const { settings: stored } = await aRunningCampaign(store, { settings: slow });
      await claimedOne(store);
      const faster = { ...stored, pace: settings.pace };
      await store.changeCampaign(CAMPAIGN, { settings: faster }, ENTRY);

      const { askAgainAt } = await store.claim(aClaim({ now: START + 1_000 }));

      expect(askAgainAt).toBe(START + 1_100);
      await claimedOne(store, { now: START + 1_100 });
    });

    it('is not used up by leads that are not there', async () => {
      const store = await aRunningStore(open, { settings, leads: 1 });
      await dialled(store, placed('call_1'), { now: START });

      await store.claim(aClaim({ want: 5, now: START + 1_000 }));
      await store.beginList(CAMPAIGN, aList({ id: 'list_2', sha256: 'bb22' }));
      await store.addLeads('list_2', someLeads(1, 1));
      await store.finishList('list_2', { good: 1, rejected: 0, duplicates: 0 });

      await claimedOne(store, { now: START + 1_001 });
    });
  });
}
