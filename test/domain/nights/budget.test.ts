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

  it('reserves what the dearest minute so far comes to in the longest call', () => {
    // 0.20 a minute, so a call may cost 3.00.
    const known = settledCalls({ cost: '0.1' }, { cost: '0.4', durationMs: 2 * MINUTE });

    expect(left(stop, known).more).toBe(13);
    expect(left(stop, { ...known, open: 2, stuck: 1 }).more).toBe(10);
    expect(left(stop, spent(), known).more).toBe(13);
    expect(left({ cost: { amount: '3.4', currency: 'EUR' } }, known).limit?.why).toBe(
      "tonight's budget of 3.4 EUR leaves 2.9, and a call may cost 3 (stop.cost)",
    );
  });

  it('judges by calls of half a minute and more, as soon as there is one', () => {
    const short = settledCalls({ cost: '0.1', durationMs: 6_000 });
    expect(left(stop, short).more).toBe(2);

    expect(left(stop, withSettled(short, aCall({ cost: '0.1' }))).more).toBe(26);
  });

  it('expects no call to be cheaper than the dearest one', () => {
    const long = settledCalls({ cost: '13', durationMs: 100 * MINUTE });

    expect(left(stop, long).more).toBe(2);
  });

  it('takes a cost without a currency, and one that is negative, for its own', () => {
    const known = settledCalls({ cost: '-0.2', currency: null }, { cost: '0.2' });

    expect(left({ cost: { amount: '3.4', currency: 'EUR' } }, known).more).toBe(1);
    expect(left({ cost: { amount: '3.3', currency: 'EUR' } }, known).more).toBe(0);
  });

  it('allows any number of calls that cost nothing, as long as something is left', () => {
    const free = settledCalls({ cost: '0' });

    expect(left(stop, free).more).toBe(Infinity);
    const used = withSettled(free, aCall({ cost: '40', durationMs: 0 }));
    expect(left(stop, used, used).more).toBe(0);
    const nothingLeft = { ...free, costs: { EUR: { ...free.costs['EUR'], sum: '40' } } } as Spent;
    expect(left(stop, nothingLeft).more).toBe(0);
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

    expect(left(stop, known).more).toBe(12);
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
        EUR: { sum: '0.3', dearest: 0.2, perMinute: 0.1, perMinuteShort: 2 },
        credits: { sum: '7', dearest: 7, perMinute: 7, perMinuteShort: null },
      },
    });
    const both = sumOf([one, settledCalls({ cost: '0.4', durationMs: 2 * MINUTE })]);
    expect(both.costs['EUR']?.perMinute).toBe(0.2);
    expect(sumOf([])).toEqual(NOTHING_SPENT);
  });
});

describe('whatever calls come to', () => {
  const call = fc.record({
    durationMs: fc.integer({ min: 1_000, max: LONGEST }),
    isAnswered: fc.boolean(),
    isLost: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
  });

  it('no budget is passed, and none is left over that one more call could not pass', () => {
    fc.assert(
      fc.property(
        fc.array(call, { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 20 }),
        fc.record({
          calls: fc.integer({ min: 1, max: 100 }),
          answered: fc.integer({ min: 1, max: 60 }),
          talkMinutes: fc.integer({ min: 15, max: 300 }),
          cents: fc.integer({ min: 300, max: 6_000 }),
        }),
        fc.integer({ min: 1, max: 20 }),
        (calls, slots, { cents, ...budget }, centsPerMinute) => {
          const amount = String(cents / 100);
          const stop: Stop = { ...budget, cost: { amount, currency: 'EUR' } };
          let now = spent();
          const queue = [...calls];
          const going: typeof calls = [];
          const begin = () => {
            const { more } = left(stop, now);
            const count = Math.min(more, slots - going.length, queue.length);
            going.push(...queue.splice(0, count));
            now = { ...now, calls: now.calls + count, open: now.open + count };
          };
          begin();
          while (going.length > 0) {
            const { durationMs, isAnswered, isLost } = going.shift() as (typeof calls)[number];
            now = { ...now, open: now.open - 1, stuck: now.stuck + (isLost ? 1 : 0) };
            const cost = String((centsPerMinute * durationMs) / MINUTE / 100);
            const result = isAnswered ? 'answered' : 'voicemail';
            if (!isLost) now = withSettled(now, aCall({ result, durationMs, cost }));
            begin();
          }
          expect(now.calls).toBeLessThanOrEqual(budget.calls);
          expect(now.answered + now.stuck).toBeLessThanOrEqual(budget.answered);
          expect(now.talkMs + now.stuck * LONGEST).toBeLessThanOrEqual(budget.talkMinutes * MINUTE);
          expect(Number(now.costs['EUR']?.sum ?? 0)).toBeLessThanOrEqual(cents / 100);
          if (queue.length > 0) expect(left(stop, now).more).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });
});
