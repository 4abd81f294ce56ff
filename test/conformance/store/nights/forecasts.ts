import { describe, expect, it } from 'vitest';
import type { RetryPolicy } from '../../../../src/domain/calling/retry.ts';
import { HOUR_MS } from '../../../../src/domain/time-units.ts';
import type { Store } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { aLead, someAnalytics } from '../../../helpers/factory.ts';
import { LONDON } from '../calling/policies.ts';
import {
  aRunningCampaign,
  aRunningStore,
  CAMPAIGN,
  claimedOne,
  dialled,
  placed,
  settled,
  type OpenStore,
} from '../setup.ts';

const RETRY: RetryPolicy = {
  ...{ attempts: 3, perDay: null, gapMs: 0, otherTimeOfDay: false, lastDay: null },
  after: { no_answer: HOUR_MS },
  alternatives: null,
};
const OURS = { service: 'main', agent: 'ag_1', campaignId: CAMPAIGN, limit: 9 };

export function forecastRules(open: OpenStore): void {
  describe('what a forecast is made from', () => {
    it('is who waits, with their earlier calls, in the order of the list', async () => {
      const { store } = await open();
      const leads = [aLead(0, { zoneKey: LONDON }), aLead(1), aLead(2)];
      await aRunningCampaign(store, { leads, settings: { retry: RETRY } });
      await called(store, 'call_1', { result: 'no_answer', source: 'service' });
      await dialled(store, placed('call_open'));

      expect(await store.waitingPeople(CAMPAIGN, 1)).toEqual([
        {
          ...{ zoneKey: LONDON, notBefore: START + 60_000 + HOUR_MS, callbackAt: null },
          past: [{ at: START, result: 'no_answer', endedAt: START + 60_000, isBeforeRetry: false }],
        },
        { zoneKey: '', notBefore: 0, callbackAt: null, past: [] },
      ]);
    });

    it('is one of several people where that is asked for', async () => {
      const store = await aRunningStore(open, { leads: 30 });
      expect(await store.waitingPeople(CAMPAIGN, 10)).toHaveLength(3);
      expect(await store.waitingPeople('cmp_other', 1)).toEqual([]);
    });

    it('is how calls ended, the newest first, and how the call before ended', async () => {
      const store = await aRunningStore(open, { leads: 1, settings: { retry: RETRY } });
      const silent = someAnalytics({ durationMs: 0, cost: null, costCurrency: null });
      await called(store, 'call_1', { result: 'no_answer', source: 'service', analytics: silent });
      const again = START + 2 * HOUR_MS;
      const { attemptId } = await dialled(store, placed('call_2', again + 100), { now: again });
      const ended = { kind: 'ended', at: again + 50_000, nextPollAt: again + 55_000 } as const;
      await store.recordPoll(attemptId, ended);
      await store.recordPoll(attemptId, settled('call_2', { at: again + 60_000 }));

      expect(await store.seenCalls(OURS)).toEqual([
        {
          ...{ result: 'answered', source: 'derived', slotMs: 50_000, analysedMs: 10_000 },
          ...{ talkMs: 42_000, cost: 0.12, currency: 'USD', callbackMs: null, before: 'no_answer' },
        },
        {
          ...{ result: 'no_answer', source: 'service', slotMs: 60_000, analysedMs: 0 },
          ...{ talkMs: 0, cost: null, currency: null, callbackMs: null, before: null },
        },
      ]);
      expect(await store.seenCalls({ ...OURS, limit: 1 })).toHaveLength(1);
    });

    it('is when people who asked to be called again were or are to be called', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const callback = { said: 'in an hour', at: START + HOUR_MS };
      await called(store, 'call_1', { callback });
      const wish = { callbackMs: HOUR_MS - 60_000 };
      expect(await store.seenCalls(OURS)).toMatchObject([wish]);

      await claimedOne(store, { now: START + 2 * HOUR_MS });
      expect(await store.seenCalls(OURS)).toMatchObject([{ callbackMs: 2 * HOUR_MS - 60_000 }]);
    });

    it('leaves out other campaigns, agents and services where they are not asked for', async () => {
      const store = await aRunningStore(open, { leads: 2, proven: false });
      await called(store, 'call_1', {});
      const count = async (own: Partial<Parameters<Store['seenCalls']>[0]>) =>
        (await store.seenCalls({ ...OURS, ...own })).length;
      expect(await count({})).toBe(1);
      expect(await count({ campaignId: 'cmp_other' })).toBe(0);
      expect(await count({ agent: 'ag_2' })).toBe(0);
      expect(await count({ agent: null, campaignId: null })).toBe(1);
      expect(await count({ service: 'other' })).toBe(0);
    });
  });
}

async function called(store: Store, callId: string, end: Parameters<typeof settled>[1]) {
  const { attemptId } = await dialled(store, placed(callId));
  await store.recordPoll(attemptId, settled(callId, end));
}
