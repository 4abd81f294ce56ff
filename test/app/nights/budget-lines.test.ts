import { describe, expect, it } from 'vitest';
import {
  budgetClause,
  budgetLines,
  budgetOf,
  type BudgetView,
} from '../../../src/app/nights/budgets.ts';
import { composePolicy } from '../../../src/config/rules/compose-policy.ts';
import type { Limit, Stop } from '../../../src/domain/nights/budget.ts';
import { NOTHING_SPENT } from '../../../src/domain/nights/spent.ts';
import type { Campaign } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign, someSettings } from '../../helpers/factory.ts';

const NIGHT = { date: '2026-01-05', beginsAt: START - 3_600_000, endsAt: START + 3_600_000 };
const NEXT = { date: '2026-01-06', beginsAt: NIGHT.endsAt, endsAt: NIGHT.endsAt + 1 };

const campaign = (stop?: Stop): Campaign => ({
  ...aCampaign({ settings: { ...(stop && { stop }) } }),
  state: 'running',
  pauseReason: null,
  pauseDetail: null,
  version: 1,
});

function view(limit: Partial<Limit> | null, overrides: Partial<BudgetView> = {}): BudgetView {
  const usedUp = { by: 'stop.calls', until: 'night' as const, why: 'it is used up (stop.calls)' };
  return {
    night: NIGHT,
    next: NEXT,
    tonight: NOTHING_SPENT,
    campaign: NOTHING_SPENT,
    more: 0,
    limit: limit && { ...usedUp, ...limit },
    goesOnAt: null,
    ...overrides,
  };
}

describe('a budget that holds people back', () => {
  it('says with which night it goes on', () => {
    expect(budgetClause(view({}), campaign())).toBe(
      'it is used up (stop.calls); goes on with the next night, Tue 2026-01-06',
    );
  });

  it('of the campaign says how it is changed', () => {
    const held = view({ until: 'change', by: 'stop.total.calls' });

    expect(budgetClause(held, campaign())).toBe(
      'it is used up (stop.calls); `callsheet set spring stop.total.calls=...` sets another one, stop.total.calls=none takes it away',
    );
  });

  it('for as long as calls are in progress says so', () => {
    expect(budgetClause(view({ until: 'calls_end' }), campaign())).toBe(
      'it is used up (stop.calls); what calls in progress leave of it is used when they have ended',
    );
  });

  it('is none where more calls may begin, or nobody has set one', () => {
    expect(budgetClause(view({}, { more: 1 }), campaign())).toBeNull();
    expect(budgetClause(view(null, { more: Infinity }), campaign())).toBeNull();
    expect(budgetClause(null, campaign())).toBeNull();
  });
});

describe('what status says of budgets', () => {
  it('is how much of each is used', () => {
    const stop: Stop = {
      calls: 500,
      talkMinutes: 600,
      cost: { amount: '40', currency: 'EUR' },
      answered: 100,
      at: '20:30',
      total: { calls: 9_000, cost: { amount: '1000', currency: 'USD' } },
    };
    const cost = { dearest: 1, perMinute: 1, perMinuteShort: null };
    const tonight = {
      ...NOTHING_SPENT,
      calls: 123,
      open: 3,
      answered: 60,
      talkMs: 90_001,
      costs: { EUR: { sum: '12.345', ...cost } },
    };

    expect(budgetLines(view(null, { tonight }), campaign(stop))).toEqual([
      'Night of 2026-01-05: 123 of 500 calls (3 in progress); 60 of 100 answered; 2 of 600 talk minutes; 12.35 of 40 EUR; calls begin before 20:30.',
      'Whole campaign: 0 of 9,000 calls; 0 of 1,000 USD.',
    ]);
    const bare = { ...tonight, costs: { '': { sum: '0.5', ...cost } } };
    expect(budgetLines(view(null, { tonight: bare }), campaign(stop))[0]).toContain(
      '0.5 of 40 EUR',
    );
    expect(budgetLines(view(null), campaign({ total: { calls: 1 } }))).toEqual([
      'Whole campaign: 0 of 1 call.',
    ]);
    expect(budgetLines(null, campaign())).toEqual([]);
  });

  it('is of the coming night once nobody was called in this one, nor will be', () => {
    const nightOf = (calls: number, nextAt: number) => {
      const tonight = { ...NOTHING_SPENT, calls };
      const iso = new Date(nextAt).toISOString();
      return budgetLines(view(null, { tonight }), campaign({ calls: 40 }), iso)[0];
    };
    expect(nightOf(0, NEXT.beginsAt)).toBe('Night of 2026-01-06: 0 of 40 calls.');
    expect(nightOf(0, NEXT.beginsAt - 1)).toBe('Night of 2026-01-05: 0 of 40 calls.');
    expect(nightOf(9, NEXT.beginsAt)).toBe('Night of 2026-01-05: 9 of 40 calls.');
  });
});

describe('the time at which calls go on', () => {
  const own = { hours: { from: '18:00', to: '21:00' }, holidays: [], timezone: 'UTC' };
  const policy = composePolicy([], { ...own, unknownZones: 'skip' }, []);
  const settings = someSettings({ ...(policy && { policy }) });
  const places = [{ zoneKey: 'UTC;', waiting: 2, firstNotBefore: 0 }];
  const store = (found: BudgetView | null) => ({
    budget: () => Promise.resolve(found),
    placesOf: () => Promise.resolve(places),
  });

  it('is the first opening of the next night', async () => {
    const found = await budgetOf({ id: 'cmp', settings }, store(view({})), START);

    expect(new Date(found?.goesOnAt ?? 0).toISOString()).toBe('2026-01-05T18:00:00.000Z');
  });

  it('is the begin of the next night where hours are always open', async () => {
    const found = await budgetOf({ id: 'cmp', settings: someSettings() }, store(view({})), START);

    expect(found?.goesOnAt).toBe(NEXT.beginsAt);
  });

  it('is the time of the schedule after that', async () => {
    const scheduled = { ...someSettings(), schedule: '30 22 * * *' };
    const found = await budgetOf({ id: 'cmp', settings: scheduled }, store(view({})), START);

    const at = new Date(found?.goesOnAt ?? 0);
    expect([at.toISOString().slice(11, 16), at.getTime() > NEXT.beginsAt]).toEqual(['03:30', true]);
  });

  it('is not known where no night helps, or nothing is held back', async () => {
    const of = (budget: BudgetView | null) =>
      budgetOf({ id: 'cmp', settings: someSettings() }, store(budget), START);

    expect((await of(view({ until: 'change' })))?.goesOnAt).toBeNull();
    expect((await of(view({}, { more: 2 })))?.goesOnAt).toBeNull();
    expect(await of(null)).toBeNull();
  });
});
