import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowanceOf, type Stop } from '../../../src/domain/nights/budget.ts';
import {
  NOTHING_SPENT,
  sumOf,
  withSettled,
  type SettledCall,
  type Spent,
} from '../../../src/domain/nights/spent.ts';
import { examples } from '../../helpers/properties.ts';

const MINUTE = 60_000;
const LONGEST = 15 * MINUTE;

function spent(overrides: Partial<Spent> = {}): Spent {
  return { ...NOTHING_SPENT, ...overrides };
}

function aCall(overrides: Partial<SettledCall> = {}): SettledCall {
  return {
    result: 'answered',
    durationMs: MINUTE,
    atMostMs: LONGEST,
    cost: null,
    currency: 'EUR',
    ...overrides,
  };
}

function settledCalls(...calls: Partial<SettledCall>[]): Spent {
  return calls.reduce<Spent>((sum, call) => withSettled(sum, aCall(call)), {
    ...NOTHING_SPENT,
    calls: calls.length,
  });
}

function left(stop: Stop, tonight: Spent, campaign = tonight) {
  return allowanceOf(stop, { tonight, campaign, longestCallMs: LONGEST, isOver: false });
}

describe('a budget', () => {
  it('that nobody has set limits nothing', () => {
    expect(left({ at: '20:30' }, spent({ calls: 1_000_000 }))).toEqual({
      more: Infinity,
      limit: null,
    });
  });

  it('of calls counts those in progress', () => {
    expect(left({ calls: 500 }, spent({ calls: 497, open: 3 })).more).toBe(3);
    expect(left({ calls: 500 }, spent({ calls: 500 }))).toEqual({
      more: 0,
      limit: {
        by: 'stop.calls',
        until: 'night',
        why: "tonight's budget of 500 calls is used up (stop.calls)",
      },
    });
  });

  it('that calls in progress may still give back is waited for', () => {
    expect(left({ calls: 1 }, spent({ calls: 1, open: 1 })).limit).toMatchObject({
      until: 'calls_end',
      why: "tonight's budget of 1 call is used up, with 1 in progress (stop.calls)",
    });
  });

  it('may be lowered below what was spent', () => {
    expect(left({ calls: 2 }, spent({ calls: 7 })).more).toBe(0);
  });

  it('of the campaign holds until somebody changes it', () => {
    const { limit, more } = left(
      { calls: 5, total: { calls: 1_000 } },
      spent({ calls: 5 }),
      spent({ calls: 1_000 }),
    );

    expect(more).toBe(0);
    expect(limit).toEqual({
      by: 'stop.total.calls',
      until: 'change',
      why: "the campaign's budget of 1,000 calls is used up (stop.total.calls)",
    });
  });

  it('is over at its time, whatever is left of others', () => {
    const now = { campaign: spent({ calls: 5 }), longestCallMs: LONGEST, isOver: true };

    expect(allowanceOf({ calls: 9, at: '20:30' }, { ...now, tonight: spent() })).toEqual({
      more: 0,
      limit: {
        by: 'stop.at',
        until: 'night',
        why: "tonight's dialling has ended at 20:30 (stop.at)",
      },
    });
    expect(
      allowanceOf({ at: '20:30', total: { calls: 5 } }, { ...now, tonight: spent() }).limit?.by,
    ).toBe('stop.total.calls');
  });

  it('that allows the fewest calls decides', () => {
    const { more, limit } = left({ calls: 9, answered: 4 }, spent({ calls: 2, answered: 2 }));

    expect(more).toBe(2);
    expect(limit?.by).toBe('stop.answered');
  });

  it('of answered calls reserves one for each call that may be answered', () => {
    expect(left({ answered: 10 }, spent({ answered: 4, open: 2, stuck: 1 })).more).toBe(3);
    expect(
      left({ answered: 10 }, spent({ answered: 8, open: 1, stuck: 1, calls: 90 })).limit?.why,
    ).toBe(
      "tonight's budget of 10 answered calls is used up, as 2 whose end is not known may be answered (stop.answered)",
    );
    expect(left({ answered: 1 }, spent({ answered: 1 })).limit?.why).toBe(
      "tonight's budget of 1 answered call is used up (stop.answered)",
    );
  });

  it('of talk time reserves the longest call for each call whose length is not known', () => {
    const budget = { talkMinutes: 60 };

    expect(left(budget, spent()).more).toBe(4);
    expect(left(budget, spent({ talkMs: 16 * MINUTE, open: 1, stuck: 1 })).more).toBe(0);
    expect(left(budget, spent({ talkMs: 15 * MINUTE, open: 1, stuck: 1 })).more).toBe(1);
    expect(left(budget, spent({ talkMs: 57 * MINUTE })).limit?.why).toBe(
      "tonight's budget of 60 talk minutes leaves 3, and a call may last 15 (stop.talkMinutes)",
    );
    expect(left(budget, spent({ talkMs: 57 * MINUTE, stuck: 1 })).limit?.why).toContain(
      'leaves 0, and a call may last 15; 1 call whose end is not known has as much reserved',
    );
    expect(left(budget, spent({ talkMs: 57 * MINUTE, stuck: 2 })).limit?.why).toContain(
      '2 calls whose end is not known have as much reserved',
    );
  });
});

