import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { forecastKnown } from '../../../src/app/plan/forecast.ts';
import { callingAhead, scheduledBegin } from '../../../src/app/plan/planned-hours.ts';
import { playNights } from '../../../src/app/rehearsal/play.ts';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import { nightOf } from '../../../src/domain/nights/night.ts';
import type { SeenCall } from '../../../src/domain/forecast/game.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/domain/time-units.ts';
import type { Store } from '../../../src/store/port.ts';
import { openScratchStore } from '../../../src/store/sqlite/scratch/scratch-store.ts';
import { aPolicy, daily, LONDON } from '../../conformance/store/calling/policies.ts';
import { aRunningCampaign, CAMPAIGN, ME } from '../../conformance/store/setup.ts';
import { aServer } from '../../helpers/services/a-server.ts';
import { START } from '../../helpers/clock.ts';
import { aLead, someSettings } from '../../helpers/factory.ts';
import { Night } from '../../helpers/night.ts';
import { examples } from '../../helpers/properties.ts';
import { ServiceDouble } from '../../helpers/services/service-double.ts';

/** From Monday 15:00 UTC to Thursday 05:00: three nights. */
const LOOKED_AT_MS = 62 * HOUR_MS;
const HALF_HOUR = HOUR_MS / 2;

/** How many calls each night has. */
type Nights = Record<string, number>;

/** Settings that decide when somebody is called; all their times are on half hours. */
const settings = fc
  .record({
    schedule: fc.option(
      fc
        .tuple(fc.constantFrom(0, 30), fc.integer({ min: 6, max: 22 }), fc.constantFrom('*', '2,4'))
        .map(([minute, hour, days]) => `${minute} ${hour} * * ${days}`),
    ),
    hours: fc.option(fc.tuple(fc.integer({ min: 6, max: 20 }), fc.integer({ min: 2, max: 16 }))),
    from: fc.option(fc.integer({ min: 6, max: 23 })),
    calls: fc.option(fc.integer({ min: 1, max: 4 })),
    total: fc.option(fc.integer({ min: 1, max: 6 })),
    at: fc.option(fc.integer({ min: 6, max: 23 })),
    cents: fc.option(fc.integer({ min: 1, max: 120 })),
    totalCents: fc.option(fc.integer({ min: 1, max: 200 })),
    longestMin: fc.integer({ min: 1, max: 4 }),
    concurrency: fc.integer({ min: 1, max: 3 }),
  })
  .map((drawn): CampaignSettings => {
    const { schedule, hours, from, calls, total, at, concurrency, longestMin } = drawn;
    const ofAll = {
      ...(total !== null && { calls: total }),
      ...(drawn.totalCents !== null && { cost: dollars(drawn.totalCents) }),
    };
    const stop = {
      ...(calls !== null && { calls }),
      ...(drawn.cents !== null && { cost: dollars(drawn.cents) }),
      ...(Object.keys(ofAll).length > 0 && { total: ofAll }),
      ...(at !== null && { at: `${String(at).padStart(2, '0')}:00` }),
    };
    const notBefore = from !== null && {
      notBefore: { at: `2026-01-06 ${String(from).padStart(2, '0')}:00`, timezone: 'UTC' },
    };
    const open = hours && { hours: daily(hours[0], Math.min(24, hours[0] + hours[1])) };
    const policy = (open !== null || notBefore !== false) && aPolicy(open ?? {}, notBefore || {});
    return someSettings({
      ...{ concurrency, longestCallMs: longestMin * MINUTE_MS },
      ...{ timezone: 'UTC', results: { file: '-', format: 'csv' } },
      ...(schedule !== null && { schedule }),
      ...(policy && { policy }),
      ...(Object.keys(stop).length > 0 && { stop }),
    });
  });

function dollars(cents: number) {
  return { amount: String(cents / 100), currency: 'USD' };
}

/** Calls as `ServiceDouble` makes them: of one second, for 0.12 USD. */
const TALK_MS = 1_000;
const SEEN: SeenCall = {
  ...{ result: 'answered', source: 'derived', slotMs: TALK_MS, analysedMs: 0, talkMs: TALK_MS },
  ...{ cost: 0.12, currency: 'USD', callbackMs: null, before: null },
};

it('check, rehearse and serve come to the same calls in the same nights', async () => {
  await fc.assert(
    fc.asyncProperty(settings, fc.integer({ min: 1, max: 6 }), async (plan, people) => {
      const happened = await served(plan, people);
      expect(await rehearsed(plan, people)).toEqual(happened);
      // What check and start refuse calls nobody.
      expect(isRefused(plan) ? {} : await foreseen(plan, people)).toEqual(happened);
    }),
    { numRuns: examples(3) },
  );
});

function isRefused(plan: CampaignSettings): boolean {
  const places = [{ zoneKey: LONDON, waiting: 1, firstNotBefore: 0 }];
  try {
    scheduledBegin(plan, callingAhead(plan, places, START, START), START);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'SCHEDULE_NEVER' });
    return true;
  }
}

function leadsOf(people: number) {
  return Array.from({ length: people }, (_, n) => aLead(n, { zoneKey: LONDON }));
}

function byNight(moments: readonly number[]): Nights {
  const nights: Nights = {};
  for (const at of moments) {
    if (at >= START + LOOKED_AT_MS) continue;
    const night = nightOf(at, { timezone: 'UTC' }, () => 0);
    nights[night] = (nights[night] ?? 0) + 1;
  }
  return nights;
}

async function foreseen(plan: CampaignSettings, people: number): Promise<Nights> {
  const store = {
    seenCalls: () => Promise.resolve(Array.from({ length: 40 }, () => SEEN)),
    listCampaigns: () => Promise.resolve([]),
  } as unknown as Store;
  const report = await forecastKnown({
    ...{ store, campaignId: null, settings: plan, service: 'main', maxCalls: null },
    ...{ retryDerived: false, fresh: [[LONDON, people]], leftOut: 0, startAt: START },
    ...{ endsAt: Infinity, since: START },
  });
  const nights = report.byNight.filter(({ beginsAt }) => beginsAt < START + LOOKED_AT_MS - HOUR_MS);
  return Object.fromEntries(nights.map(({ night, calls }) => [night, calls.middle]));
}

async function rehearsed(plan: CampaignSettings, people: number): Promise<Nights> {
  const scratch = openScratchStore();
  onTestFinished(() => scratch.store.close());
  const campaign = await aRunningCampaign(scratch.store, {
    settings: plan,
    leads: leadsOf(people),
  });
  scratch.begin(CAMPAIGN);
  const night = new Night();
  const service = new ServiceDouble({ clock: night.clock, dial: () => ({ talkMs: TALK_MS }) });
  const stop = new AbortController();
  void night.clock.sleep(LOOKED_AT_MS).then(() => {
    stop.abort();
  });
  await playNights({
    ...{ store: night.watch(scratch.store), campaign, service, maxCalls: null, time: night },
    ...{ owner: ME, stop: stop.signal },
  });
  return byNight(scratch.calls().map(({ at }) => at));
}

async function served(plan: CampaignSettings, people: number): Promise<Nights> {
  const { night, store, dialledAt, serveDuring } = aServer({ talkMs: TALK_MS });
  await aRunningCampaign(store, { settings: plan, leads: leadsOf(people) });
  await serveDuring(async () => {
    for (let at = START; at < START + LOOKED_AT_MS; at += HALF_HOUR) {
      night.clock.setWall(at);
      await night.sleep(10_000);
    }
  });
  return byNight(dialledAt);
}
