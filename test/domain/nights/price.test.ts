import { describe, expect, it } from 'vitest';
import { foreseenPrice, perBegunMinute } from '../../../src/domain/nights/budget.ts';
import {
  foreseenCost,
  NOTHING_SPENT,
  withSettled,
  type Spent,
} from '../../../src/domain/nights/spent.ts';

const STOP = { cost: { amount: '40', currency: 'EUR' } };

/** A night in which calls had these lengths (ms) and costs. */
function aNight(calls: readonly (readonly [durationMs: number | null, cost: number])[]): Spent {
  return calls.reduce<Spent>(
    (night, [durationMs, cost]) =>
      withSettled(night, {
        ...{ result: 'answered', durationMs, atMostMs: 60_000 },
        ...{ cost: String(Number(cost.toFixed(6))), currency: 'EUR' },
      }),
    { ...NOTHING_SPENT, calls: calls.length },
  );
}

const LENGTHS = [4_300, 21_900, 59_100, 61_400, 130_200, 301_700];

describe('the price by which calls are foreseen', () => {
  it('is asked for only by a budget of money, of a night or of the campaign', () => {
    expect(foreseenPrice(undefined, [])).toBeNull();
    expect(foreseenPrice({ calls: 5, total: { calls: 9 } }, [])).toBeNull();
    expect(foreseenPrice({ total: STOP }, [])).toMatchObject({ by: 'usual', currency: 'EUR' });
  });

  it('is that of the embedded service until a call that lasted had a cost: 0.12 a begun minute', () => {
    const untaken = aNight([
      [0, 0],
      [null, 0],
    ]);
    const price = foreseenPrice(STOP, [NOTHING_SPENT, untaken]);
    expect(price?.by).toBe('usual');
    expect([0, 1, 60_000, 60_001].map((ms) => price?.of(ms))).toEqual([0, 0.12, 0.12, 0.24]);
  });

  it.each([
    ['a begun minute', perBegunMinute(0.3)],
    ['a begun minute, with a fee', perBegunMinute(0.1, 0.5)],
    ['six seconds begun', (ms: number) => Math.ceil(ms / 6_000) * 0.05],
  ])('is that of the calls seen: %s', (_title, of) => {
    const seen = LENGTHS.map((ms) => [ms, of(ms)] as const);
    const price = foreseenPrice(STOP, [aNight(seen.slice(0, 2)), aNight(seen.slice(2))]);
    expect(price?.by).toBe('campaign');
    for (const ms of [...LENGTHS, 45_000, 900_000]) {
      expect(Math.abs((price?.of(ms) ?? 0) - of(ms))).toBeLessThan(0.06 * of(ms) + 0.01);
    }
    expect(price?.of(0)).toBe(0);
  });

  it('is by begun minutes where all calls had one length, and by the dearest rate where nothing explains them', () => {
    const alike = foreseenPrice(STOP, [aNight([[20_000, 0.12]])]);
    expect([0, 50_000, 90_000].map((ms) => alike?.of(ms))).toEqual([0, 0.12, 0.24]);
    const odd = foreseenPrice(STOP, [
      aNight([
        [60_000, 0.1],
        [120_000, 1],
        [180_000, 0.2],
      ]),
    ]);
    expect(odd?.of(30_000)).toBe(0.25);
    const untold = foreseenPrice(STOP, [aNight([[null, 0.4]])]);
    expect(untold?.of(30_000)).toBe(0.2);
    // Where only calls of less than half a minute were seen, by theirs.
    const short = aNight([
      [20_000, 0.1],
      [20_000, 0.5],
      [21_000, 0.1],
    ]);
    expect(foreseenPrice(STOP, [short])?.of(60_000)).toBe(1.5);
  });
});

it('a price per begun minute is found although what calls cost is rounded', () => {
  const seen: [ms: number, cost: number][] = [
    [96_796, 0.2636],
    [63_964, 0.2636],
    [155_119, 0.3955],
    [77_272, 0.2636],
    [80_573, 0.2636],
    [85_710, 0.2636],
  ];
  const cost = {
    sum: '1.7135',
    calls: 6,
    seen,
    dearest: 0.3955,
    perMinute: 0.16,
    perMinuteShort: null,
  };
  // 0.13182 a begun minute.
  expect(foreseenCost(cost, 600_000).most).toBeGreaterThanOrEqual(1.3182 - 0.001);
});
