import { describe, expect, it } from 'vitest';
import type { DialRecord } from '../../../../src/store/port.ts';
import {
  aClaim,
  aRunningCampaign,
  aRunningStore,
  claimed,
  claimedOne,
  dialled,
  placed,
  rejected,
  released,
  unknown,
  type OpenStore,
} from '../setup.ts';

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
