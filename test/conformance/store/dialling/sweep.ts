import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { someSettings } from '../../../helpers/factory.ts';
import {
  aPlacedCall,
  aRunningCampaign,
  aRunningStore,
  aSweep,
  CAMPAIGN,
  claimed,
  claimedOne,
  dialled,
  ME,
  placed,
  rowOf,
  unknown,
  type OpenStore,
} from '../setup.ts';

const NOTHING = { orphaned: 0, presumedDown: 0, noResult: 0, unconfirmed: 0 };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export function sweepRules(open: OpenStore): void {
  describe('sweep', () => {
    it('does nothing before anything is due', async () => {
      const store = await aRunningStore(open);
      await claimedOne(store);
      await aPlacedCall(store);
      await dialled(store, unknown());

      expect(await store.sweep(aSweep({ now: START + 2 * MINUTE - 1 }))).toEqual(NOTHING);
    });

    it('gives up an intent at once whose process is visibly gone, and only that', async () => {
      const store = await aRunningStore(open);
      const gone = await claimedOne(store);
      const living = await claimedOne(store, { owner: { ...ME, pid: 99 } });

      expect(await store.sweep(aSweep({ gone: [ME] }))).toEqual({ ...NOTHING, orphaned: 1 });

      expect(await rowOf(store, gone)).toMatchObject({
        state: 'calling',
        attempt: { state: 'unknown' },
      });
      expect(await rowOf(store, living)).toMatchObject({ attempt: { state: 'intent' } });
    });

    it.each(['host', 'boot'] as const)(
      'takes a process of the same number for another one when its %s differs',
      async (part) => {
        const store = await aRunningStore(open);
        await claimedOne(store);

        const gone = [{ ...ME, [part]: 'another' }];

        expect(await store.sweep(aSweep({ gone }))).toEqual(NOTHING);
      },
    );

    it('tells once of each process that has intents open, with everything it said at the claim', async () => {
      const store = await aRunningStore(open);
      await aPlacedCall(store);
      await claimedOne(store);
      await claimedOne(store);
      const other = { ...ME, pid: 99 };
      await claimedOne(store, { owner: other });

      expect(await store.intentOwners(CAMPAIGN)).toEqual([ME, other]);
    });

    it('gives up any intent after two minutes', async () => {
      const store = await aRunningStore(open);
      const intent = await claimedOne(store);

      const now = START + 2 * MINUTE;
      expect(await store.sweep(aSweep({ now }))).toEqual({ ...NOTHING, orphaned: 1 });

      expect(await rowOf(store, intent)).toMatchObject({ attempt: { state: 'unknown' } });
    });

    it('presumes the line down when the longest call has passed, and reads on', async () => {
      const store = await aRunningStore(open);
      const intent = await aPlacedCall(store);
      const now = START + 15 * MINUTE;

      expect(await store.sweep(aSweep({ now: now - 1 }))).toEqual(NOTHING);
      expect(await store.sweep(aSweep({ now }))).toEqual({ ...NOTHING, presumedDown: 1 });

      expect(await rowOf(store, intent)).toMatchObject({ attempt: { state: 'ended' } });
      const query = { service: 'main', campaignId: null, now, limit: 1 };
      expect(await store.duePolls(query)).toMatchObject([{ attemptId: intent.attemptId }]);
    });

    it('ends a call whose analytics never came before the deadline', async () => {
      const store = await aRunningStore(open);
      const intent = await aPlacedCall(store);
      await pollInVain(store, intent.attemptId, START + 2 * HOUR - 1_000);

      const now = START + 2 * HOUR;
      await store.sweep(aSweep({ now: now - 1 }));
      expect(await rowOf(store, intent)).toMatchObject({ attempt: { state: 'ended' } });
      expect(await store.sweep(aSweep({ now }))).toEqual({ ...NOTHING, noResult: 1 });

      expect(await rowOf(store, intent)).toMatchObject({
        state: 'done',
        result: 'no_result',
        resultSource: 'callsheet',
        reason: 'no readable analytics before the deadline',
        attempt: { state: 'no_result', callId: 'call_1' },
      });
    });

    it('says what was wrong with the last answer where analytics came and could not be read', async () => {
      const store = await aRunningStore(open);
      const intent = await aPlacedCall(store);
      const at = START + HOUR;
      const detail = 'HTTP 200, but no transcript was found: {}';
      const poll = {
        kind: 'unreadable',
        at,
        nextPollAt: at + 2 * HOUR,
        detail,
        raw: '{}',
      } as const;
      await store.recordPoll(intent.attemptId, poll);
      await store.sweep(aSweep({ now: START + 3 * HOUR }));
      expect(await rowOf(store, intent)).toMatchObject({
        result: 'no_result',
        reason: `no readable analytics before the deadline; the last answer: ${detail}`,
      });
    });

    it('polls a call once more that nobody polled before the deadline', async () => {
      const store = await aRunningStore(open);
      const intent = await aPlacedCall(store);
      const nextDay = START + 24 * HOUR;

      expect(await store.sweep(aSweep({ now: nextDay }))).toMatchObject({ noResult: 0 });
      const query = { service: 'main', campaignId: null, now: nextDay, limit: 9 };
      expect(await store.duePolls(query)).toHaveLength(1);

      await pollInVain(store, intent.attemptId, nextDay);
      expect(await store.sweep(aSweep({ now: nextDay + 1 }))).toMatchObject({ noResult: 1 });
    });

    it('ends an unknown attempt as unconfirmed when no evidence came in time', async () => {
      const store = await aRunningStore(open);
      const intent = await dialled(store, unknown(START + 30_000));
      const now = START + 30_000 + 10 * MINUTE;

      expect(await store.sweep(aSweep({ now: now - 1 }))).toEqual(NOTHING);
      expect(await store.sweep(aSweep({ now }))).toEqual({ ...NOTHING, unconfirmed: 1 });

      expect(await rowOf(store, intent)).toMatchObject({
        state: 'done',
        result: 'unconfirmed',
        resultSource: 'callsheet',
        attempt: { state: 'unconfirmed', callId: null },
      });
    });

    it('looks for evidence of an intent that was left overnight as long as of any other', async () => {
      const store = await aRunningStore(open);
      const intent = await claimedOne(store);
      const morning = START + 12 * HOUR;

      expect(await store.sweep(aSweep({ now: morning }))).toEqual({ ...NOTHING, orphaned: 1 });
      expect(await rowOf(store, intent)).toMatchObject({ attempt: { state: 'unknown' } });

      const now = morning + 10 * MINUTE;
      expect(await store.sweep(aSweep({ now: now - 1 }))).toEqual(NOTHING);
      expect(await store.sweep(aSweep({ now }))).toEqual({ ...NOTHING, unconfirmed: 1 });
    });

    it('polls a call once that a late answer proves after the deadline', async () => {
      const store = await aRunningStore(open);
      const intent = await claimedOne(store);
      await store.sweep(aSweep({ now: START + 2 * MINUTE }));
      const late = START + 3 * HOUR;
      await store.recordDial(intent.attemptId, placed('call_1', late, late + 1_000));

      expect(await store.sweep(aSweep({ now: late }))).toMatchObject({ noResult: 0 });
      expect(await store.sweep(aSweep({ now: late + 9 * MINUTE }))).toMatchObject({ noResult: 0 });
      const query = { service: 'main', campaignId: null, now: late + 1_000, limit: 9 };
      expect(await store.duePolls(query)).toMatchObject([{ attemptId: intent.attemptId }]);

      await pollInVain(store, intent.attemptId, late + 1_000);
      expect(await store.sweep(aSweep({ now: late + 1_001 }))).toMatchObject({ noResult: 1 });
    });

    it('goes by the settings it is given and touches one campaign only', async () => {
      const store = await aRunningStore(open);
      await aRunningCampaign(store, { id: 'cmp_b' });
      for (const campaignId of [CAMPAIGN, 'cmp_b']) {
        await dialled(store, unknown(), { campaignId });
      }

      const settings = someSettings({ reconcileForMs: 1_000 });
      const counts = await store.sweep(aSweep({ now: START + 1_100, settings }));

      expect(counts).toEqual({ ...NOTHING, unconfirmed: 1 });
      expect(await store.progress('cmp_b', START)).toMatchObject({ unknown: 1 });
    });

    it('never lets a lead wait again, however much time passes', async () => {
      const store = await aRunningStore(open, { leads: 4 });
      const [, second, third] = await claimed(store, 4);
      await store.recordDial(second?.attemptId ?? '', unknown());
      await store.recordDial(third?.attemptId ?? '', {
        kind: 'placed',
        callId: 'call_1',
        at: START,
        nextPollAt: START,
        detail: '',
        fingerprint: 'main-1',
      });

      for (let now = START; now < START + 48 * HOUR; now += HOUR) {
        await store.sweep(aSweep({ now, gone: await store.intentOwners(CAMPAIGN) }));
        expect(await store.progress(CAMPAIGN, now)).toMatchObject({
          ...{ waiting: 0, dials: { made: 1, inDoubt: 3, refused: 0, notMade: 0 } },
        });
      }
    });
  });
}

async function pollInVain(store: Store, attemptId: string, at: number): Promise<void> {
  await store.recordPoll(attemptId, { kind: 'pending', at, nextPollAt: at + MINUTE });
}
