import { beforeEach, describe, expect, it } from 'vitest';
import type { Firing, Store } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { aRunningCampaign, CAMPAIGN, type OpenStore } from '../setup.ts';

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
