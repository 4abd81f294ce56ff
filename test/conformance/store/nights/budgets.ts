import { describe, expect, it } from 'vitest';
import type { CampaignSettings } from '../../../../src/domain/campaign.ts';
import type { Analytics } from '../../../../src/domain/lead.ts';
import type { Store } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { someAnalytics, someSettings } from '../../../helpers/factory.ts';
import {
  aClaim,
  aRunningCampaign,
  aSweep,
  CAMPAIGN,
  claimed,
  claimedOne,
  dialled,
  ENTRY,
  placed,
  rejected,
  released,
  settled,
  unknown,
  type OpenStore,
} from '../setup.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The tests begin on 5 January at 10:00 in New York; nights change at 05:00. */
const NEXT_NIGHT = START + 19 * HOUR;
const TONIGHT = '2026-01-05';

function aBudgeted(
  store: Store,
  stop: CampaignSettings['stop'],
  more: Partial<CampaignSettings> = {},
  leads = 40,
) {
  const settings = { concurrency: 20, ...more, ...(stop && { stop }) };
  return aRunningCampaign(store, { settings, leads });
}

/** Places and settles a claimed call. */
async function settle(
  store: Store,
  { attemptId }: { attemptId: string },
  analytics: Partial<Analytics> = {},
  result: 'answered' | 'voicemail' = 'answered',
) {
  const callId = `call_${attemptId}`;
  await store.recordDial(attemptId, placed(callId));
  const settledCall = settled(callId, { analytics: someAnalytics(analytics), result });
  await store.recordPoll(attemptId, settledCall);
}