describe('a budget of money', () => {
  const stop: Stop = { cost: { amount: '40', currency: 'EUR' } };

  it('lets one call begin at a time until a cost is known', () => {
    expect(left(stop, spent()).more).toBe(1);
    expect(left(stop, spent({ calls: 1, open: 1 }))).toEqual({
      more: 0,
      limit: {
        by: 'stop.cost',
        until: 'calls_end',
        why: "tonight's budget of 40 EUR lets one call begin at a time until it is known what a call costs (stop.cost)",
      },
    });
  });

  it.each([
    ['no_answer', 0],
    ['no_answer', null],
    ['failed', null],
  ] as const)(
    'lets one call begin at a time while only calls that nobody took have a cost: %s of %s ms',
    (result, durationMs) => {
      const untaken = { result, durationMs, cost: '0' };
      expect(left(stop, settledCalls(untaken)).more).toBe(1);
      expect(left(stop, { ...settledCalls(untaken, untaken), open: 1 }).more).toBe(0);
      const known = settledCalls(untaken, { cost: '0.1' }, { cost: '0.2', durationMs: 2 * MINUTE });
      expect(left(stop, known).more).toBe(Math.floor((40 - 0.3) / 1.55));
      expect(left(stop, settledCalls(untaken, { cost: null })).limit?.until).toBe('change');
    },
  );

  const cost = (cents: number) => String(Number((cents / 100).toFixed(6)));

  it('knows a fee that is taken only of calls that somebody took', () => {
    const known = settledCalls(
      { result: 'no_answer', durationMs: 0, cost: '0' },
      ...[20_000, 59_300, 61_700, 118_400, 301_000].map((durationMs) => ({
        durationMs,
        cost: cost(50 + 10 * Math.ceil(durationMs / MINUTE)),
      })),
    );
    expect(left(stop, known).more).toBeGreaterThanOrEqual(17);
  });

  it('is decimal: 0.6 EUR are three calls at 0.2', () => {
    const three: Stop = { cost: { amount: '0.6', currency: 'EUR' } };
    const used = (calls: number) =>
      allowanceOf(three, {
        ...{
          tonight: settledCalls(...Array.from({ length: calls }, () => ({ cost: '0.2' }))),
          isOver: false,
        },
        ...{
          campaign: settledCalls(...Array.from({ length: calls }, () => ({ cost: '0.2' }))),
          longestCallMs: MINUTE,
        },
      }).more;

    expect([1, 2, 3].map(used)).toEqual([2, 1, 0]);
  });

  it('knows after calls of different length that begun minutes are billed', () => {
    // 0.12 a minute begun: the longest call costs 1.80, or 1.84 where 0.24 is a rounded 0.245.
    const known = settledCalls(
      ...[2_000, 59_300, 61_700, 118_400].map((durationMs) => ({
        durationMs,
        cost: cost(12 * Math.ceil(durationMs / MINUTE)),
      })),
    );

    expect(left(stop, known).more).toBe(Math.floor((40 - 0.72) / 1.84));
    expect(left({ cost: { amount: '2.5', currency: 'EUR' } }, known).limit?.why).toBe(
      "tonight's budget of 2.5 EUR leaves 1.78, and a call may cost 1.84 (stop.cost)",
    );
  });

  it('goes on after one short call, as many at a time as have a price, until their tariff is known', () => {
    const short = (calls: number) =>
      settledCalls(...Array.from({ length: calls }, () => ({ cost: '0.12', durationMs: 2_000 })));

    expect(left(stop, short(1)).more).toBe(1);
    expect(left(stop, { ...short(1), open: 1 }).more).toBe(0);
    expect(left(stop, { ...short(8), open: 3 }).more).toBe(5);
    expect(left(stop, short(318)).more).toBe(1);
    expect(left(stop, short(319)).more).toBe(0);
  });

  it('goes on after one call of half a minute, whose price may be by the second or by the minute', () => {
    const halves = (calls: number) =>
      settledCalls(...Array.from({ length: calls }, () => ({ cost: '1.6', durationMs: 31_400 })));

    expect(left(stop, halves(1)).more).toBe(1);
    expect(left(stop, halves(10)).more).toBe(1);
    expect(left(stop, halves(11)).more).toBe(0);
  });

  it('foresees calls that no tariff explains by their dearest rate', () => {
    const known = settledCalls({ cost: '0.1' }, { cost: '0.4', durationMs: 2 * MINUTE });

    expect(left(stop, known).more).toBe(12);
    expect(left(stop, { ...known, open: 2, stuck: 1 }).more).toBe(9);
    expect(left(stop, spent(), known).more).toBe(13);
    expect(left({ cost: { amount: '3.4', currency: 'EUR' } }, known).limit?.why).toBe(
      "tonight's budget of 3.4 EUR leaves 2.9, and a call may cost 3.04 (stop.cost)",
    );
  });

  it('judges by calls that were counted before their lengths were kept, too', () => {
    const { EUR } = settledCalls({ cost: '0.1' }, { cost: '0.4', durationMs: 2 * MINUTE }).costs;
    const { calls, seen, ...older } = EUR as NonNullable<typeof EUR>;

    expect([calls, seen?.length]).toEqual([2, 2]);
    expect(left(stop, spent({ costs: { EUR: older } })).more).toBe(13);
  });

  it('expects no call to be cheaper than the dearest one', () => {
    const long = settledCalls({ cost: '13', durationMs: 100 * MINUTE });

    expect(left(stop, long).more).toBe(2);
  });

  it('takes a cost without a currency, and one that is negative, for its own', () => {
    const known = settledCalls({ cost: '-0.2', currency: null }, { cost: '0.2' });

    expect(left({ cost: { amount: '3.6', currency: 'EUR' } }, known).more).toBe(1);
    expect(left({ cost: { amount: '3.5', currency: 'EUR' } }, known).more).toBe(0);
  });

  it('cannot be kept where calls cost another currency, or no cost is named', () => {
    expect(left(stop, spent(), settledCalls({ cost: '1', currency: 'USD' })).limit).toEqual({
      by: 'stop.cost',
      until: 'change',
      why: "tonight's budget of 40 EUR cannot be kept, as calls cost USD (stop.cost)",
    });
    expect(left({ total: stop }, settledCalls({ cost: null }, { cost: null })).limit).toEqual({
      by: 'stop.total.cost',
      until: 'change',
      why: "the campaign's budget of 40 EUR cannot be kept, as the service did not say what 2 calls cost (stop.total.cost)",
    });
  });

  it('reserves as much for a call without a cost as for one in progress', () => {
    const known = settledCalls({ cost: '0.2' }, { cost: null });

    expect(left(stop, known).more).toBe(11);
  });

  it('begins no call once nothing is left, though no cost per minute is known', () => {
    const used = settledCalls({ cost: '40', durationMs: 0 });

    expect(left(stop, used).more).toBe(0);
  });
});

