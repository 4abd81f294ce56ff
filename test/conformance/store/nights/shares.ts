import { describe, expect, it } from 'vitest';
import type { Claim, ClaimRequest, Store } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { someSettings } from '../../../helpers/factory.ts';
import {
  aClaim,
  aRunningCampaign,
  claimed,
  ENTRY,
  released,
  someLeads,
  type OpenStore,
} from '../setup.ts';

const SLOTS = 10;

/** A campaign of `leads` people that is called at the service of the others. */
async function aCampaignOf(store: Store, id: string, weight: number, leads: number, from = 0) {
  const settings = { concurrency: 50, weight };
  return aRunningCampaign(store, { id, settings, leads: someLeads(leads, from) });
}

/** Claims for campaigns, and ends their calls, on one clock. */
function calling() {
  const inUse: { id: string; attemptId: string; store: Store }[] = [];
  const begun = new Map<string, number>();
  const clock = { now: START };
  return {
    inUse,
    begun,
    clock,
    claim: async (store: Store, id: string, more: Partial<ClaimRequest> = {}): Promise<Claim> => {
      const request = { campaignId: id, want: 5, serviceSlots: SLOTS, now: clock.now, ...more };
      const claim = await store.claim(aClaim(request));
      for (const { attemptId } of claim.intents) inUse.push({ id, attemptId, store });
      begun.set(id, (begun.get(id) ?? 0) + claim.intents.length);
      return claim;
    },
    /** The service refuses the call for good, so that its slot is free and nobody is called again. */
    end: async (index: number) => {
      const [call] = inUse.splice(index % inUse.length, 1);
      if (call === undefined) throw new Error('no call is in progress');
      const answer = { kind: 'rejected', at: clock.now, detail: 'no' } as const;
      await call.store.recordDial(call.attemptId, answer);
    },
  };
}

export function slotShareRules(open: OpenStore): void {
  describe('the slots of a service that campaigns share', () => {
    it('go to runners in two processes by their weights, and never beyond the limit', async () => {
      const { store, beside } = await open();
      const second = await beside();
      await aCampaignOf(store, 'cmp_a', 1, 200);
      await aCampaignOf(store, 'cmp_b', 3, 200, 1_000);
      const { claim, end, inUse, begun, clock } = calling();
      let most = 0;

      for (let round = 0; round < 100; round += 1) {
        clock.now += 250;
        await claim(store, 'cmp_a');
        await claim(second, 'cmp_b');
        most = Math.max(most, inUse.length);
        await end(round * 7);
      }
      expect(most).toBeLessThanOrEqual(SLOTS);

      const [one = 0, other = 0] = ['cmp_a', 'cmp_b'].map((id) => begun.get(id));
      expect(one + other).toBeGreaterThan(95);
      const fair = (one + other) / 4;
      expect(Math.abs(one - fair)).toBeLessThan(0.05 * fair + SLOTS / 2);
    });

    it('are kept for a campaign that was short of them, as many as are its share', async () => {
      const { store } = await open();
      await aCampaignOf(store, 'cmp_a', 1, 40);
      await aCampaignOf(store, 'cmp_b', 1, 40, 1_000);
      const { claim, end, clock } = calling();
      await claim(store, 'cmp_a', { want: 10 });
      expect(await claim(store, 'cmp_b')).toMatchObject({ shortfall: 'no_free_slot' });
      await claim(store, 'cmp_a');

      await end(0);
      // Both are short of them, and have used as much: the first by name is first.
      expect((await claim(store, 'cmp_a')).intents).toHaveLength(1);
      await end(0);
      expect(await claim(store, 'cmp_a')).toMatchObject({ intents: [], shortfall: 'share' });
      expect((await claim(store, 'cmp_b')).intents).toHaveLength(1);

      await end(0);
      await end(0);
      await end(0);
      expect(await claim(store, 'cmp_b')).toMatchObject({ shortfall: 'share' });
      clock.now += 2_000;
      expect((await claim(store, 'cmp_b')).intents).toHaveLength(2);
    });

    it('are not shared by campaigns that have as many as they want', async () => {
      const { store } = await open();
      await aCampaignOf(store, 'cmp_a', 1, 9);
      await aCampaignOf(store, 'cmp_b', 1, 9, 1_000);

      await claimed(store, 3, { campaignId: 'cmp_a', serviceSlots: SLOTS });
      await claimed(store, 7, { campaignId: 'cmp_b', serviceSlots: SLOTS });

      expect(await store.slotShares('main', START)).toEqual([
        { campaign: 'cmp_a', held: 3, wants: 0, weight: 1, share: 0.5 },
        { campaign: 'cmp_b', held: 7, wants: 43, weight: 1, share: 0.5 },
      ]);
    });

    it('are not kept for a campaign that may not begin more calls by its pace or its budget', async () => {
      const { store } = await open();
      await aCampaignOf(store, 'cmp_a', 1, 40);
      await aCampaignOf(store, 'cmp_b', 9, 40, 1_000);
      const stop = { calls: 2 };
      const settings = someSettings({ concurrency: 50, weight: 9, stop });
      await store.changeCampaign('cmp_b', { settings }, ENTRY);
      const { claim, end } = calling();
      await claim(store, 'cmp_a', { want: 10 });
      await claim(store, 'cmp_b');
      for (let call = 0; call < 6; call += 1) await end(0);

      expect((await claim(store, 'cmp_a', { want: 9 })).intents).toHaveLength(4);
      expect((await claim(store, 'cmp_b')).intents).toHaveLength(2);
      expect(await claim(store, 'cmp_b')).toMatchObject({ shortfall: 'budget' });
    });

    it('that a released call gives back are shared again', async () => {
      const { store } = await open();
      await aCampaignOf(store, 'cmp_a', 1, 40);
      await aCampaignOf(store, 'cmp_b', 1, 40, 1_000);
      const { claim, inUse } = calling();
      await claim(store, 'cmp_a', { want: 10 });
      await claim(store, 'cmp_b');
      for (const { attemptId } of inUse) await store.recordDial(attemptId, released('never_sent'));

      expect((await claim(store, 'cmp_b', { want: 9 })).intents).toHaveLength(5);
      expect((await claim(store, 'cmp_a', { want: 9 })).intents).toHaveLength(5);
    });
  });
}
