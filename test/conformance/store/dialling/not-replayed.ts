import { describe, expect, it } from 'vitest';
import type { CampaignChange, ClaimRequest } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { again, aLostDial, DUE, MINUTE, REPLAY } from './replays.ts';
import {
  aClaim,
  aRunningCampaign,
  aRunningStore,
  aSweep,
  CAMPAIGN,
  claimedOne,
  ENTRY,
  placed,
  settled,
  unknown,
  type OpenStore,
} from '../setup.ts';

/** When a dial is not sent again, though its service answers one key with one call. */
export function notReplayedRules(open: OpenStore): void {
  describe('a dial whose answer was lost, and that may be a second call,', () => {
    it('is not sent again to a number that is suppressed meanwhile', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const { phone } = await aLostDial(store);
      const entry = { phone, at: START + 500, source: 'operator', who: 'operator' } as const;
      await store.suppress([{ ...entry, note: null, expiresAt: null }]);

      expect(await store.claim(again())).toMatchObject({ intents: [], shortfall: 'none_waiting' });
    });

    it.each<[string, CampaignChange]>([
      ['paused', { pause: { reason: 'operator', detail: '' } }],
      ['cancelled', { state: 'cancelled' }],
    ])('is not sent again while its campaign is %s', async (_, change) => {
      const store = await aRunningStore(open, { leads: 1 });
      await aLostDial(store);
      await store.changeCampaign(CAMPAIGN, change, ENTRY);

      expect((await store.claim(again())).intents).toEqual([]);
    });

    it.each<[string, Partial<ClaimRequest>]>([
      ['at another account or address', { replay: { ...REPLAY, account: 'account-2' } }],
      ['at another service', { service: 'other' }],
      ['by a profile that has not been proved', { fingerprint: 'main-2' }],
      ['in the last minute of the promise', { replay: { ...REPLAY, forMs: MINUTE + 1_000 } }],
    ])('is not sent again %s', async (_, overrides) => {
      const store = await aRunningStore(open, { leads: 1 });
      await aLostDial(store);

      expect(await store.claim(again(overrides))).toMatchObject({
        intents: [],
        shortfall: 'none_waiting',
      });
      expect((await store.claim(again())).intents).toHaveLength(1);
    });

    it('is not made younger by a wall clock that is set back, as often as that happens', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      await aLostDial(store);
      const setBackAfter = (monotonic: number) =>
        store.claim(again({ now: START, replay: { ...REPLAY, forMs: 5 * MINUTE, monotonic } }));

      expect(await setBackAfter(2 * MINUTE)).toMatchObject({ shortfall: 'not_yet_due' });
      expect(await setBackAfter(4 * MINUTE)).toMatchObject({ shortfall: 'not_yet_due' });
      expect(await setBackAfter(4 * MINUTE + 1)).toMatchObject({ shortfall: 'none_waiting' });
    });

    it('is not made younger by one that was set back between two processes', async () => {
      const { store, beside } = await open();
      await aRunningCampaign(store, { leads: 1 });
      await aLostDial(store);
      const elsewhere = { ...REPLAY, account: 'account-2' };
      await store.claim(again({ now: START + 3 * MINUTE, replay: elsewhere }));
      const next = async (now: number) => {
        const other = await beside();
        return other.claim(again({ now, replay: { ...REPLAY, forMs: 5 * MINUTE } }));
      };

      expect(await next(START)).toMatchObject({ shortfall: 'not_yet_due' });
      expect(await next(START + MINUTE + 1)).toMatchObject({ shortfall: 'none_waiting' });
    });

    it('is not sent again without that promise, neither then nor when it was made', async () => {
      const store = await aRunningStore(open, { leads: 2 });
      const [first, second] = [
        await aLostDial(store),
        await claimedOne(store, { replay: undefined } as never),
      ];
      await store.recordDial(second.attemptId, unknown());

      expect((await store.claim(aClaim({ now: DUE }))).intents).toEqual([]);
      const { intents } = await store.claim(again({ want: 5 }));
      expect(intents.map(({ attemptId }) => attemptId)).toEqual([first.attemptId]);
    });

    it('is not sent again once its slot is free: it would be a call too many', async () => {
      const store = await aRunningStore(open, { leads: 1, settings: { longestCallMs: MINUTE } });
      await aLostDial(store);

      expect((await store.claim(again({ now: START + MINUTE }))).intents).toEqual([]);
      expect((await store.claim(again({ now: START + MINUTE - 1 }))).intents).toHaveLength(1);
    });

    it('is not sent again once the doubt is over', async () => {
      const { store } = await open();
      const { settings } = await aRunningCampaign(store, { leads: 2 });
      const later = { now: START + settings.longestCallMs };
      await aLostDial(store);
      const found = await aLostDial(store);

      await store.recordDial(found.attemptId, placed('call_1'));
      await store.recordPoll(found.attemptId, settled('call_1'));
      expect((await store.claim(again({ want: 5 }))).intents).toHaveLength(1);
      await store.sweep(aSweep({ now: START + settings.reconcileForMs + 100 }));

      expect((await store.claim(again(later))).intents).toEqual([]);
    });
  });
}
