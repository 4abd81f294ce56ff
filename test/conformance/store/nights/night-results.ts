import { beforeEach, describe, expect, it } from 'vitest';
import type { Firing, NightFile, ResultsTaker, Store } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import {
  aRunningCampaign,
  aRunningStore,
  CAMPAIGN,
  claimedOne,
  dialled,
  placed,
  rejected,
  settled,
  unknown,
  type OpenStore,
} from '../setup.ts';

const TONIGHT = '2026-01-05';
const FILE: NightFile = {
  ...{ campaignId: CAMPAIGN, night: TONIGHT, file: '/results/spring.csv', at: START, calls: 1 },
  machine: 'host-1',
};
const TAKER: ResultsTaker = { host: 'h', boot: 'b', pid: 1, at: START, before: null };

export function nightResultRules(open: OpenStore): void {
  describe('what is kept of a night', () => {
    it('are its results, complete once no call of it is in progress, until there is another call', async () => {
      const store = await aRunningStore(open, { leads: 9 });
      const { attemptId } = await dialled(store, placed('call_1'));

      await store.keepNightFile(FILE);
      expect(await store.nights(CAMPAIGN)).toMatchObject([
        { resultsFile: FILE.file, resultsMachine: 'host-1', resultsAt: null },
      ]);
      await store.recordPoll(attemptId, settled('call_1'));
      await store.keepNightFile(FILE);
      expect(await store.nights(CAMPAIGN)).toMatchObject([{ resultsAt: START }]);

      await store.recordDial((await claimedOne(store)).attemptId, rejected());
      expect(await store.nights(CAMPAIGN)).toMatchObject([
        { resultsFile: FILE.file, resultsAt: null },
      ]);
      // A call has begun since that file was read.
      await store.keepNightFile(FILE);
      expect(await store.nights(CAMPAIGN)).toMatchObject([{ resultsAt: null }]);
    });

    it('are the results of a night that is over, whatever is still in progress', async () => {
      const store = await aRunningStore(open, { leads: 9 });
      await store.recordDial((await claimedOne(store)).attemptId, placed('call_1'));

      await store.keepNightFile({ ...FILE, calls: null });

      expect(await store.nights(CAMPAIGN)).toMatchObject([{ resultsAt: START, open: 1 }]);
    });

    it('is who writes its results, of several one', async () => {
      const store = await aRunningStore(open, { leads: 9 });
      await store.recordDial((await claimedOne(store)).attemptId, rejected());
      const take = (by: ResultsTaker, taken: ResultsTaker | null) =>
        store.takeNightResults(CAMPAIGN, TONIGHT, by, taken);

      expect(await take(TAKER, null)).toBe(true);
      expect(await take({ ...TAKER, pid: 2 }, null)).toBe(false);
      expect(await store.nights(CAMPAIGN)).toMatchObject([{ resultsTaker: TAKER }]);
      expect(await take({ ...TAKER, pid: 2 }, TAKER)).toBe(true);
      await store.keepNightFile(FILE);
      expect(await take(TAKER, null)).toBe(false);
      expect(await store.nights(CAMPAIGN)).toMatchObject([{ resultsTaker: null }]);
    });

    it('is why calling stopped first, until there is another call', async () => {
      const store = await aRunningStore(open, { leads: 9 });
      await store.recordDial((await claimedOne(store)).attemptId, rejected());

      await store.keepNightEnd(CAMPAIGN, TONIGHT, 'interrupted');
      await store.keepNightEnd(CAMPAIGN, TONIGHT, 'hours');
      expect(await store.nights(CAMPAIGN)).toMatchObject([{ endReason: 'interrupted' }]);

      await store.recordDial((await claimedOne(store)).attemptId, rejected());
      expect(await store.nights(CAMPAIGN)).toMatchObject([{ endReason: null }]);
    });

    it('are the leads that its calls have made final, and its calls in doubt', async () => {
      const store = await aRunningStore(open, { leads: 9 });
      const first = await dialled(store, placed('call_1'));
      await store.recordPoll(first.attemptId, settled('call_1'));
      await store.recordDial((await claimedOne(store)).attemptId, rejected());
      await store.recordDial((await claimedOne(store)).attemptId, unknown());

      expect(await store.finalLeads(CAMPAIGN, TONIGHT)).toEqual([
        { result: 'answered', leads: 1 },
        { result: 'rejected', leads: 1 },
      ]);
      expect(await store.finalLeads(CAMPAIGN, '2026-01-06')).toEqual([]);
      expect(await store.nightDoubts(CAMPAIGN)).toEqual([
        { night: TONIGHT, inDoubt: 1, open: 1, doubts: 1 },
      ]);
    });
  });
}

const MINE = { host: 'a', boot: 'b', pid: 1 };
const aFiring = (at: number, overrides: Partial<Firing> = {}): Firing => ({
  ...{ at, met: 'on_time', takenAt: at + 5, taker: MINE },
  ...overrides,
});

export function firingRules(open: OpenStore): void {
  describe('scheduled times', () => {
    let store: Store;
    let beside: () => Promise<Store>;
    beforeEach(async () => {
      ({ store, beside } = await open());
      await aRunningCampaign(store);
    });

    it('are taken up once, by whoever comes first', async () => {
      const other = await beside();
      const both = await Promise.all([
        store.takeFiring(CAMPAIGN, aFiring(START)),
        other.takeFiring(CAMPAIGN, aFiring(START, { met: 'told', taker: { ...MINE, pid: 2 } })),
      ]);
      expect(both.toSorted()).toEqual([false, true]);
      const met = both[0] ? 'on_time' : 'told';
      expect(await other.firings(CAMPAIGN)).toMatchObject([{ at: START, met }]);
      expect(await store.takeFiring(CAMPAIGN, aFiring(START))).toBe(false);
    });

    it('belong to their campaign, the newest fifty of them', async () => {
      await aRunningCampaign(store, { id: 'cmp_other' });
      await store.takeFiring('cmp_other', aFiring(START));
      for (let n = 0; n < 51; n++) await store.takeFiring(CAMPAIGN, aFiring(START + n));
      const firings = await store.firings(CAMPAIGN);
      expect(firings).toHaveLength(50);
      expect(firings[0]).toEqual(aFiring(START + 50));
      expect(await store.firings('cmp_other')).toEqual([aFiring(START)]);
    });
  });
}
