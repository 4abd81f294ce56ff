import { describe, expect, it } from 'vitest';
import { START } from '../../../helpers/clock.ts';
import {
  aClaim,
  aRunningCampaign,
  aRunningStore,
  CAMPAIGN,
  claimed,
  claimedOne,
  dialled,
  ENTRY,
  placed,
  rejected,
  released,
  unknown,
  type OpenStore,
} from '../setup.ts';
import type { DialRecord } from '../../../../src/store/port.ts';

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

const FIVE = aClaim({ want: 5 });
const WAITS = { intents: [], shortfall: 'first_answer_pending', askAgainAt: null };

export function firstAnswerRules(open: OpenStore): void {
  describe('before the first good answer of a service', () => {
    it('one dial is in flight, over all runners and campaigns', async () => {
      const { store, beside } = await open();
      await aRunningCampaign(store, { proven: false });
      await aRunningCampaign(store, { id: 'cmp_b', proven: false });
      const other = await beside();

      const claims = await Promise.all([
        store.claim(FIVE),
        other.claim(FIVE),
        other.claim({ ...FIVE, campaignId: 'cmp_b' }),
      ]);

      expect(claims.flatMap(({ intents }) => intents)).toHaveLength(1);
      for (const claim of claims) expect(claim.shortfall).toBe('first_answer_pending');
      expect(await store.claim(FIVE)).toMatchObject(WAITS);
    });

    it.each<[string, DialRecord]>([
      ['lost', unknown()],
      ['a rejection', rejected()],
      ['a refusal', released()],
    ])('an answer that is %s lets one more go, not many', async (_, answer) => {
      const store = await aRunningStore(open, { proven: false });
      await dialled(store, answer);

      expect(await store.isProven('main-1')).toBe(false);
      expect((await store.claim(FIVE)).intents).toHaveLength(1);
      expect(await store.claim(FIVE)).toMatchObject(WAITS);
    });

    it('another service is not delayed', async () => {
      const store = await aRunningStore(open, { proven: false });
      await aRunningCampaign(store, { id: 'cmp_b', service: 'other', proven: false });
      await claimedOne(store);

      const there = { campaignId: 'cmp_b', service: 'other', fingerprint: 'other-1' };
      await claimedOne(store, there);
    });
  });

  describe('after the first good answer of a service', () => {
    it('many dials are in flight, also for another runner and after a restart', async () => {
      const { store, beside, reopen } = await open();
      await aRunningCampaign(store, { settings: { concurrency: 9 }, leads: 9, proven: false });
      await dialled(store, placed('call_1'));

      expect(await store.isProven('main-1')).toBe(true);
      await claimed(store, 2);
      await claimed(await beside(), 2);
      await claimed(await reopen(), 2);
    });

    it('an edited profile or another address begins anew', async () => {
      const store = await aRunningStore(open);

      const edited = aClaim({ want: 5, fingerprint: 'main-2' });

      expect((await store.claim(edited)).intents).toHaveLength(1);
      expect(await store.claim(edited)).toMatchObject(WAITS);
    });

    it('an id that another call has already proves nothing', async () => {
      const store = await aRunningStore(open);
      const edited = { want: 5, fingerprint: 'main-2' };
      const [intent] = (await store.claim(aClaim(edited))).intents;
      const answer = { ...placed('call_proof'), fingerprint: 'main-2' };

      expect(await store.recordDial(intent?.attemptId ?? '', answer)).toBe('conflict');

      expect(await store.isProven('main-2')).toBe(false);
      expect((await store.claim(aClaim(edited))).intents).toHaveLength(1);
    });
  });
}
