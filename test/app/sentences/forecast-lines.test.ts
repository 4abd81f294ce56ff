import { describe, expect, it } from 'vitest';
import type { ForecastReport } from '../../../src/app/plan/forecast.ts';
import {
  adviceLines,
  endLine,
  forecastSentences,
  nightBars,
} from '../../../src/app/sentences/forecast-lines.ts';
import type { Rehearsal } from '../../../src/views/rehearsal.ts';
import { forecastView } from '../../../src/app/plan/plan-view.ts';
import { HOUR_MS } from '../../../src/domain/time-units.ts';
import { START } from '../../helpers/clock.ts';

/** START is Monday 2026-01-05 10:00 there. */
const ZONE = 'America/New_York';

describe('a forecast in lines', () => {
  it('says when it ends and what it takes, each with its range', () => {
    expect(linesOf({}).slice(0, 6)).toEqual([
      'Forecast from Mon 2026-01-05 10:00 America/New_York, from 400 calls with this agent:',
      '  1,200 people through: Wed 2026-01-07 10:00; 8 of 10 times between',
      '  Tue 2026-01-06 10:00 and Thu 2026-01-08 10:00.',
      '  Nights: 3 (2 to 4). Calls: 1,500 (1,400 to 1,600), at most 5 at once.',
      '  Talk time: 2 h (1 h to 3 h).',
      '  Cost: 12.5 EUR (10 EUR to 15 EUR).',
    ]);
  });

  it('draws the calls of several nights in 100 columns', () => {
    expect(nightBars(aView({}))).toEqual([
      'Calls:',
      `  2026-01-05  ${'#'.repeat(40)}  1,000 (900 to 1,100)`,
      `  2026-01-06  ${'#'.repeat(20).padEnd(40)}  500`,
    ]);
    expect(nightBars(aView({ byNight: aReport({}).byNight.slice(1) }))).toEqual([]);
    const wide = Array.from({ length: 30 }, (_, n) => ({
      ...{ night: `2026-02-${n + 1}`, beginsAt: START, calls: aRange(9_999_999, 99_999) },
    }));
    const many = nightBars(aView({ byNight: wide }));
    expect(many.at(-1)).toBe('  and 16 nights more');
    expect(many.every(({ length }) => length <= 100)).toBe(true);
  });

  it.each<[Partial<ForecastReport>, string]>([
    [{ end: 'nobody_may' }, '  Nobody of them can be called, as things stand.'],
    [
      { endsAt: { low: null, middle: null, high: null } },
      '  When it ends cannot be told: plays differ too much.',
    ],
    [
      { endsAt: { low: START, middle: START, high: null } },
      '  Mon 2026-01-05 10:00 and an unknown time.',
    ],
    [{ endShare: 0.6 }, '  Only 60% of the plays end like that.'],
    [{ costs: {} }, '  Cost: not known, as no call that was seen had a cost.'],
    [
      { costs: {}, seen: { of: 'defaults', calls: 0, priced: 0, pricedBy: null } },
      '  Cost: not known, as no call was seen.',
    ],
    [
      { seen: { of: 'agent', calls: 400, priced: 40, pricedBy: null } },
      '  Cost: 12.5 EUR (10 EUR to 15 EUR) (40 of the calls that were seen had one).',
    ],
    [
      { seen: { of: 'defaults', calls: 0, priced: 0, pricedBy: 'usual' } },
      '  Cost: 12.5 EUR (10 EUR to 15 EUR), at 0.12 a begun minute, as no call of this campaign has shown a cost.',
    ],
    [
      { seen: { of: 'defaults', calls: 0, priced: 0, pricedBy: 'campaign' } },
      '  Cost: 12.5 EUR (10 EUR to 15 EUR), as the calls of this campaign have cost so far.',
    ],
    [{ weight: 3 }, '  One of 3 people was played, in 20 plays.'],
    [{ sharesWith: ['autumn'] }, '  Not in it: autumn may take slots of the same service.'],
    [{ openCalls: 2 }, '  Not in it: 2 calls in progress now.'],
  ])('says of %j what that means', (own, line) => {
    expect(linesOf(own)).toContain(line);
  });

  it.each([
    ['budget', "  The campaign's budget used up: Wed"],
    ['time', '  No more calls, with people left: Wed'],
  ] as const)('says that plays end as %s', (end, line) => {
    expect(linesOf({ end }).join('\n')).toContain(line);
  });

  it('says whose calls it is made from', () => {
    const from = (of: ForecastReport['seen']['of']) =>
      linesOf({ seen: { of, calls: 40, priced: 0, pricedBy: null } })[0];
    expect(from('campaign')).toContain('from 40 calls of this campaign');
    expect(from('service')).toContain('from 40 calls at this service, with other agents');
    expect(from('defaults')).toContain('from usual calls, as too few were seen');
  });
});

describe('a forecast in JSON', () => {
  it('has times in ISO 8601 and amounts as decimal text', () => {
    expect(aView({})).toMatchObject({
      startAt: '2026-01-05T10:00:00-05:00',
      endsAt: { low: '2026-01-06T10:00:00-05:00', high: '2026-01-08T10:00:00-05:00' },
      byNight: [{ night: '2026-01-05', beginsAt: '2026-01-05T10:00:00-05:00' }, {}],
      costs: [{ currency: 'EUR', low: '10', middle: '12.5', high: '15' }],
    });
  });
});

it.each([
  [1, 'takes 1 call at once (maxCalls)'],
  [3, 'takes 3 calls at once (maxCalls)'],
])('a service that takes %i at once is said to need no higher concurrency', (maxCalls, said) => {
  const lines = adviceLines({ ...REHEARSED, concurrency: 5, maxCalls });
  expect(lines).toEqual([`Service main ${said}: a higher concurrency changes nothing.`]);
});

it('a rehearsal of nobody names the commands that bring people in', () => {
  expect(endLine({ ...REHEARSED, people: 0 })).toContain('`callsheet import spring LIST`');
});

const NIGHT = { beginsAt: '', firstCallAt: '', lastCallAt: '', results: {}, calls: 1, reached: 1 };
const REHEARSED = {
  ...{ campaign: 'spring', stored: true, service: 'main', people: 2, better: null, triedAll: true },
  nights: ['2026-01-05', '2026-01-06'].map((night) => ({ night, ...NIGHT })),
} as unknown as Rehearsal;

function linesOf(own: Partial<ForecastReport>): string[] {
  return forecastSentences(aReport(own), ZONE);
}

function aView(own: Partial<ForecastReport>) {
  return forecastView(aReport(own), ZONE);
}

function aRange(middle: number, by = 0) {
  return { low: middle - by, middle, high: middle + by };
}

function aReport(own: Partial<ForecastReport>): ForecastReport {
  return {
    ...{ startAt: START, people: 1_200, weight: 1, slots: 5, plays: 20, end: 'done', endShare: 1 },
    seen: { of: 'agent', calls: 400, priced: 400, pricedBy: null },
    ...{ sharesWith: [], openCalls: 0 },
    endsAt: aRange(START + 48 * HOUR_MS, 24 * HOUR_MS),
    ...{ nights: aRange(3, 1), calls: aRange(1_500, 100), talkMs: aRange(2 * HOUR_MS, HOUR_MS) },
    costs: { EUR: aRange(12.5, 2.5) },
    byNight: [
      { night: '2026-01-05', beginsAt: START, calls: aRange(1_000, 100) },
      { night: '2026-01-06', beginsAt: START + 24 * HOUR_MS, calls: aRange(500) },
    ],
    ...own,
  };
}
