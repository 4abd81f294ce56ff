import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowanceOf, type Stop } from '../../../src/domain/nights/budget.ts';
import { NOTHING_SPENT, withSettled, type Spent } from '../../../src/domain/nights/spent.ts';
import { examples } from '../../helpers/properties.ts';

const MINUTE = 60_000;
const LONGEST = 15 * MINUTE;

interface Call {
  durationMs: number;
  cost: string;
  result?: 'answered' | 'no_answer';
}

function settled(before: Spent, { durationMs, cost, result = 'answered' }: Call): Spent {
  const more = { result, durationMs, atMostMs: LONGEST, cost, currency: 'EUR' };
  return withSettled(before, more);
}

function settledCalls(...calls: Call[]): Spent {
  return calls.reduce(settled, { ...NOTHING_SPENT, calls: calls.length });
}

function left(stop: Stop, spent: Spent) {
  const facts = { tonight: spent, campaign: spent, longestCallMs: LONGEST, isOver: false };
  return allowanceOf(stop, facts);
}

describe('a budget of money, where what calls cost is rounded to cents,', () => {
  const stop: Stop = { cost: { amount: '40', currency: 'EUR' } };

  it('lets one call begin at a time while short calls cost nothing: their cost may be rounded', () => {
    const short = settledCalls(
      { cost: '0', durationMs: 2_000 },
      { cost: '0.00', durationMs: 2_000 },
    );

    expect(left(stop, short).more).toBe(1);
    expect(left(stop, { ...short, open: 1 })).toMatchObject({
      more: 0,
      limit: { by: 'stop.cost', until: 'calls_end' },
    });
    expect(left(stop, settled(short, { cost: '0.5', durationMs: MINUTE })).more).toBe(5);
  });

  it('foresees calls that cost nothing by the half cent that rounding may hide in the longest', () => {
    const short = Array.from({ length: 60 }, () => ({ cost: '0', durationMs: 2_100 }));
    const free = (durationMs: number) => settledCalls(...short, { cost: '0', durationMs });

    // 15 minutes at half a cent for each 40 s, or for each 2 minutes, and its own half cent.
    expect(left(stop, free(40_500)).more).toBe(344);
    expect(left(stop, free(2 * MINUTE + 500)).more).toBe(941);
    expect(left(stop, free(LONGEST + 500)).more).toBe(8_000);
  });

  it('learns nothing of lengths from a call with a cost that is told as 0 s long', () => {
    const long = [
      { cost: '0.15', durationMs: 50_000 },
      { cost: '0.16', durationMs: 110_000 },
    ];
    const most = (spent: Spent) => left({ cost: { amount: '400', currency: 'EUR' } }, spent).more;
    const alone = most(settledCalls(...long));
    expect(most(settledCalls(...long, { cost: '0.15', durationMs: 0 }))).toBeLessThanOrEqual(alone);
  });

  it('lets calls that cost nothing go on one at a time where it is less than rounding may hide', () => {
    const free = settledCalls(...[1, 2, 3].map(() => ({ cost: '0', durationMs: MINUTE })));
    const little: Stop = { cost: { amount: '0.01', currency: 'EUR' } };

    expect(left(little, free).more).toBe(1);
    expect(left(little, { ...free, open: 1 }).more).toBe(0);
    const used = settled(free, { cost: '40', durationMs: 0 });
    expect(left(stop, used).more).toBe(0);
    const nothingLeft = { ...free, costs: { EUR: { ...free.costs['EUR'], sum: '40' } } } as Spent;
    expect(left(stop, nothingLeft).more).toBe(0);
  });

  it('counts calls that nobody took for no price where the tariff is not known', () => {
    const untaken = Array.from({ length: 30 }, () => ({
      result: 'no_answer' as const,
      durationMs: 0,
      cost: '0',
    }));
    const known = settledCalls(...untaken, { cost: '0.12', durationMs: 2_000 });

    expect(left(stop, known).more).toBe(1);
  });

  const call = fc.record({
    durationMs: fc.integer({ min: 1_000, max: LONGEST }),
    isTaken: fc.integer({ min: 0, max: 3 }).map((dice) => dice > 0),
  });

  const tariff = fc.record({
    stepMs: fc.constantFrom(1, 1_000, 6_000, 30_000, MINUTE),
    leastMs: fc.constantFrom(0, 10_000, MINUTE / 2, MINUTE),
    fee: fc.constantFrom(0, 0, 0.4, 1, 5),
    centsPerMinute: fc.constantFrom(0.5, 3, 7.3, 10, 13.182, 29),
    isWholeSeconds: fc.boolean(),
  });

  it('is never passed, whatever the tariff and however many short calls at 0.00 come first', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 8_000 }), { maxLength: 40 }),
        fc.array(call, { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 30 }),
        // How many of the dearest calls the budget is for.
        fc.double({ min: 2, max: 12, noNaN: true }),
        tariff,
        (short, calls, slots, times, { stepMs, leastMs, fee, centsPerMinute, isWholeSeconds }) => {
          const priceOf = (ms: number) =>
            fee + (Math.ceil(Math.max(ms, leastMs) / stepMs) * stepMs * centsPerMinute) / MINUTE;
          const cents = Math.ceil(times * priceOf(LONGEST)) + 1;
          const stop: Stop = { cost: { amount: String(cents / 100), currency: 'EUR' } };
          const free = short.filter((ms) => Math.round(priceOf(ms)) === 0);
          const queue = [...free.map((durationMs) => ({ durationMs, isTaken: true })), ...calls];
          const going: typeof queue = [];
          let now = NOTHING_SPENT;
          const begin = () => {
            const begun = queue.splice(0, Math.min(left(stop, now).more, slots - going.length));
            going.push(...begun);
            now = { ...now, calls: now.calls + begun.length, open: now.open + begun.length };
          };
          begin();
          while (going.length > 0) {
            const { isTaken, ...ended } = going.shift() as (typeof queue)[number];
            const ms = isTaken ? ended.durationMs : 0;
            now = settled(
              { ...now, open: now.open - 1 },
              {
                durationMs: isWholeSeconds ? Math.ceil(ms / 1_000) * 1_000 : ms,
                cost: (isTaken ? Math.round(priceOf(ms)) / 100 : 0).toFixed(2),
                result: isTaken ? 'answered' : 'no_answer',
              },
            );
            begin();
          }
          expect(Number(now.costs['EUR']?.sum)).toBeLessThanOrEqual(cents / 100);
        },
      ),
      { numRuns: examples(250) },
    );
  });
});
