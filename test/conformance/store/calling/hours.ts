import { describe, expect, it } from 'vitest';
import type { CallingPolicy } from '../../../../src/domain/calling/policy.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../src/domain/time-units.ts';
import type { Store } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { aPhone, someSettings } from '../../../helpers/factory.ts';
import {
  aClaim,
  aRunningCampaign,
  CAMPAIGN,
  claimed,
  claimedOne,
  dialled,
  ENTRY,
  released,
  type OpenStore,
} from '../setup.ts';
import { aPolicy, daily, DENVER, DUBAI, leadsAt, LONDON } from './policies.ts';

/** START is Monday 15:00 in London, 19:00 in Dubai and 08:00 in Denver. */
const NINE_TO_FIVE = aPolicy({ hours: daily(9, 17) });
const DENVER_OPENS = START + HOUR_MS;
const LONDON_CLOSES = START + 2 * HOUR_MS;

export function callingHoursRules(open: OpenStore): void {
  describe('calling hours', () => {
    it('leave out people whose hours are closed, and say when somebody may be called', async () => {
      const { store } = await open();
      await aCampaignUnder(store, NINE_TO_FIVE, leadsAt(DUBAI, LONDON, DENVER, LONDON));

      const claim = await store.claim(aClaim({ want: 4 }));

      expect(claim.intents.map(({ phone }) => phone)).toEqual([aPhone(1), aPhone(3)]);
      expect(claim).toMatchObject({ shortfall: 'outside_hours', askAgainAt: DENVER_OPENS });
      expect(await claimedOne(store, { now: DENVER_OPENS })).toMatchObject({ phone: aPhone(2) });
    });

    it('do not change the order: time, then position, over all open places', async () => {
      const { store } = await open();
      const places = [LONDON, DENVER, DUBAI, DENVER, LONDON, DUBAI, LONDON, DENVER];
      await aCampaignUnder(store, aPolicy({}), leadsAt(...places));
      const back = await claimedOne(store);
      await dialled(store, released('never_sent', START + 1));
      await store.recordDial(back.attemptId, released('never_sent'));

      const order: string[] = [];
      for (const want of [1, 2, 5]) {
        const { intents } = await store.claim(aClaim({ want, now: START + 2 }));
        order.push(...intents.map(({ phone }) => phone));
      }

      expect(order).toEqual([0, 2, 3, 4, 5, 6, 7, 1].map(aPhone));
    });

    it.each([
      ['of a policy without rules', { rules: [] }],
      ['of a campaign without a policy', undefined],
    ])('%s are always open, also for unknown places', async (_, policy) => {
      const { store } = await open();
      const leads = leadsAt('', ';', DENVER);
      await aCampaignUnder(store, policy && aPolicy({}, policy), leads);

      expect(await phonesAt(store, START, 3)).toEqual([0, 1, 2].map(aPhone));
    });

    it('stay closed for people whose place is not known', async () => {
      const { store } = await open();
      await aCampaignUnder(store, NINE_TO_FIVE, leadsAt('', ';GB'));

      expect(await store.claim(aClaim())).toMatchObject({
        intents: [],
        shortfall: 'outside_hours',
        askAgainAt: null,
      });
    });

    it('are not the reason while people wait for their own time where hours are open', async () => {
      const { store } = await open();
      await aCampaignUnder(store, NINE_TO_FIVE, leadsAt(LONDON, DENVER));
      await dialled(store, released('never_sent', START + 5 * MINUTE_MS));

      expect(await store.claim(aClaim())).toMatchObject({
        shortfall: 'not_yet_due',
        askAgainAt: START + 5 * MINUTE_MS,
      });
    });

    it('put off a time at which they are closed', async () => {
      const { store } = await open();
      await aCampaignUnder(store, NINE_TO_FIVE, leadsAt(LONDON));
      await dialled(store, released('never_sent', LONDON_CLOSES + 1));

      const opens = START + 18 * HOUR_MS;
      expect(await store.claim(aClaim())).toMatchObject({ askAgainAt: opens });
      expect(await store.progress(CAMPAIGN, START)).toMatchObject({ nextDueAt: opens });
    });

    it('that are changed hold from the next claim on, in every process', async () => {
      const { store, beside } = await open();
      const { settings } = await aCampaignUnder(store, NINE_TO_FIVE, leadsAt(LONDON, LONDON));
      const other = await beside();
      expect(await phonesAt(other, START)).toEqual([aPhone(0)]);

      const never = { ...settings, policy: aPolicy({ hours: daily(9, 15) }) };
      await store.changeCampaign(CAMPAIGN, { settings: never }, ENTRY);

      expect(await other.claim(aClaim())).toMatchObject({ shortfall: 'outside_hours' });
      await store.changeCampaign(CAMPAIGN, { settings }, ENTRY);
      expect(await phonesAt(other, START)).toEqual([aPhone(1)]);
    });

    it('do not hide leads that another process lets wait again', async () => {
      const { store, beside } = await open();
      await aCampaignUnder(store, NINE_TO_FIVE, leadsAt(LONDON, LONDON, DENVER));
      const other = await beside();
      const { attemptId } = await claimedOne(store);
      await claimedOne(store);
      expect(await store.claim(aClaim())).toMatchObject({ shortfall: 'outside_hours' });

      await other.recordDial(attemptId, released('never_sent'));

      expect(await phonesAt(store, START)).toEqual([aPhone(0)]);
    });

    it('come again after a clock that was set back', async () => {
      const { store } = await open();
      await aCampaignUnder(store, NINE_TO_FIVE, leadsAt(DENVER, LONDON));
      expect(await phonesAt(store, LONDON_CLOSES)).toEqual([aPhone(0)]);

      expect(await phonesAt(store, LONDON_CLOSES - 500)).toEqual([aPhone(1)]);
    });

    it('count who waits where', async () => {
      const { store } = await open();
      await aCampaignUnder(store, NINE_TO_FIVE, leadsAt(LONDON, DENVER, LONDON, LONDON));
      await dialled(store, released('never_sent', START + 7));
      await claimed(store, 1);

      const denver = { zoneKey: DENVER, waiting: 1, firstNotBefore: 0 };
      const london = { zoneKey: LONDON, waiting: 1, firstNotBefore: 0 };
      expect(await store.placesOf(CAMPAIGN, START + 6)).toEqual([
        london,
        { ...london, firstNotBefore: START + 7 },
        denver,
      ]);
      expect(await store.placesOf(CAMPAIGN, START + 7)).toEqual([
        { ...london, waiting: 2 },
        denver,
      ]);
    });
  });
}

async function aCampaignUnder(
  store: Store,
  policy: CallingPolicy | undefined,
  leads: ReturnType<typeof leadsAt>,
) {
  const settings = someSettings({ concurrency: 50, ...(policy && { policy }) });
  return aRunningCampaign(store, { settings, leads });
}

async function phonesAt(store: Store, now: number, want = 1): Promise<string[]> {
  const { intents } = await store.claim(aClaim({ now, want }));
  return intents.map(({ phone }) => phone);
}
