import { describe, expect, it } from 'vitest';
import type { DialRecord } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
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
  placed,
  rejected,
  released,
  rowOf,
  settled,
  unknown,
  type OpenStore,
} from '../setup.ts';

const REFUSED = released('refused_without_effect', START + 9);
const LATE: [string, DialRecord, object][] = [
  ['placed', placed('call_1'), { state: 'calling', attempt: { state: 'placed' } }],
  ['rejected', rejected(), { state: 'done', result: 'rejected', attempt: { state: 'rejected' } }],
  ['refused', REFUSED, { state: 'waiting', attempt: null, attempts: 0 }],
  ['never sent', released('never_sent'), { state: 'waiting', attempt: null, attempts: 0 }],
];

export function dialRules(open: OpenStore): void {
  describe('recordDial', () => {
    it('keeps the call id of a placed call and plans its first poll', async () => {
      const store = await aRunningStore(open);
      const intent = await claimedOne(store);

      const answer = placed('call_1', START + 100, START + 1_100);
      expect(await store.recordDial(intent.attemptId, answer)).toBe('moved');

      expect(await rowOf(store, intent)).toMatchObject({
        state: 'calling',
        attempts: 1,
        attempt: { state: 'placed', callId: 'call_1', service: 'main', agent: 'ag_1' },
      });
      const query = { service: 'main', campaignId: CAMPAIGN, after: START };
      expect(await store.nextPollAt(query)).toBe(START + 1_100);
    });

    it('ends a lead whose call the service refused for good, with its reason', async () => {
      const store = await aRunningStore(open);
      const intent = await claimedOne(store);

      expect(await store.recordDial(intent.attemptId, rejected())).toBe('moved');

      expect(await rowOf(store, intent)).toMatchObject({
        state: 'done',
        result: 'rejected',
        resultSource: 'callsheet',
        reason: 'this number is not served',
        attempts: 1,
      });
    });

    it.each(['never_sent', 'refused_without_effect'] as const)(
      'lets a lead wait again that was %s, at no cost',
      async (reason) => {
        const store = await aRunningStore(open);
        const intent = await claimedOne(store);

        const answer = released(reason, START + 5_000);
        expect(await store.recordDial(intent.attemptId, answer)).toBe('moved');

        expect(await rowOf(store, intent)).toMatchObject({
          state: 'waiting',
          result: null,
          reason: 'over capacity',
          attempts: 0,
          notBefore: START + 5_000,
          attempt: null,
        });
      },
    );

    it('keeps a lead out of reach whose answer was lost', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const intent = await claimedOne(store);

      expect(await store.recordDial(intent.attemptId, unknown())).toBe('moved');

      expect(await rowOf(store, intent)).toMatchObject({
        state: 'calling',
        attempt: { state: 'unknown', detail: 'no answer within 30 s' },
      });
      const aDayLater = START + 86_400_000;
      expect(await store.claim(aClaim({ now: aDayLater }))).toMatchObject({
        shortfall: 'none_waiting',
      });
    });

    it('changes nothing when the same answer comes twice', async () => {
      const store = await aRunningStore(open);
      for (const answer of [placed('call_1'), rejected(), released(), unknown()]) {
        const intent = await dialled(store, answer);
        const before = await rowOf(store, intent);

        expect(await store.recordDial(intent.attemptId, answer)).toBe('stayed');
        expect(await rowOf(store, intent)).toEqual(before);
      }
    });

    it.each(LATE)('takes an answer that comes after evidence was given up: %s', async (...row) => {
      const [, answer, expected] = row;
      const store = await aRunningStore(open);
      const intent = await dialled(store, unknown());
      await store.sweep(aSweep({ now: START + 600_100 }));
      expect(await rowOf(store, intent)).toMatchObject({ result: 'unconfirmed' });

      expect(await store.recordDial(intent.attemptId, answer)).toBe('moved');
      expect(await rowOf(store, intent)).toMatchObject({ result: null, ...expected });
    });

    it('keeps a contradiction in the history and changes nothing', async () => {
      const store = await aRunningStore(open);
      const intent = await aPlacedCall(store);
      const before = await rowOf(store, intent);

      expect(await store.recordDial(intent.attemptId, released())).toBe('conflict');
      expect(await store.recordDial(intent.attemptId, rejected())).toBe('conflict');
      expect(await store.recordDial(intent.attemptId, placed('call_2'))).toBe('conflict');

      expect(await rowOf(store, intent)).toEqual(before);
      const contradictions = (await store.history(CAMPAIGN)).filter(
        ({ what }) => what === 'attempt.contradicted',
      );
      expect(contradictions).toHaveLength(3);
      expect(contradictions[0]).toMatchObject({ detail: { attempt: intent.attemptId } });
    });

    it('makes a dial unknown whose call id another attempt has already', async () => {
      const store = await aRunningStore(open);
      const first = await aPlacedCall(store, 'call_1');
      const second = await claimedOne(store);

      expect(await store.recordDial(second.attemptId, placed('call_1'))).toBe('conflict');

      expect(await rowOf(store, first)).toMatchObject({ attempt: { state: 'placed' } });
      expect(await rowOf(store, second)).toMatchObject({
        state: 'calling',
        attempt: { state: 'unknown', callId: null },
      });
      const told = (await store.history(CAMPAIGN)).filter(
        ({ what }) => what === 'attempt.contradicted',
      );
      expect(told.map(({ detail }) => detail['attempt'])).toEqual([
        second.attemptId,
        first.attemptId,
      ]);
      const [open1] = await store.duePolls({
        ...{ service: 'main', campaignId: null, now: START + 9_000_000, limit: 9 },
      });
      expect(open1?.rivals).toMatchObject([{ key: second.key, phone: second.phone }]);
    });

    it('lets two services use the same call ids', async () => {
      const store = await aRunningStore(open);
      await aRunningCampaign(store, { id: 'cmp_b', service: 'other' });
      await aPlacedCall(store, 'call_1');
      const there = await claimedOne(store, { campaignId: 'cmp_b', service: 'other' });

      expect(await store.recordDial(there.attemptId, placed('call_1'))).toBe('moved');
    });

    it('does not disturb others when one record fails', async () => {
      const store = await aRunningStore(open);
      const [first, second] = await claimed(store, 2);

      const records = await Promise.allSettled([
        store.recordDial(first?.attemptId ?? '', placed('call_1')),
        store.recordDial('att_nobody', placed('call_2')),
        store.recordDial(second?.attemptId ?? '', placed('call_3')),
      ]);

      expect(records.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await store.progress(CAMPAIGN, START)).toMatchObject({ open: 2 });
    });

    it('lets no answer of a dial take back what the analytics said', async () => {
      const store = await aRunningStore(open);
      const intent = await claimedOne(store);
      await store.recordPoll(intent.attemptId, settled('call_1'));

      expect(await store.recordDial(intent.attemptId, placed('call_1'))).toBe('stayed');
      expect(await store.recordDial(intent.attemptId, unknown())).toBe('stayed');
      expect(await rowOf(store, intent)).toMatchObject({ state: 'done', result: 'answered' });
    });
  });
}