describe('what is spent', () => {
  it('has as much talk as the service says, or as the call can have lasted', () => {
    expect(settledCalls({ durationMs: 42_000 }).talkMs).toBe(42_000);
    expect(settledCalls({ durationMs: null, atMostMs: 90_000 }).talkMs).toBe(90_000);
    expect(settledCalls({ durationMs: null, result: 'no_answer' }).talkMs).toBe(0);
  });

  it('counts calls without a cost only where somebody talked', () => {
    expect(settledCalls({ result: 'no_answer', durationMs: null }).unpriced).toBe(0);
    expect(settledCalls({}).unpriced).toBe(1);
  });

  it('of several nights is their sum by currency', () => {
    const one = { ...settledCalls({ cost: '0.1' }, { cost: '7', currency: 'credits' }), open: 1 };
    const other = { ...settledCalls({ cost: '0.2', durationMs: 6_000 }, {}), stuck: 2 };

    expect(sumOf([one, other])).toEqual({
      calls: 4,
      open: 1,
      stuck: 2,
      answered: 4,
      talkMs: 3 * MINUTE + 6_000,
      unpriced: 1,
      costs: {
        EUR: {
          ...{ sum: '0.3', dearest: 0.2, perMinute: 0.1, perMinuteShort: 2, calls: 2 },
          seen: [
            [MINUTE, 0.1],
            [6_000, 0.2],
          ],
        },
        credits: {
          ...{ sum: '7', dearest: 7, perMinute: 7, perMinuteShort: null, calls: 1 },
          seen: [[MINUTE, 7]],
        },
      },
    });
    const both = sumOf([one, settledCalls({ cost: '0.4', durationMs: 2 * MINUTE })]);
    expect(both.costs['EUR']?.perMinute).toBe(0.2);
    expect(sumOf([])).toEqual(NOTHING_SPENT);
  });
});

