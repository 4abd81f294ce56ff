import { describe, expect, it } from 'vitest';
import type {
  CampaignChange,
  ClaimRequest,
  DialRecord,
  Intent,
  Store,
} from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { aPhone, someSettings } from '../../../helpers/factory.ts';
import {
  aClaim,
  aRunningCampaign,
  aRunningStore,
  aSweep,
  CAMPAIGN,
  claimed,
  claimedOne,
  dialled,
  ENTRY,
  exported,
  placed,
  released,
  rowOf,
  settled,
  unknown,
  type OpenStore,
} from '../setup.ts';

export const MINUTE = 60_000;
/** The service knows a key for a day. */
export const REPLAY = { forMs: 24 * 60 * MINUTE, account: 'account-1', monotonic: 0 };
/** Its answer was lost at START + 100; a second later it may be sent again. */
export const DUE = START + 1_100;

/** A claim of one for a service that answers one key with one call. */
export const again = (overrides: Partial<ClaimRequest> = {}): ClaimRequest =>
  aClaim({ replay: REPLAY, now: DUE, ...overrides });

/** What came of a dial that was sent again, as far as it settles nothing. */
const failed = (
  at: number,
  { spent = true, backoffMs = null }: { spent?: boolean; backoffMs?: number | null } = {},
): DialRecord => ({
  kind: 'unknown',
  at,
  detail: 'still nothing',
  answered: false,
  accepted: false,
  replay: { spent, backoffMs },
});

/** The only lead, dialled, and its answer lost. */
export async function aLostDial(
  store: Store,
  overrides: Partial<ClaimRequest> = {},
): Promise<Intent> {
  const intent = await dialled(store, unknown(), { replay: REPLAY, ...overrides });
  return intent;
}

