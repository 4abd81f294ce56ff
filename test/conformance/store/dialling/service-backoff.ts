import { describe, expect, it } from 'vitest';
import type { DialRecord, Store } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import {
  aClaim,
  aRunningCampaign,
  aRunningStore,
  claimed,
  claimedOne,
  dialled,
  type OpenStore,
} from '../setup.ts';

const HOUR_MS = 3_600_000;

/** A refusal at START that asks for so much time; its own lead may be called at once. */
const refused = (backoffMs: number, at = START): DialRecord => ({
  kind: 'released',
  reason: 'refused_without_effect',
  notBefore: 0,
  at,
  detail: 'HTTP 429',
  backoffMs,
});

export function serviceBackoffRules(open: OpenStore): void {
  describe('a service that wants to be left alone', () => {
    it('is not dialled by anybody before its time, and by everybody from then on', async () => {
      const { store, beside } = await open();
      await aRunningCampaign(store);
      await refuse(store, 30_000);
      const other = await beside();

      for (const runner of [store, other]) {
        expect(await runner.claim(aClaim({ now: START + 29_999 }))).toMatchObject({
          intents: [],
          shortfall: 'service_backoff',
          askAgainAt: START + 30_000,
        });
      }

      await claimedOne(store, { now: START + 30_000 });
      await claimedOne(other, { now: START + 30_000 });
    });

    it('is left alone for the longer of two times, whichever was told last', async () => {
      const store = await aRunningStore(open);
      const [first, second] = await claimed(store, 2);
      await store.recordDial(first?.attemptId ?? '', refused(60_000));
      await store.recordDial(second?.attemptId ?? '', refused(1_000, START + 10));

      expect(await backoffAt(store, START + 30_000)).toBe(START + 60_000);
    });

    it('does not stand in the way of calls at another service', async () => {
      const store = await aRunningStore(open);
      await aRunningCampaign(store, { id: 'cmp_other', service: 'second', proven: false });
      await refuse(store, 30_000);

      await claimedOne(store, { campaignId: 'cmp_other', service: 'second' });
    });

    it('is dialled no later than it asked for when the wall clock is set back meanwhile', async () => {
      const { store, beside } = await open();
      await aRunningCampaign(store);
      await refuse(store, 30_000);

      const seenAt = START - HOUR_MS;
      expect(await backoffAt(await beside(), seenAt)).toBe(seenAt + 30_000);
      expect(await backoffAt(store, seenAt + 10_000)).toBe(seenAt + 30_000);
      await claimedOne(store, { now: seenAt + 30_000 });
    });

    it('keeps nobody from dialling for more than an hour, whatever it asks for', async () => {
      const store = await aRunningStore(open);
      await refuse(store, 24 * HOUR_MS);

      expect(await backoffAt(store, START + 1)).toBe(START + HOUR_MS);
    });

    it('is left alone also when the refusal changes nothing for its attempt', async () => {
      const store = await aRunningStore(open);
      const { attemptId } = await dialled(store, refused(0));

      expect(await store.recordDial(attemptId, refused(30_000))).toBe('stayed');

      expect(await backoffAt(store, START + 1)).toBe(START + 30_000);
    });
  });
}

async function refuse(store: Store, backoffMs: number): Promise<void> {
  const { attemptId } = await claimedOne(store);
  expect(await store.recordDial(attemptId, refused(backoffMs))).toBe('moved');
}

async function backoffAt(store: Store, now: number): Promise<number | null> {
  const { shortfall, askAgainAt } = await store.claim(aClaim({ now }));
  expect(shortfall).toBe('service_backoff');
  return askAgainAt;
}