describe('whatever calls come to', () => {
  const cost = (cents: number) => String(Number((cents / 100).toFixed(6)));
  const call = fc.record({
    durationMs: fc.integer({ min: 1_000, max: LONGEST }),
    isAnswered: fc.boolean(),
    isTaken: fc.integer({ min: 0, max: 2 }).map((dice) => dice > 0),
    isLost: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
  });

  type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

  const tariff = fc.record({
    // Billed by the millisecond, or by begun steps.
    stepMs: fc.constantFrom(1, 1_000, 6_000, 7_000, 15_000, 30_000, 45_000, MINUTE),
    leastMs: fc.constantFrom(0, MINUTE / 2, MINUTE),
    fee: fc.constantFrom(0, 0, 1, 5, 20),
    centsPerMinute: fc.integer({ min: 1, max: 40 }),
    isWholeSeconds: fc.boolean(),
  });

  it('no budget is passed, and less is left over than one more call could cost', () => {
    fc.assert(
      fc.property(
        fc.array(call, { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 20 }),
        fc.record({
          calls: fc.integer({ min: 1, max: 300 }),
          answered: fc.integer({ min: 1, max: 200 }),
          talkMinutes: fc.integer({ min: 15, max: 900 }),
          cents: fc.integer({ min: 1_300, max: 6_000 }),
        }),
        tariff,
        (calls, slots, { cents, ...budget }, { stepMs, leastMs, fee, centsPerMinute, ...wire }) => {
          const amount = String(cents / 100);
          const stop: Stop = { ...budget, cost: { amount, currency: 'EUR' } };
          const priceOf = (ms: number) =>
            fee + (Math.ceil(Math.max(ms, leastMs) / stepMs) * stepMs * centsPerMinute) / MINUTE;
          const lengthOf = (ms: number) =>
            wire.isWholeSeconds ? Math.ceil(ms / 1_000) * 1_000 : ms;
          let now = spent();
          const queue = [...calls];
          const going: Call[] = [];
          let taken = 0;
          const begin = () => {
            const { more } = left(stop, now);
            const count = Math.min(more, slots - going.length, queue.length);
            going.push(...queue.splice(0, count));
            now = { ...now, calls: now.calls + count, open: now.open + count };
          };
          begin();
          while (going.length > 0) {
            const { isAnswered, isTaken, isLost, ...next } = going.shift() as Call;
            const durationMs = isTaken ? next.durationMs : 0;
            now = { ...now, open: now.open - 1, stuck: now.stuck + (isLost ? 1 : 0) };
            const result = !isTaken ? 'no_answer' : isAnswered ? 'answered' : 'voicemail';
            const price = isTaken ? priceOf(durationMs) : 0;
            const said = { durationMs: lengthOf(durationMs), cost: cost(price) };
            taken += isTaken && !isLost ? 1 : 0;
            if (!isLost) now = withSettled(now, aCall({ result, ...said }));
            begin();
          }
          const used = Number(now.costs['EUR']?.sum ?? 0);
          expect(now.calls).toBeLessThanOrEqual(budget.calls);
          expect(now.answered + now.stuck).toBeLessThanOrEqual(budget.answered);
          expect(now.talkMs + now.stuck * LONGEST).toBeLessThanOrEqual(budget.talkMinutes * MINUTE);
          expect(used).toBeLessThanOrEqual(cents / 100);
          if (queue.length === 0) return;
          const { more, limit } = left(stop, now);
          expect(more).toBe(0);
          if (limit?.by !== 'stop.cost' || taken < 20) return;
          const dearest = priceOf(LONGEST) / 100;
          const free = cents / 100 - used - now.stuck * dearest;
          // Steps that no tariff of the table has are foreseen by the dearest rate.
          expect(free).toBeLessThan(
            stepMs === 1 || wire.isWholeSeconds ? 1.5 * dearest : 1.1 * dearest,
          );
        },
      ),
      { numRuns: examples(500) },
    );
  });
});