export function budgetRules(open: OpenStore): void {
  describe('a budget', () => {
    it('of calls is not passed by one', async () => {
      const { store } = await open();
      await aBudgeted(store, { calls: 5 });

      await claimed(store, 3);
      const claim = await store.claim(aClaim({ want: 4 }));
      expect(claim.intents).toHaveLength(2);
      expect(claim).toMatchObject({ shortfall: 'budget', askAgainAt: START + 1_000 });
      expect(await store.claim(aClaim())).toMatchObject({ intents: [], shortfall: 'budget' });
    });

    it('is kept by two runners that ask at the same time', async () => {
      const { store, beside } = await open();
      await aBudgeted(store, { calls: 7 });
      const other = await beside();

      const claims = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          (i % 2 === 0 ? store : other).claim(aClaim({ want: 3 })),
        ),
      );

      expect(claims.flatMap(({ intents }) => intents)).toHaveLength(7);
    });

    it('that is used up holds until the next night, and says so', async () => {
      const { store } = await open();
      await aBudgeted(store, { calls: 2 });
      for (const intent of await claimed(store, 2)) await settle(store, intent);

      const used = { shortfall: 'budget', intents: [], askAgainAt: NEXT_NIGHT };
      expect(await store.claim(aClaim())).toMatchObject(used);
      expect(await store.claim(aClaim({ now: NEXT_NIGHT - 1 }))).toMatchObject(used);
      expect(await store.nights(CAMPAIGN)).toMatchObject([
        { night: TONIGHT, calls: 2, answered: 2, endedBy: 'stop.calls', beganAt: START },
      ]);
      await claimed(store, 2, { now: NEXT_NIGHT });
    });

    it('of the campaign holds until somebody changes it, from the next claim on', async () => {
      const { store, beside } = await open();
      await aBudgeted(store, { total: { calls: 1 } });
      const other = await beside();
      await settle(store, await claimedOne(store));

      for (const now of [START, NEXT_NIGHT, NEXT_NIGHT + 24 * HOUR]) {
        const claim = await other.claim(aClaim({ now }));
        expect(claim).toMatchObject({ shortfall: 'budget', askAgainAt: null });
      }
      const settings = someSettings({ stop: { total: { calls: 2 } } });
      await store.changeCampaign(CAMPAIGN, { settings }, ENTRY);
      await claimedOne(other);
    });

    it('does not hold where nobody waits to be called', async () => {
      const { store } = await open();
      await aBudgeted(store, { calls: 1 }, {}, 1);
      await claimed(store, 1);

      expect(await store.claim(aClaim())).toMatchObject({ shortfall: 'none_waiting' });
    });

    it('gets back what was reserved for a call that was not made', async () => {
      const { store } = await open();
      await aBudgeted(store, { calls: 1 });
      for (const answer of [released('never_sent'), released()]) {
        await dialled(store, answer);
      }
      const { attemptId } = await dialled(store, placed('call_1'));
      await store.recordPoll(attemptId, {
        kind: 'not_called',
        callId: 'call_1',
        at: START + 200,
        detail: 'no line was free',
        notBefore: START,
        refusal: 'no line',
        pause: false,
      });

      await claimedOne(store, { now: START + 10_000 });
    });

    it('counts calls in doubt, and none that were refused for good', async () => {
      const { store } = await open();
      await aBudgeted(store, { calls: 1 });
      await dialled(store, rejected());
      const [other] = await claimed(store, 1);
      await store.recordDial(other?.attemptId ?? '', unknown());
      expect(await store.claim(aClaim())).toMatchObject({ askAgainAt: START + 1_000 });

      const settings = someSettings({ reconcileForMs: 1_000 });
      await store.sweep(aSweep({ settings, now: START + 10_000 }));

      const at = START + 10_000;
      expect(await store.claim(aClaim({ now: at }))).toMatchObject({ askAgainAt: NEXT_NIGHT });
      expect(await store.nights(CAMPAIGN)).toMatchObject([
        { calls: 1, refused: 1, open: 0, stuck: 1 },
      ]);
    });

    it('is that of the night in which a call began, however late it settles', async () => {
      const { store } = await open();
      await aBudgeted(store, { answered: 1 });
      const late = await dialled(store, placed('call_late'), { now: NEXT_NIGHT - 1 });

      const tomorrow = await claimedOne(store, { now: NEXT_NIGHT });
      await store.recordPoll(late.attemptId, settled('call_late', { at: NEXT_NIGHT + HOUR }));
      await settle(store, tomorrow, {}, 'voicemail');

      expect(await store.nights(CAMPAIGN)).toMatchObject([
        { night: TONIGHT, calls: 1, answered: 1 },
        { night: '2026-01-06', calls: 1, answered: 0 },
      ]);
      await claimedOne(store, { now: NEXT_NIGHT + HOUR });
    });

    it('of talk time counts the time to the end of a call whose length the service does not say', async () => {
      const { store } = await open();
      await aBudgeted(store, { talkMinutes: 600 });
      const [one, other] = await claimed(store, 2);
      await settle(store, one ?? { attemptId: '' }, { durationMs: null });
      expect(await store.nights(CAMPAIGN)).toMatchObject([{ talkMs: 60_000 }]);

      const id = other?.attemptId ?? '';
      await store.recordDial(id, placed('call_2'));
      const analytics = someAnalytics({ durationMs: null });
      await store.recordPoll(id, settled('call_2', { analytics, at: START + 3 * HOUR }));
      expect(await store.nights(CAMPAIGN)).toMatchObject([{ talkMs: 16 * MINUTE }]);
    });

    it('of money lets one call begin at a time until a cost is known', async () => {
      const { store } = await open();
      const stop = { cost: { amount: '4', currency: 'EUR' } };
      await aBudgeted(store, stop, { longestCallMs: 10 * MINUTE });
      const first = await claimedOne(store);
      expect(await store.claim(aClaim())).toMatchObject({ shortfall: 'budget' });

      const analytics = { durationMs: MINUTE, cost: '0.1', costCurrency: 'EUR' };
      await settle(store, first, analytics);
      expect((await store.claim(aClaim({ want: 9 }))).intents).toHaveLength(3);
      expect(await store.nights(CAMPAIGN)).toMatchObject([
        { costs: { EUR: { sum: '0.1', perMinute: 0.1 } }, open: 0 },
      ]);
    });

    it('that ends at a time of day lets no call begin from that moment on', async () => {
      const { store } = await open();
      await aBudgeted(store, { at: '20:30' });
      const stopsAt = START + 10.5 * HOUR;

      await claimedOne(store, { now: stopsAt - 1 });
      expect(await store.claim(aClaim({ now: stopsAt }))).toMatchObject({
        shortfall: 'budget',
        askAgainAt: NEXT_NIGHT,
      });
      await claimedOne(store, { now: NEXT_NIGHT });
    });

    it('that is past its time has lost dials wait as well', async () => {
      const { store } = await open();
      await aBudgeted(store, { at: '20:30' });
      const stopsAt = START + 10.5 * HOUR;
      const replay = { forMs: HOUR, account: 'main', monotonic: 0 };
      await dialled(store, unknown(stopsAt - 900), { now: stopsAt - 1_000, replay });
      await store.sweep(aSweep({ now: stopsAt - 800 }));

      const later = (ms: number) => ({ replay: { ...replay, monotonic: ms } });
      const claim = await store.claim(aClaim({ now: stopsAt + 60_000, ...later(61_000) }));

      expect(claim).toMatchObject({ intents: [], shortfall: 'budget' });
    });

    it('may be set in the middle of a night, and counts the calls made before', async () => {
      const { store } = await open();
      await aBudgeted(store, undefined);
      for (const intent of await claimed(store, 3)) await settle(store, intent);
      await claimed(store, 2);
      expect(await store.budget(CAMPAIGN, START)).toBeNull();

      const settings = someSettings({ concurrency: 20, stop: { calls: 6 } });
      await store.changeCampaign(CAMPAIGN, { settings }, ENTRY);

      expect((await store.claim(aClaim({ want: 9 }))).intents).toHaveLength(1);
      expect(await store.budget(CAMPAIGN, START)).toMatchObject({
        night: { date: TONIGHT },
        next: { date: '2026-01-06' },
        tonight: { calls: 6, open: 3, answered: 3 },
        more: 0,
        limit: { by: 'stop.calls', until: 'calls_end' },
      });
    });

    it('that was raised lets the night go on, which then has not ended by it', async () => {
      const { store } = await open();
      await aBudgeted(store, { calls: 1 });
      await settle(store, await claimedOne(store));
      await store.claim(aClaim());
      const settings = someSettings({ stop: { calls: 2 } });
      await store.changeCampaign(CAMPAIGN, { settings }, ENTRY);

      await settle(store, await claimedOne(store));

      expect(await store.nights(CAMPAIGN)).toMatchObject([{ calls: 2, endedBy: null }]);
    });
  });
}
