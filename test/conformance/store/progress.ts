import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import { aPhone, someSettings } from '../../helpers/factory.ts';
import {
  aPlacedCall,
  aRunningCampaign,
  aRunningStore,
  aSweep,
  CAMPAIGN,
  claimedOne,
  dialled,
  ENTRY,
  ME,
  rejected,
  released,
  settled,
  unknown,
  type OpenStore,
} from './setup.ts';

export function progressRules(open: OpenStore): void {
  describe('progress', () => {
    it('counts every lead in exactly one place', async () => {
      const store = await aRunningStore(open, { settings: { concurrency: 20 }, leads: 9 });

      // One of each: given up, settled, rejected, withdrawn, released, unknown, ended, placed, intent.
      await dialled(store, unknown(START - 699_000), { now: START - 700_000 });
      await store.sweep(aSweep());
      const talked = await aPlacedCall(store, 'call_1');
      await store.recordPoll(talked.attemptId, settled('call_1'));
      await dialled(store, rejected());
      await store.cancelLead(CAMPAIGN, aPhone(8), ENTRY);
      await dialled(store, released('never_sent', START + 5_000));
      await dialled(store, unknown());
      const hungUp = await aPlacedCall(store, 'call_2');
      const ended = { kind: 'ended', at: START, nextPollAt: START + 1 } as const;
      await store.recordPoll(hungUp.attemptId, ended);
      await aPlacedCall(store, 'call_3');
      await claimedOne(store);

      const progress = await store.progress(CAMPAIGN, START + 200);
      expect(progress).toEqual({
        total: 9,
        waiting: 1,
        calling: 4,
        unknown: 1,
        done: 4,
        results: { unconfirmed: 1, answered: 1, rejected: 1, cancelled: 1 },
        // The unconfirmed one still holds its slot: 15 minutes from its intent are not over.
        held: 4,
        open: 2,
        doubts: 2,
        dials: { made: 3, refused: 1, inDoubt: 2, notMade: 1 },
        answered: 1,
        lastCallAt: START,
        nextDueAt: START + 5_000,
      } satisfies Progress);
      expectToAddUp(progress);
      expect(await store.heldSlots(CAMPAIGN, START + 200)).toHaveLength(progress.held);
      expect(await store.doubts(CAMPAIGN)).toHaveLength(progress.doubts);
    });

    it('is all zeros for a campaign without leads', async () => {
      const store = await aRunningStore(open, { leads: 0 });

      expect(await store.progress(CAMPAIGN, START)).toEqual({
        total: 0,
        waiting: 0,
        calling: 0,
        unknown: 0,
        done: 0,
        results: {},
        held: 0,
        open: 0,
        doubts: 0,
        dials: { made: 0, refused: 0, inDoubt: 0, notMade: 0 },
        answered: 0,
        lastCallAt: null,
        nextDueAt: null,
      });
    });
  });

  describe('runners', () => {
    it('are those that said they work on a campaign and have not left', async () => {
      const { store, beside } = await open();
      await aRunningCampaign(store);
      const other = await beside();
      const second = { ...ME, pid: 99 };

      expect(await store.runnerSeen(CAMPAIGN, ME, START)).toEqual([]);
      expect(await store.runnerSeen(CAMPAIGN, ME, START)).toEqual([]);
      expect(await other.runnerSeen(CAMPAIGN, second, START + 1_000, false)).toMatchObject([
        ME,
        second,
      ]);
      const told = await store.runnerSeen(CAMPAIGN, ME, START + 5_000);

      expect(told).toEqual(await store.runners(CAMPAIGN));
      expect(told).toEqual([
        { ...ME, since: START, seenAt: START + 5_000, dials: true },
        { ...second, since: START + 1_000, seenAt: START + 1_000, dials: false },
      ]);
      expect(await store.runners('cmp_other')).toEqual([]);

      await store.runnerLeft(CAMPAIGN, ME);
      await store.runnerLeft(CAMPAIGN, ME);

      expect(await store.runners(CAMPAIGN)).toMatchObject([second]);
    });
  });

  describe('heldSlots and doubts', () => {
    it('name who holds a slot, since when and how long at most, oldest first', async () => {
      const store = await aRunningStore(open);
      const first = await aPlacedCall(store);
      const second = await claimedOne(store, { now: START + 1_000, owner: { ...ME, pid: 99 } });

      expect(await store.heldSlots(CAMPAIGN, START + 2_000)).toEqual([
        {
          attemptId: first.attemptId,
          key: first.key,
          state: 'placed',
          phone: first.phone,
          list: 1,
          line: 2,
          ...{ cells: ['Person 0', first.phone], mapping: null },
          callId: 'call_1',
          intentAt: START,
          holdsUntil: START + 900_000,
          detail: 'placed',
          owner: ME,
        },
        {
          attemptId: second.attemptId,
          key: second.key,
          state: 'intent',
          phone: second.phone,
          list: 1,
          line: 3,
          ...{ cells: ['Person 1', second.phone], mapping: null },
          callId: null,
          intentAt: START + 1_000,
          holdsUntil: START + 901_000,
          detail: null,
          owner: { ...ME, pid: 99 },
        },
      ]);
      expect(await store.doubts(CAMPAIGN)).toEqual([]);
    });

    it('keep a doubt for a person long after its slot is free', async () => {
      const store = await aRunningStore(open);
      const { attemptId } = await dialled(store, unknown());
      const later = START + 86_400_000;

      expect(await store.heldSlots(CAMPAIGN, later)).toEqual([]);
      expect(await store.doubts(CAMPAIGN)).toMatchObject([{ attemptId, state: 'unknown' }]);

      await store.sweep(aSweep({ now: later, settings: someSettings() }));
      expect(await store.doubts(CAMPAIGN)).toMatchObject([{ attemptId, state: 'unconfirmed' }]);
    });
  });
}

function expectToAddUp({ total, waiting, calling, done, results }: Progress): void {
  expect(waiting + calling + done).toBe(total);
  expect(Object.values(results).reduce((sum, count) => sum + count, 0)).toBe(done);
}
