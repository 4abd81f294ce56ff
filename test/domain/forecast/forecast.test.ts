import { describe, expect, it } from 'vitest';
import {
  forecastOf,
  playsOf,
  rangeOf,
  type ForecastInput,
} from '../../../src/domain/forecast/forecast.ts';
import { spreadPeople, USUAL_CALLS, weightOf } from '../../../src/domain/forecast/game.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time-units.ts';
import { seededRandom } from '../../../src/runtime/random.ts';
import { aPolicy, daily } from '../../conformance/store/calling/policies.ts';
import { START } from '../../helpers/clock.ts';
import { aCall, aGame, aPerson } from './game.ts';

const forecast = (input: ForecastInput) => forecastOf([...playsOf(input)], input.startAt);

const SHORT = aCall({ slotMs: MINUTE_MS / 2 });
const LONG = aCall({ slotMs: 2 * MINUTE_MS, talkMs: 100_000, cost: 0.5, currency: 'EUR' });

describe('a forecast', () => {
  it('says when it ends, with a range that lies around the middle', () => {
    const { endsAt, end, endShare, plays } = forecast(anInput(40));
    const { low, middle, high } = endsAt;
    // 75 s on average.
    expect(middle).toBeGreaterThan(START + 35 * MINUTE_MS);
    expect(middle).toBeLessThan(START + 65 * MINUTE_MS);
    expect(low).toBeLessThan(middle ?? 0);
    expect(high).toBeGreaterThan(middle ?? 0);
    expect([end, endShare, plays]).toEqual(['done', 1, 60]);
  });

  it('is surer the more calls are believed', () => {
    const width = ({ endsAt: { low, high } }: ReturnType<typeof forecast>) =>
      (high ?? 0) - (low ?? 0);
    const few = forecast(anInput(200, { believed: 8 }));
    const many = forecast(anInput(200, { believed: 800 }));
    expect(width(few)).toBeGreaterThan(2 * width(many));
  });

  it('says the same again', () => {
    expect(forecast(anInput(20))).toEqual(forecast(anInput(20)));
  });

  it('counts calls, talk time, nights and costs', () => {
    const policy = aPolicy({ hours: daily(15, 16) });
    const input = anInput(60, { ...aGame(60, { policy }), seen: [LONG] });
    const { calls, talkMs, nights, costs, byNight } = forecast(input);
    expect(calls).toEqual({ low: 60, middle: 60, high: 60 });
    expect(talkMs.middle).toBe(6_000_000);
    expect(nights.middle).toBe(2);
    expect(costs).toEqual({ EUR: { low: 30, middle: 30, high: 30 } });
    expect(byNight.map(({ night, calls: { middle } }) => [night, middle])).toEqual([
      ['2026-01-05', 30],
      ['2026-01-06', 30],
    ]);
    expect(byNight[1]?.beginsAt).toBe(START + 14 * HOUR_MS);
    expect(forecast(anInput(2, { seen: [SHORT] })).costs).toEqual({});
    expect(forecast(anInput(1, { seen: [{ ...LONG, currency: null }] })).costs['']?.middle).toBe(
      0.5,
    );
  });

  it('leaves out people whom hours never let be called', () => {
    const people = [aPerson(), aPerson({ zoneKey: '?' })];
    const policy = aPolicy({ hours: daily(15, 16) });
    const { calls, end } = forecast(anInput(0, aGame(people, { policy })));
    expect([calls.middle, end]).toEqual([1, 'done']);
  });

  it('has no end where most plays have none, and says how they end', () => {
    const never = forecast(anInput(5, { endsAt: START }));
    expect(never).toMatchObject({ end: 'time', endShare: 1 });
    const none = rangeOf([1, 2, 3, Infinity, Infinity]);
    expect(none).toEqual({ low: 1, middle: 3, high: Infinity });
    expect(rangeOf([Infinity, Infinity]).low).toBe(Infinity);
  });

  it('ends when a play has ended: not between two nights, nor before the hours open', () => {
    const policy = aPolicy({ hours: daily(15, 16) });
    for (const people of [30, 40, 50, 60]) {
      const { low, middle } = forecast(anInput(people, aGame(people, { policy }))).endsAt;
      for (const at of [low, middle])
        expect(((at ?? 0) - START) % DAY_MS, `${people}`).toBeLessThan(HOUR_MS + 2 * MINUTE_MS);
    }
  });

  it('gives an end that not all plays have as one that is not certain', () => {
    // Some plays stay below what the budget of the campaign allows.
    const stop = { total: { talkMinutes: 60 } };
    const seen = [aCall({ talkMs: 0 }), aCall({ talkMs: 300_000 })];
    const { end, endShare, endsAt } = forecast(
      anInput(0, { ...aGame(20, { stop }), seen, believed: 4 }),
    );
    expect(endShare).toBeLessThan(1);
    expect(['done', 'budget']).toContain(end);
    expect(endsAt.low).not.toBeNull();
  });
});

describe('people of a forecast', () => {
  it('are played one by one up to 10,000, of more one for several', () => {
    expect([10_000, 10_001, 1_000_000].map(weightOf)).toEqual([1, 2, 100]);
  });

  it('of a list are spread evenly', () => {
    const keys = (weight: number) =>
      spreadPeople([['a', 4], ['b', 2]], weight).map(({ zoneKey }) => zoneKey).join(''); // prettier-ignore

    expect([keys(1).length, keys(2).length]).toEqual([6, 3]);
    expect(keys(1).slice(0, 3)).toContain('b');
  });
});

describe('the usual calls', () => {
  it('are forty, of which one in five is answered', () => {
    expect(USUAL_CALLS).toHaveLength(40);
    expect(USUAL_CALLS.filter(({ result }) => result === 'answered')).toHaveLength(8);
  });
});

function anInput(people: number, own: Partial<ForecastInput> = {}): ForecastInput {
  return {
    ...aGame(people),
    ...{ seen: [SHORT, LONG], believed: 40, randomOf: (n: number) => seededRandom(`${n}`) },
    ...own,
  };
}
