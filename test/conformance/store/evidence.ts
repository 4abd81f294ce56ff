import { describe, expect, it } from 'vitest';
import type { DeliveryFacts } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import {
  aPlacedCall,
  aRunningStore,
  aSweep,
  CAMPAIGN,
  claimedOne,
  dialled,
  placed,
  rowOf,
  unknown,
  type OpenStore,
} from './setup.ts';

const nobody: DeliveryFacts = {
  callId: null,
  attemptKey: null,
  phone: null,
  agent: null,
  at: null,
};

export function evidenceRules(open: OpenStore): void {
  describe('matchDeliveries', () => {
    it('finds the attempt by its call, by its key, and by the sole number in doubt', async () => {
      const store = await aRunningStore(open);
      const known = await aPlacedCall(store);
      const flying = await claimedOne(store);
      const doubt = await dialled(store, unknown());

      const matches = await store.matchDeliveries('main', [
        { ...nobody, callId: 'call_1' },
        { ...nobody, callId: 'call_2', attemptKey: flying.key },
        { ...nobody, callId: 'call_3', phone: doubt.phone, at: START + 10 },
        { ...nobody, callId: 'call_4', phone: flying.phone, at: START + 10 },
        { ...nobody, callId: 'call_5' },
      ]);

      expect(matches).toMatchObject([
        { kind: 'found', by: 'call', attempt: { attemptId: known.attemptId, callId: 'call_1' } },
        { kind: 'found', by: 'key', attempt: { attemptId: flying.attemptId, callId: null } },
        { kind: 'found', by: 'number', attempt: { attemptId: doubt.attemptId } },
        { kind: 'none', why: expect.stringContaining('in flight') as string },
        { kind: 'none' },
      ]);
      expect(await store.matchDeliveries('other', [{ ...nobody, callId: 'call_1' }])).toMatchObject(
        [{ kind: 'none' }],
      );
    });
  });

  describe('openDoubts', () => {
    it('tells of calls in doubt at a service, also of those that are unconfirmed, the youngest first', async () => {
      const store = await aRunningStore(open);
      await aPlacedCall(store);
      const unconfirmed = await dialled(store, unknown());
      await store.sweep(aSweep({ now: START + 86_400_000 }));
      const doubt = await dialled(store, unknown(), { now: START + 90_000_000 });

      const { attemptId, key, phone, intentAt } = doubt;
      expect(await store.openDoubts('main', 0)).toMatchObject([
        {
          attemptId,
          campaignId: CAMPAIGN,
          key,
          phone,
          intentAt,
          state: 'unknown',
          resolved: false,
        },
        { attemptId: unconfirmed.attemptId, state: 'unconfirmed' },
      ]);
      expect(await store.openDoubts('main', intentAt)).toHaveLength(1);
      expect(await store.openDoubts('main', intentAt + 1)).toEqual([]);
      expect(await store.openDoubts('other', 0)).toEqual([]);
      const as = { as: 'unconfirmed', at: intentAt, by: 'ada', note: null } as const;
      await store.resolve(unconfirmed.attemptId, as);
      expect((await store.openDoubts('main', 0))[1]).toMatchObject({ resolved: true });
    });

    it('makes its service one with open calls, if it is asked for', async () => {
      const store = await aRunningStore(open);
      const doubt = await dialled(store, unknown());

      expect(await store.servicesWithOpenCalls(CAMPAIGN)).toEqual([]);
      expect(await store.servicesWithOpenCalls(CAMPAIGN, doubt.intentAt)).toEqual(['main']);
      expect(await store.servicesWithOpenCalls(null, doubt.intentAt)).toEqual(['main']);
      expect(await store.servicesWithOpenCalls(CAMPAIGN, doubt.intentAt + 1)).toEqual([]);
      await store.sweep(aSweep({ now: START + 86_400_000 }));
      expect(await store.servicesWithOpenCalls(CAMPAIGN, doubt.intentAt)).toEqual(['main']);
    });
  });

  describe('recordEvidence', () => {
    const evidence = { callId: 'call_7', at: START + 9, nextPollAt: START + 9, byNumber: false };

    it.each(['intent', 'unknown', 'unconfirmed'])('lifts an attempt that is %s', async (state) => {
      const store = await aRunningStore(open);
      const intent = await claimedOne(store);
      if (state !== 'intent') await store.recordDial(intent.attemptId, unknown());
      if (state === 'unconfirmed') await store.sweep(aSweep({ now: START + 86_400_000 }));
      expect(await rowOf(store, intent)).toMatchObject({ attempt: { state } });

      expect(await store.recordEvidence(intent.attemptId, evidence)).toBe('moved');
      expect(await rowOf(store, intent)).toMatchObject({
        state: 'calling',
        attempt: { state: 'placed', callId: 'call_7' },
      });
      expect(await store.recordEvidence(intent.attemptId, evidence)).toBe('stayed');
      expect(await store.recordDial(intent.attemptId, placed('call_7'))).toBe('stayed');
    });

    it('is a recorded conflict when it names another call', async () => {
      const store = await aRunningStore(open);
      const { attemptId } = await aPlacedCall(store);

      expect(await store.recordEvidence(attemptId, evidence)).toBe('conflict');
      const entries = await store.history(CAMPAIGN);
      expect(entries.at(-1)).toMatchObject({ what: 'attempt.contradicted' });
    });

    it.each([
      [true, 'moved', 'call_8'],
      [false, 'conflict', 'call_7'],
    ])(
      'found by the number alone (%s) gives way to the own answer of the dial: %s',
      async (byNumber, recorded, callId) => {
        const store = await aRunningStore(open);
        const intent = await dialled(store, unknown());
        await store.recordEvidence(intent.attemptId, { ...evidence, byNumber });

        expect(await store.recordDial(intent.attemptId, placed('call_8'))).toBe(recorded);
        expect(await rowOf(store, intent)).toMatchObject({ attempt: { callId } });
      },
    );
  });
}
