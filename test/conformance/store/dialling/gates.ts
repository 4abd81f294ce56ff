import { describe, expect, it } from 'vitest';
import { START } from '../../../helpers/clock.ts';
import {
  aClaim,
  aRunningStore,
  CAMPAIGN,
  claimed,
  claimedOne,
  dialled,
  ENTRY,
  type OpenStore,
} from '../setup.ts';

export function gateRules(open: OpenStore): void {
  describe('claimGates', () => {
    const NOW = START + 1_000;
    const QUERY = { campaignId: CAMPAIGN, serviceSlots: null, now: NOW };

    it('finds nothing where a claim would call', async () => {
      const store = await aRunningStore(open);

      expect(await store.claimGates(QUERY)).toEqual([]);
      await claimedOne(store, { now: NOW });
    });

    it('says until when the service asked for no calls', async () => {
      const store = await aRunningStore(open);
      await dialled(store, { ...refused, backoffMs: 60_000 });

      const gates = await store.claimGates(QUERY);

      expect(gates).toEqual([{ why: 'service_backoff', until: START + 100 + 60_000 }]);
      expect(await store.claim(aClaim({ now: NOW }))).toMatchObject({
        shortfall: 'service_backoff',
        askAgainAt: gates[0]?.until,
      });
    });

    it('shortens that wait as a claim does when the clock was set back', async () => {
      const store = await aRunningStore(open);
      await dialled(store, { ...refused, backoffMs: 60_000 });
      const early = START - 3_600_000;

      const gates = await store.claimGates({ ...QUERY, now: early });

      expect(gates).toEqual([{ why: 'service_backoff', until: early + 60_000 }]);
    });

    it.each([
      ['the campaign', { concurrency: 1 }, null],
      ['the service', { concurrency: 5 }, 1],
    ])('says that no slot of %s is free', async (_, settings, serviceSlots) => {
      const store = await aRunningStore(open, { settings });
      await claimedOne(store);

      const gates = await store.claimGates({ ...QUERY, serviceSlots });

      expect(gates).toEqual([{ why: 'no_free_slot', until: null }]);
      const claim = await store.claim(aClaim({ now: NOW, serviceSlots }));
      expect(claim).toMatchObject({ intents: [], shortfall: 'no_free_slot' });
    });

    it('says when the pace allows the next call', async () => {
      const store = await aRunningStore(open, { settings: { pace: { count: 1, perMs: 10_000 } } });
      await claimed(store, 1);

      const gates = await store.claimGates(QUERY);

      const { shortfall, askAgainAt } = await store.claim(aClaim({ now: NOW }));
      expect(gates).toEqual([{ why: 'pace', until: START + 9_950 }]);
      expect({ shortfall, askAgainAt }).toEqual({ shortfall: 'pace', askAgainAt: START + 9_950 });
    });

    it('says that a campaign is paused, and what would come after that', async () => {
      const store = await aRunningStore(open, { settings: { concurrency: 1 } });
      await claimedOne(store);
      const pause = { reason: 'operator', detail: 'paused by ada' } as const;
      await store.changeCampaign(CAMPAIGN, { pause }, ENTRY);

      expect(await store.claimGates(QUERY)).toEqual([
        { why: 'not_running', until: null },
        { why: 'no_free_slot', until: null },
      ]);
    });
  });
}

const refused = {
  kind: 'released',
  reason: 'refused_without_effect',
  notBefore: 0,
  at: START + 100,
  detail: 'over capacity',
} as const;