export function replayRules(open: OpenStore): void {
  describe('a dial whose answer was lost, at a service that answers one key with one call,', () => {
    it('is given once more: the same attempt under the same key, still unknown', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const lost = await aLostDial(store);

      const { intents, shortfall } = await store.claim(again());

      expect(shortfall).toBeNull();
      expect(intents).toEqual([{ ...lost, replayed: true }]);
      expect(await rowOf(store, lost)).toMatchObject({
        state: 'calling',
        attempts: 1,
        attempt: { state: 'unknown', intentAt: START },
      });
    });

    it('waits a second, and the claim says until when', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      await aLostDial(store);

      expect(await store.claim(again({ now: DUE - 1 }))).toMatchObject({
        intents: [],
        shortfall: 'not_yet_due',
        askAgainAt: DUE,
      });
    });

    it('brings the cells of its row, where the dial needs them', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      await aLostDial(store);

      const [intent] = (await store.claim(again({ withVariables: true }))).intents;

      expect(intent?.variables).toEqual({ name: 'Person 0', phone: aPhone(0) });
    });

    it('comes before people who were not called yet, and without a free slot', async () => {
      const store = await aRunningStore(open, { leads: 3, settings: { concurrency: 1 } });
      const lost = await aLostDial(store);
      expect(await store.claim(again({ now: DUE - 1 }))).toMatchObject({
        shortfall: 'no_free_slot',
      });

      const { intents } = await store.claim(again({ want: 3 }));

      expect(intents.map(({ phone }) => phone)).toEqual([lost.phone]);
      expect(await store.claim(again({ now: DUE + 1 }))).toMatchObject({ intents: [] });
    });

    it('holds its slot for as long as a call may last from then on', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      await aLostDial(store);
      await store.claim(again());

      const [slot] = await store.heldSlots(CAMPAIGN, DUE);

      expect(slot?.holdsUntil).toBe(DUE + someSettings().longestCallMs);
    });

    it('becomes placed by an answer that names the call', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const lost = await aLostDial(store);
      await store.claim(again());

      expect(await store.recordDial(lost.attemptId, placed('call_1', DUE + 50))).toBe('moved');
      await store.recordPoll(lost.attemptId, settled('call_1'));

      expect((await exported(store))[0]).toMatchObject({ state: 'done', result: 'answered' });
    });

    it('stays unknown whatever else the answer is, and its person does not wait again', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const lost = await aLostDial(store);
      await store.claim(again());

      const refusal = failed(DUE + 50, { spent: false, backoffMs: 5_000 });
      expect(await store.recordDial(lost.attemptId, refusal)).toBe('stayed');

      expect(await rowOf(store, lost)).toMatchObject({
        state: 'calling',
        attempt: { state: 'unknown', detail: 'no answer within 30 s' },
      });
      expect(await store.claim(again({ now: DUE + 1_200 }))).toMatchObject({
        shortfall: 'not_yet_due',
        askAgainAt: DUE + 5_050,
      });
    });

    it('is tried four times, each time after a longer while, and then no more', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const lost = await aLostDial(store);
      const gaps: number[] = [];
      let at = START + 100;
      for (;;) {
        const { shortfall, askAgainAt } = await store.claim(again({ now: at }));
        if (shortfall === 'none_waiting') break;
        gaps.push(Number(askAgainAt) - at);
        at = Number(askAgainAt);
        expect((await store.claim(again({ now: at }))).intents).toHaveLength(1);
        await store.recordDial(lost.attemptId, failed(at));
      }

      expect(gaps).toEqual([1_000, 5_000, 20_000, 60_000]);
    });

    it('is not charged for a replay whose key the service has surely not looked up', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const lost = await aLostDial(store);
      for (let n = 0, at = DUE; n < 10; n++, at += 1_000) {
        expect((await store.claim(again({ now: at }))).intents).toHaveLength(1);
        await store.recordDial(lost.attemptId, failed(at, { spent: false }));
      }
    });

    it('is given to one runner at a time, and again two minutes after one that died', async () => {
      const { store, beside } = await open();
      const other = await beside();
      await aRunningCampaign(store, { leads: 1 });
      await aLostDial(store);
      expect((await store.claim(again())).intents).toHaveLength(1);

      const second = await other.claim(again({ now: DUE + 1 }));
      expect(second).toMatchObject({ intents: [], askAgainAt: DUE + 2 * MINUTE });
      expect((await other.claim(again({ now: DUE + 2 * MINUTE }))).intents).toHaveLength(1);
    });

    it('keeps the pace', async () => {
      const { store } = await open();
      const settings = { pace: { count: 1, perMs: 10_000 } };
      await aRunningCampaign(store, { leads: 2, settings });
      const lost = await aLostDial(store);

      expect(await store.claim(again())).toMatchObject({ intents: [], shortfall: 'pace' });
      const { intents } = await store.claim(again({ now: START + 10_000, want: 2 }));
      expect(intents.map(({ phone }) => phone)).toEqual([lost.phone]);
      expect(await store.claim(again({ now: START + 10_001 }))).toMatchObject({
        shortfall: 'pace',
      });
    });

    it('leaves a service alone that asked for it', async () => {
      const store = await aRunningStore(open, { leads: 2 });
      const [first, second] = await claimed(store, 2, { replay: REPLAY });
      await store.recordDial(first?.attemptId ?? '', unknown());
      const refusal = { ...released(), backoffMs: 30_000 } as DialRecord;
      await store.recordDial(second?.attemptId ?? '', refusal);

      expect(await store.claim(again())).toMatchObject({
        intents: [],
        shortfall: 'service_backoff',
      });
      const { intents } = await store.claim(again({ now: START + 30_100 }));
      expect(intents).toMatchObject([{ attemptId: first?.attemptId, replayed: true }]);
    });

    it('that was sent by a process that is gone is sent again as well', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const { attemptId } = await claimedOne(store, { replay: REPLAY });
      await store.sweep(aSweep({ now: START + 100, gone: await store.intentOwners(CAMPAIGN) }));

      expect((await store.claim(again())).intents).toMatchObject([{ attemptId, replayed: true }]);
    });
  });
}

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

    it.each([
      ['two machines whose clocks differ', { ahead: 500, pause: 0 }],
      ['a process that pauses between reading one clock and the other', { ahead: 0, pause: 400 }],
    ])('is not made older by %s', async (_, { ahead, pause }) => {
      const { store, beside } = await open();
      await aRunningCampaign(store, { leads: 1 });
      await aLostDial(store);
      const other = await beside();
      const elsewhere = { ...REPLAY, account: 'account-2' };
      for (let ms = 500; ms <= MINUTE; ms += 500) {
        const monotonic = ms + (ms % 1_000 === 0 ? pause : 0);
        const at = { replay: { ...elsewhere, monotonic } };
        await other.claim(again({ ...at, now: START + ms + ahead }));
        await store.claim(again({ ...at, now: START + ms }));
      }

      const replay = { ...REPLAY, forMs: 2 * MINUTE + 1_000 };
      const { intents } = await (await beside()).claim(again({ now: START + MINUTE, replay }));
      expect(intents).toHaveLength(1);
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
