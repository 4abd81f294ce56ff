import { describe, expect, it } from 'vitest';
import type { Analytics } from '../../../src/domain/lead.ts';
import { START } from '../../helpers/clock.ts';
import { aPhone, someAnalytics } from '../../helpers/factory.ts';
import {
  aPlacedCall,
  aRunningCampaign,
  aRunningStore,
  aSweep,
  CAMPAIGN,
  dialled,
  exported,
  placed,
  rejected,
  rowOf,
  settled,
  unknown,
  type OpenStore,
} from './setup.ts';
import type { Store } from '../../../src/store/port.ts';

const DUE = { service: 'main', campaignId: null, now: START + 60_000, limit: 100 };
const NEXT = { service: 'main', campaignId: null, after: 0 };

export function pollRules(open: OpenStore): void {
  describe('recordPoll', () => {
    it('puts off a call that is not completed, and counts the polls', async () => {
      const store = await aRunningStore(open);
      const { attemptId } = await aPlacedCall(store);

      const poll = { kind: 'pending', at: START + 1_100, nextPollAt: START + 2_000 } as const;
      expect(await store.recordPoll(attemptId, poll)).toBe('stayed');

      expect(await store.nextPollAt(NEXT)).toBe(START + 2_000);
      expect(await store.duePolls(DUE)).toMatchObject([{ state: 'placed', polls: 1 }]);
    });

    it('goes on reading a call whose line is down', async () => {
      const store = await aRunningStore(open);
      const intent = await aPlacedCall(store);

      const poll = { kind: 'ended', at: START + 9_000, nextPollAt: START + 9_500 } as const;
      expect(await store.recordPoll(intent.attemptId, poll)).toBe('moved');
      expect(await store.recordPoll(intent.attemptId, { ...poll, at: START + 9_900 })).toBe(
        'stayed',
      );

      expect(await store.duePolls(DUE)).toMatchObject([{ state: 'ended', polls: 2 }]);
      expect(await store.nextPollAt(NEXT)).toBe(START + 9_500);
      expect(await rowOf(store, intent)).toMatchObject({
        state: 'calling',
        attempt: { state: 'ended', endedAt: START + 9_000 },
      });
    });

    it('keeps what a service says with U+0000, for which an engine may keep another sign', async () => {
      const store = await aRunningStore(open, { leads: 2 });
      const { attemptId } = await dialled(store, placed('call_1'));
      const analytics = { ...someAnalytics(), transcript: 'hello\0world' };
      expect(await store.recordPoll(attemptId, settled('call_1', { analytics }))).toBe('moved');
      await dialled(store, placed('call\0'));
      const [row] = await exported(store);
      expect(row?.analytics?.transcript).toMatch(/^hello[\0\ufffd]world$/);
    });

    it('keeps the last answer that could not be read', async () => {
      const store = await aRunningStore(open);
      const intent = await aPlacedCall(store);
      const poll = { kind: 'unreadable', at: START + 1_100, nextPollAt: START + 2_000 } as const;

      const what = { detail: 'no transcript in the answer', raw: '{"text":1}' };
      expect(await store.recordPoll(intent.attemptId, { ...poll, ...what })).toBe('stayed');
      const pending = { kind: 'pending', at: START + 2_100, nextPollAt: START + 3_000 } as const;
      await store.recordPoll(intent.attemptId, pending);

      expect(await rowOf(store, intent)).toMatchObject({
        attempt: { state: 'placed', unreadable: what.raw, detail: what.detail },
      });
    });

    it("tells once that an answer was another call's, and gives it as the reason at the deadline", async () => {
      const store = await aRunningStore(open);
      const intent = await aPlacedCall(store);
      const names = { callIds: ['call_9'], attemptKeys: [], phones: [], agents: [] };
      const detail = 'the answer is not kept: it names call call_9, and call call_1 was asked for';
      const poll = { kind: 'contradicted', nextPollAt: START + 2_000, detail, names } as const;

      expect(await store.recordPoll(intent.attemptId, { ...poll, at: START + 1_000 })).toBe(
        'conflict',
      );
      expect(await store.recordPoll(intent.attemptId, { ...poll, at: START + 1_500 })).toBe(
        'stayed',
      );

      const told = (await store.history(CAMPAIGN)).filter(
        ({ what }) => what === 'attempt.contradicted',
      );
      expect(told).toMatchObject([{ detail: { attempt: intent.attemptId, why: detail } }]);
      const later = { ...poll, nextPollAt: START + 9_000_000 };
      await store.recordPoll(intent.attemptId, { ...later, at: START + 7_100_000 });
      await store.sweep(aSweep({ now: START + 7_300_000 }));
      const row = await rowOf(store, intent);
      expect(row).toMatchObject({ result: 'no_result', analytics: null });
      expect(row.reason).toContain(detail);
    });

    it.each<[string, Partial<Analytics>]>([
      ['everything', {}],
      ['a sentiment word only', { sentiment: { label: 'negative', score: null } }],
      ['a sentiment number only', { sentiment: { label: null, score: -0.25 } }],
      [
        'nothing but the raw answer',
        {
          transcript: null,
          turns: [],
          durationMs: null,
          sentiment: null,
          summary: null,
          recordingUrl: 'https://recordings.invalid/1',
          cost: null,
          costCurrency: null,
          extracted: { interested: 'yes', at: [1, null] },
          raw: [null, 'é', 1.5],
        },
      ],
    ])('keeps analytics with %s as they came', async (_, overrides) => {
      const store = await aRunningStore(open);
      const intent = await aPlacedCall(store);
      const analytics = someAnalytics(overrides);

      expect(await store.recordPoll(intent.attemptId, settled('call_1', { analytics }))).toBe(
        'moved',
      );

      expect(await rowOf(store, intent)).toMatchObject({
        state: 'done',
        result: 'answered',
        resultSource: 'derived',
        reason: null,
        attempt: { state: 'settled', callId: 'call_1', endedAt: START + 60_000 },
        analytics,
      });
      expect(await store.nextPollAt(NEXT)).toBeNull();
    });

    it('settles a call once: what comes later changes nothing', async () => {
      const { store, reopen } = await open();
      await aRunningCampaign(store);
      const intent = await aPlacedCall(store);
      await store.recordPoll(intent.attemptId, settled('call_1'));
      const before = await rowOf(store, intent);

      const later = { result: 'no_answer', analytics: someAnalytics({ transcript: '' }) } as const;
      const again = settled('call_1', { ...later, at: START + 90_000 });
      const pending = { kind: 'pending', at: START + 90_000, nextPollAt: START + 95_000 } as const;
      const ended = { ...pending, kind: 'ended' } as const;
      for (const poll of [again, pending, ended]) {
        expect(await store.recordPoll(intent.attemptId, poll)).toBe('stayed');
      }

      expect(await rowOf(await reopen(), intent)).toEqual(before);
    });

    it('calls it a contradiction when the call is that of another attempt', async () => {
      const store = await aRunningStore(open);
      await aPlacedCall(store, 'call_1');
      const lost = await dialled(store, unknown());

      expect(await store.recordPoll(lost.attemptId, settled('call_1'))).toBe('conflict');

      expect(await rowOf(store, lost)).toMatchObject({ attempt: { state: 'unknown' } });
    });

    it('lifts an unknown and an unconfirmed attempt when analytics prove the call', async () => {
      const store = await aRunningStore(open);
      for (const [callId, now] of [
        ['call_1', START],
        ['call_2', START + 600_100],
      ] as const) {
        const intent = await dialled(store, unknown());
        await store.sweep(aSweep({ now }));

        expect(await store.recordPoll(intent.attemptId, settled(callId))).toBe('moved');
        expect(await rowOf(store, intent)).toMatchObject({
          state: 'done',
          result: 'answered',
          attempt: { callId },
        });
      }
    });

    it('lets late analytics replace a missing result', async () => {
      const store = await aRunningStore(open);
      const intent = await aPlacedCall(store);
      const after = START + 7_200_000;
      const pending = { kind: 'pending', at: after - 1_000, nextPollAt: after + 1_000 } as const;
      await store.recordPoll(intent.attemptId, pending);
      expect(await store.sweep(aSweep({ now: after }))).toMatchObject({ noResult: 1 });

      expect(await store.recordPoll(intent.attemptId, settled('call_1'))).toBe('moved');
      expect(await rowOf(store, intent)).toMatchObject({ state: 'done', result: 'answered' });
    });
  });
}

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

    it('gives every call to exactly one of several machines, and its time with it', async () => {
      const store = await aRunningStore(open);
      for (const n of [1, 2, 3, 4, 5]) await placedAt(store, `call_${n}`, START + n);

      const all = { ...DUE, now: START + 9 };
      for (const of of [1, 2, 3]) {
        const shares = Array.from({ length: of }, (_, index) => ({ index, of }));
        const given = await Promise.all(
          shares.map(async (share) => ({
            calls: (await store.duePolls({ ...all, share })).map(({ callId }) => callId),
            next: await store.nextPollAt({ ...NEXT, share }),
          })),
        );
        const calls = given.map((one) => one.calls);
        expect(calls.flat().sort()).toEqual(['call_1', 'call_2', 'call_3', 'call_4', 'call_5']);
        expect(calls.every((some) => some.length > 0)).toBe(true);
        expect(given.map(({ next }) => `call_${Number(next) - START}`)).toEqual(
          calls.map(([first]) => first),
        );
      }
    });

    it('gives a call that is late to every machine: the one whose share it is may hang', async () => {
      const store = await aRunningStore(open);
      for (const n of [1, 2]) await placedAt(store, `call_${n}`, START + n);
      const shares = [0, 1].map((index) => ({ index, of: 2 }));
      const given = async (now: number) =>
        Promise.all(
          shares.map(async (share) => (await store.duePolls({ ...DUE, now, share })).length),
        );

      expect(await given(START + 5_000)).toEqual([1, 1]);
      expect((await given(START + 5_001)).toSorted()).toEqual([1, 2]);
      expect(await given(START + 5_002)).toEqual([2, 2]);
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
