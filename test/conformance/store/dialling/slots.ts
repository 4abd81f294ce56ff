import { describe, expect, it } from 'vitest';
import type { DialRecord } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { someSettings } from '../../../helpers/factory.ts';
import {
  aClaim,
  aPlacedCall,
  aRunningCampaign,
  aRunningStore,
  aSweep,
  CAMPAIGN,
  claimed,
  claimedOne,
  dialled,
  ENTRY,
  placed,
  rejected,
  released,
  someLeads,
  unknown,
  type OpenStore,
} from '../setup.ts';

const LONGEST_CALL_MS = 60_000;
const NO_FREE_SLOT = { intents: [], shortfall: 'no_free_slot', askAgainAt: null };
const settings = { concurrency: 1, longestCallMs: LONGEST_CALL_MS };

export function slotRules(open: OpenStore): void {
  describe('slots', () => {
    it("are the operator's concurrency at most, whatever the runner allows itself", async () => {
      const store = await aRunningStore(open, { settings: { concurrency: 3 } });

      const claim = await store.claim(aClaim({ want: 5, slots: 100 }));

      expect(claim.intents).toHaveLength(3);
      expect(claim.shortfall).toBe('no_free_slot');
    });

    it('are as many as were set last, which every claim says', async () => {
      const { store } = await open();
      const { settings: before } = await aRunningCampaign(store, { settings: { concurrency: 3 } });
      const set = (concurrency: number, requests: number) =>
        store.changeCampaign(CAMPAIGN, { settings: { ...before, concurrency, requests } }, ENTRY);
      await set(1, 1);
      const fewer = await store.claim(aClaim({ want: 5, slots: 100 }));
      const full = await store.claim(aClaim({ want: 5, slots: 100 }));
      await set(4, 2);
      const more = await store.claim(aClaim({ want: 5, slots: 100 }));
      await store.changeCampaign(CAMPAIGN, { state: 'cancelled' }, ENTRY);
      const over = await store.claim(aClaim());

      expect([fewer, full, more, over].map(({ intents }) => intents.length)).toEqual([1, 0, 3, 0]);
      const [one, four] = [
        { concurrency: 1, requests: 1 },
        { concurrency: 4, requests: 2 },
      ];
      expect([fewer, full, more, over].map((claim) => claim.settings)).toEqual([
        ...[one, one],
        ...[four, four],
      ]);
    });

    it('are fewer when the runner holds back', async () => {
      const store = await aRunningStore(open, { settings: { concurrency: 5 } });

      expect((await store.claim(aClaim({ want: 5, slots: 2 }))).intents).toHaveLength(2);
      expect(await store.claim(aClaim({ want: 5, slots: 2 }))).toMatchObject(NO_FREE_SLOT);
      expect(await store.claim(aClaim({ want: 5, slots: 1 }))).toMatchObject(NO_FREE_SLOT);
    });

    it.each<[string, DialRecord | undefined]>([
      ['an intent', undefined],
      ['a placed call', placed('call_1')],
      ['an unknown attempt', unknown()],
    ])('are held by %s until the longest call is over', async (_, answer) => {
      const store = await aRunningStore(open, { settings });
      const { attemptId } = await claimedOne(store);
      if (answer !== undefined) await store.recordDial(attemptId, answer);
      const freeAt = START + LONGEST_CALL_MS;

      expect(await store.claim(aClaim({ now: freeAt - 1 }))).toMatchObject(NO_FREE_SLOT);
      await claimedOne(store, { now: freeAt });
    });

    it('are held by an unconfirmed attempt until the longest call is over', async () => {
      const store = await aRunningStore(open, { settings });
      await dialled(store, unknown());
      const sweep = { settings: someSettings({ reconcileForMs: 10_000 }), now: START + 20_000 };
      expect(await store.sweep(aSweep(sweep))).toMatchObject({ unconfirmed: 1 });

      const freeAt = START + LONGEST_CALL_MS;
      expect(await store.claim(aClaim({ now: freeAt - 1 }))).toMatchObject(NO_FREE_SLOT);
      await claimedOne(store, { now: freeAt });
    });

    it.each<[string, DialRecord]>([
      ['a rejected attempt', rejected()],
      ['a released attempt', released('never_sent')],
    ])('are not held by %s', async (_, answer) => {
      const store = await aRunningStore(open, { settings });
      const { attemptId } = await claimedOne(store);

      await store.recordDial(attemptId, answer);

      await claimedOne(store);
    });

    it('are free as soon as the line is down, before the analytics are there', async () => {
      const store = await aRunningStore(open, { settings });
      const { attemptId } = await aPlacedCall(store);

      await store.recordPoll(attemptId, {
        kind: 'ended',
        at: START + 500,
        nextPollAt: START + 900,
      });

      await claimedOne(store);
    });

    it('may be overdrawn by late evidence, and then nobody is called until they are free', async () => {
      const store = await aRunningStore(open, { settings: { ...settings, concurrency: 2 } });
      await claimed(store, 2);

      const { settings: stored } = (await store.findCampaign(CAMPAIGN)) ?? {};
      const fewer = { ...someSettings(stored), concurrency: 1 };
      await store.changeCampaign(CAMPAIGN, { settings: fewer }, ENTRY);

      expect(await store.claim(aClaim())).toMatchObject(NO_FREE_SLOT);
    });
  });

  describe("a service's slots", () => {
    it('are shared by its campaigns', async () => {
      const store = await aRunningStore(open);
      await aRunningCampaign(store, { id: 'cmp_b' });
      const limit = { want: 5, serviceSlots: 4 };
      await claimed(store, 3);

      const other = await store.claim(aClaim({ ...limit, campaignId: 'cmp_b' }));
      expect(other.intents).toHaveLength(1);
      expect(other.shortfall).toBe('no_free_slot');
      expect(await store.claim(aClaim(limit))).toMatchObject(NO_FREE_SLOT);
    });

    it('are one limit for all who call at one moment', async () => {
      const { store, beside } = await open();
      const other = await beside();
      await aRunningCampaign(store, { leads: 9 });
      await aRunningCampaign(store, { id: 'cmp_b', leads: someLeads(9, 9) });
      const limit = { want: 3, serviceSlots: 4 };
      const both = await Promise.all([
        store.claim(aClaim(limit)),
        other.claim(aClaim({ ...limit, campaignId: 'cmp_b' })),
      ]);
      expect(both.flatMap(({ intents }) => intents)).toHaveLength(4);
    });

    it('are not used up by calls at another service', async () => {
      const store = await aRunningStore(open);
      await aRunningCampaign(store, { id: 'cmp_b', service: 'other' });
      await claimed(store, 3);

      const there = { campaignId: 'cmp_b', service: 'other', serviceSlots: 2 };
      expect((await store.claim(aClaim({ ...there, want: 5 }))).intents).toHaveLength(2);
    });
  });
}
