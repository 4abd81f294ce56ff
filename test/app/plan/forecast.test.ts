import { describe, expect, it, onTestFinished } from 'vitest';
import { forecastKnown, type Known } from '../../../src/app/plan/forecast.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time-units.ts';
import type { Store } from '../../../src/store/port.ts';
import { openScratchStore } from '../../../src/store/sqlite/scratch/scratch-store.ts';
import { aPolicy, daily, LONDON } from '../../conformance/store/calling/policies.ts';
import {
  aRunningCampaign,
  CAMPAIGN,
  claimed,
  placed,
  settled,
} from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aLead, someSettings } from '../../helpers/factory.ts';

describe('a forecast', () => {
  it('of a new list is made from usual calls, which cost nothing that is known', async () => {
    const report = await forecastKnown(aKnown({ fresh: [[LONDON, 100]] }));
    expect(report).toMatchObject({ people: 100, weight: 1, slots: 5, end: 'done' });
    expect(report.seen).toEqual({ of: 'defaults', calls: 0, priced: 0, pricedBy: null });
    expect(report.calls.middle).toBe(100);
    expect(report.costs).toEqual({});
  });

  it('is made from the calls that say most: of the campaign, the agent, the service', async () => {
    const store = aStore();
    await aRunningCampaign(store, { leads: 60, settings: { concurrency: 40 } });
    await calledAll(store, CAMPAIGN, 40);
    const known = aKnown({ store, campaignId: CAMPAIGN });
    const own = await forecastKnown(known);
    expect(own).toMatchObject({ people: 20, seen: { of: 'campaign', calls: 40, priced: 40 } });
    // 20 calls of a minute in five slots, and 0.12 each.
    expect((own.endsAt.middle ?? 0) - START).toBe(4 * MINUTE_MS);
    expect(own.costs['USD']?.middle).toBeCloseTo(2.4);

    const fresh = [[LONDON, 10]] as const;
    const other = { campaignId: null, fresh };
    expect((await forecastKnown({ ...known, ...other })).seen.of).toBe('agent');
    const settings = someSettings({ agent: 'ag_2' });
    expect((await forecastKnown({ ...known, ...other, settings })).seen.of).toBe('service');
    expect((await forecastKnown({ ...known, ...other, service: 'else' })).seen.of).toBe('defaults');
  });

  it('has no more calls at once than the service takes', async () => {
    expect((await forecastKnown(aKnown({ fresh: [[LONDON, 9]], maxCalls: 2 }))).slots).toBe(2);
  });

  it('leaves out people whom other campaigns have called', async () => {
    const store = aStore();
    await aRunningCampaign(store, { leads: 30 });
    const known = aKnown({ store, campaignId: CAMPAIGN, fresh: [[LONDON, 10]], leftOut: 20 });
    const { people, calls } = await forecastKnown(known);
    expect([people, calls.middle]).toEqual([20, 20]);
    expect((await forecastKnown(aKnown({ leftOut: 0 }))).people).toBe(0);
  });

  it('keeps to a budget of money at the usual price, in its currency', async () => {
    const stop = { cost: { amount: '4', currency: 'EUR' } };
    const settings = someSettings({ timezone: 'UTC', stop });
    const report = await forecastKnown(aKnown({ settings, fresh: [[LONDON, 100]] }));
    expect(report.seen).toEqual({ of: 'defaults', calls: 0, priced: 0, pricedBy: 'usual' });
    expect(report.end).toBe('done');
    const [first] = report.byNight;
    expect(first?.calls.middle).toBeGreaterThan(10);
    expect(first?.calls.middle).toBeLessThan(50);
    expect(report.costs['EUR']?.middle).toBeGreaterThan(5);
  });

  it('takes one of several people where there are many', async () => {
    const { weight, calls } = await forecastKnown(aKnown({ fresh: [[LONDON, 25_000]] }));
    expect([weight, Math.round(calls.middle / 100)]).toEqual([3, 250]);
  });

  it('keeps to what a night has used, to the schedule and to its end', async () => {
    const store = aStore();
    const settings = someSettings({ timezone: 'UTC', stop: { calls: 40 }, concurrency: 40 });
    await aRunningCampaign(store, { leads: 60, settings });
    await calledAll(store, CAMPAIGN, 40);
    const known = aKnown({ store, campaignId: CAMPAIGN, settings });
    const { byNight } = await forecastKnown({ ...known, startAt: START + HOUR_MS });
    expect(byNight.map(({ night }) => night)).toEqual(['2026-01-06']);

    const scheduled = { settings: someSettings({ timezone: 'UTC', schedule: '0 9 * * *' }) };
    const late = await forecastKnown(aKnown({ ...scheduled, fresh: [[LONDON, 5]] }));
    expect(late.endsAt.low).toBeGreaterThan(START + 17.5 * HOUR_MS);
    // It is 15:00: the night that began at 09:00 goes on for what is called already.
    const going = aKnown({ ...scheduled, fresh: [[LONDON, 5]], since: -Infinity });
    expect((await forecastKnown(going)).endsAt.high).toBeLessThan(START + HOUR_MS);
    const policy = aPolicy({ hours: daily(9, 10) });
    const shut = aKnown({ settings: someSettings({ policy }), fresh: [[LONDON, 5]] });
    expect((await forecastKnown({ ...shut, endsAt: START + HOUR_MS })).end).toBe('time');
    expect((await forecastKnown(shut)).endsAt.low).toBeGreaterThan(START + DAY_MS / 2);
  });

  it('names the running campaigns that share the slots of the service', async () => {
    const store = aStore();
    await aRunningCampaign(store, { leads: [aLead(1)] });
    await aRunningCampaign(store, { id: 'cmp_autumn', leads: [aLead(2)] });
    await aRunningCampaign(store, { id: 'cmp_else', service: 'else', leads: [aLead(3)] });
    const { sharesWith } = await forecastKnown(aKnown({ store, campaignId: CAMPAIGN }));
    expect(sharesWith).toEqual(['cmp_autumn', 'cmp_proof']);
  });
});

function aKnown(own: Partial<Known>): Known {
  return {
    ...{ store: undefined, campaignId: null, settings: someSettings(), service: 'main' },
    ...{ maxCalls: null, retryDerived: false, fresh: [], leftOut: 0, startAt: START },
    ...{ endsAt: Infinity, since: START },
    ...own,
  };
}

function aStore(): Store {
  const { store } = openScratchStore();
  onTestFinished(() => store.close());
  return store;
}

/** Calls so many people of a campaign, whose calls last a minute and are answered. */
async function calledAll(store: Store, campaignId: string, count: number): Promise<void> {
  const intents = await claimed(store, count, { campaignId });
  for (const [n, { attemptId }] of intents.entries()) {
    await store.recordDial(attemptId, placed(`call_${n}`));
    await store.recordPoll(attemptId, settled(`call_${n}`));
  }
}
