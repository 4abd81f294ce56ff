import { describe, expect, it } from 'vitest';
import type { ForecastReport } from '../../../src/app/plan/forecast.ts';
import { forecastJson, forecastLines } from '../../../src/cli/print/forecast-report.ts';
import { HOUR_MS } from '../../../src/domain/time-units.ts';
import { START } from '../../helpers/clock.ts';

const ZONE = 'America/New_York';
/** START is Monday 2026-01-05 10:00 there. */
const NEW_YORK = 'America/New_York;US-NY';
const INDIANA = 'America/Chicago|America/New_York;US-IN';

describe('a forecast in lines', () => {
  it('says when it ends and what it takes, each with its range', () => {
    expect(linesOf({}).slice(1, 7)).toEqual([
      'Forecast from Mon 2026-01-05 10:00 America/New_York, from 400 calls with this agent:',
      '  1,200 people through: Wed 2026-01-07 10:00; 8 of 10 times between',
      '  Tue 2026-01-06 10:00 and Thu 2026-01-08 10:00.',
      '  Nights: 3 (2 to 4). Calls: 1,500 (1,400 to 1,600), at most 5 at once.',
      '  Talk time: 2 h 0 min (1 h 0 min to 3 h 0 min).',
      '  Cost: 12.5 EUR (10 EUR to 15 EUR).',
    ]);
  });

  it('draws nights, or the hours of a single one, and who can be called when, in 100 columns', () => {
    const lines = linesOf({});
    expect(lines).toContain(`  2026-01-05  ${'#'.repeat(40)}  1,000 (900 to 1,100)`);
    expect(lines).toContain(`  2026-01-06  ${'#'.repeat(20).padEnd(40)}  500`);
    const grid = lines.slice(lines.findIndex((line) => line.startsWith('People who')) + 1);
    expect(grid.slice(0, 3)).toEqual([
      '                         10   11',
      '  New_York             1200  12k',
      '  Chicago +1              -    3',
    ]);
    const [night] = aReport({}).byNight;
    const one = linesOf({ byNight: night === undefined ? [] : [night] });
    expect(one).toContain(`  Mon 2026-01-05 10:00  ${'#'.repeat(40)}  60`);
    const wide = Array.from({ length: 30 }, (_, n) => ({
      ...{ night: `2026-02-${n + 1}`, beginsAt: START, calls: aRange(9_999_999) },
    }));
    const many = linesOf({ byNight: wide, byHour: hours(40) });
    expect(many).toContain('  and 16 nights more');
    expect(
      many.filter((line) => /^ {2}\S.* (#|\d)/.test(line)).every(({ length }) => length <= 100),
    ).toBe(true);
    expect(many.some((line) => /^ {2}and \d+ zones more$/.test(line))).toBe(true);
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
    [{ weight: 3 }, 'One of 3 people was played, at 20 plays.'],
    [{ sharesWith: ['autumn'] }, 'Not in it: autumn may take slots of the same service.'],
    [{ openCalls: 2 }, 'Not in it: 2 calls in progress now.'],
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
      linesOf({ seen: { of, calls: 40, priced: 0, pricedBy: null } })[1];
    expect(from('campaign')).toContain('from 40 calls of this campaign');
    expect(from('service')).toContain('from 40 calls at this service, with other agents');
    expect(from('defaults')).toContain('from usual calls, as too few were seen');
  });

  it('has neither nights nor hours where there are none', () => {
    expect(linesOf({ byNight: [], byHour: [] }).some((line) => line.startsWith('People'))).toBe(
      false,
    );
  });
});

describe('a forecast in JSON', () => {
  it('has times in ISO 8601 and hours by time zone', () => {
    expect(forecastJson(aReport({}), ZONE)).toMatchObject({
      startAt: '2026-01-05T10:00:00-05:00',
      endsAt: { low: '2026-01-06T10:00:00-05:00', high: '2026-01-08T10:00:00-05:00' },
      byNight: [{ night: '2026-01-05', beginsAt: '2026-01-05T10:00:00-05:00' }, {}],
      byHour: [
        { at: '2026-01-05T10:00:00-05:00', zones: { 'America/New_York': { callable: 1_200 } } },
        { zones: { 'America/Chicago|America/New_York': { callable: 3, calls: 1 } } },
      ],
    });
  });
});

function linesOf(own: Partial<ForecastReport>): string[] {
  return forecastLines(aReport(own), ZONE);
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
    byHour: [
      { at: START, places: { [NEW_YORK]: { callable: 1_200, calls: 60 } } },
      {
        at: START + HOUR_MS,
        places: {
          [NEW_YORK]: { callable: 12_000, calls: 1 },
          [INDIANA]: { callable: 3, calls: 1 },
        },
      },
    ],
    ...own,
  };
}

function hours(zones: number): ForecastReport['byHour'] {
  const places = Array.from({ length: zones }, (_, n) => [
    `Zone/Place_with_a_long_name_${n};`,
    { callable: 1_234_567, calls: 1 },
  ]);
  return Array.from({ length: 30 }, (_, n) => ({
    at: START + n * HOUR_MS,
    places: Object.fromEntries(places) as ForecastReport['byHour'][0]['places'],
  }));
}
