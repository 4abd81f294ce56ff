import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import { aPhone } from '../../helpers/factory.ts';
import {
  aPlacedCall,
  aRunningCampaign,
  aRunningStore,
  CAMPAIGN,
  dialled,
  placed,
  rejected,
  type OpenStore,
} from './setup.ts';

const DUE = { service: 'main', campaignId: null, now: START + 60_000, limit: 100 };
const NEXT = { service: 'main', campaignId: null, after: 0 };

export function duePollRules(open: OpenStore): void {
  describe('duePolls', () => {
    it('gives the calls that are due, the longest due first, and no more than asked', async () => {
      const store = await aRunningStore(open);
      await placedAt(store, 'call_late', START + 3_000);
      await placedAt(store, 'call_early', START + 1_000);
      await placedAt(store, 'call_middle', START + 2_000);

      expect(await dueAt(store, START + 999)).toEqual([]);
      expect(await dueAt(store, START + 2_000)).toEqual(['call_early', 'call_middle']);
      expect(await dueAt(store, START + 9_000, 2)).toEqual(['call_early', 'call_middle']);
      expect(await store.nextPollAt(NEXT)).toBe(START + 1_000);
      expect(await store.nextPollAt({ ...NEXT, after: START + 1_000 })).toBe(START + 2_000);
      expect(await store.nextPollAt({ ...NEXT, after: START + 3_000 })).toBeNull();
    });

    it('tells what a poller needs to know of a call', async () => {
      const store = await aRunningStore(open);
      const { attemptId } = await aPlacedCall(store);

      expect(await store.duePolls(DUE)).toEqual([
        {
          attemptId,
          campaignId: CAMPAIGN,
          callId: 'call_1',
          key: expect.stringMatching(/./) as string,
          phone: aPhone(0),
          agent: 'ag_1',
          rivals: [],
          state: 'placed',
          intentAt: START,
          // When `aPlacedCall` says that the service answered.
          placedAt: START + 100,
          holdsUntil: START + 900_000,
          polls: 0,
        },
      ]);
    });

    it('are at the service where the call was placed, for one campaign or all', async () => {
      const store = await aRunningStore(open);
      await aRunningCampaign(store, { id: 'cmp_b' });
      await aRunningCampaign(store, { id: 'cmp_c', service: 'other' });
      await placedAt(store, 'call_a', START + 1_000);
      await placedAt(store, 'call_b', START + 2_000, { campaignId: 'cmp_b' });
      await placedAt(store, 'call_c', START, { campaignId: 'cmp_c', service: 'other' });

      const ids = async (query: object) =>
        (await store.duePolls({ ...DUE, ...query })).map(({ callId }) => callId);
      expect(await ids({})).toEqual(['call_a', 'call_b']);
      expect(await ids({ campaignId: 'cmp_b' })).toEqual(['call_b']);
      expect(await ids({ service: 'other' })).toEqual(['call_c']);
      expect(await store.nextPollAt({ ...NEXT, campaignId: 'cmp_b' })).toBe(START + 2_000);
      expect(await store.servicesWithOpenCalls(null)).toEqual(['main', 'other']);
      expect(await store.servicesWithOpenCalls('cmp_b')).toEqual(['main']);
    });

    it('has nothing to give while no call is open', async () => {
      const store = await aRunningStore(open);
      await dialled(store, rejected());

      expect(await store.duePolls(DUE)).toEqual([]);
      expect(await store.nextPollAt(NEXT)).toBeNull();
      expect(await store.servicesWithOpenCalls(null)).toEqual([]);
    });
  });
}

async function placedAt(
  store: Store,
  callId: string,
  nextPollAt: number,
  where: { campaignId?: string; service?: string } = {},
): Promise<void> {
  await dialled(store, placed(callId, START, nextPollAt), where);
}

async function dueAt(store: Store, now: number, limit = 100): Promise<string[]> {
  return (await store.duePolls({ ...DUE, now, limit })).map(({ callId }) => callId);
}
