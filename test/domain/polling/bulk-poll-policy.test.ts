import { describe, expect, it } from 'vitest';
import { BulkPollPolicy } from '../../../src/domain/polling/search-plan.ts';

const MINUTE = 60_000;
const ages = (count: number, ageMs: number) => Array<number>(count).fill(ageMs);

describe('one list instead of many polls', () => {
  it('is worth it for more than a handful of calls', () => {
    expect(new BulkPollPolicy().worth(ages(5, MINUTE))).toBe(0);
    expect(new BulkPollPolicy().worth(ages(6, MINUTE))).toBe(6);
    expect(new BulkPollPolicy().worth([])).toBe(0);
  });

  it('leaves out an old call for which it would have to reach far back', () => {
    const plan = new BulkPollPolicy();
    plan.learn({ backMs: MINUTE, calls: 100, asked: 10, told: 10 });
    expect(plan.worth([...ages(10, MINUTE), 60 * MINUTE])).toBe(10);
  });

  it('is not worth it where more pages than polls are needed', () => {
    const plan = new BulkPollPolicy();
    plan.learn({ backMs: MINUTE, calls: 1_000, asked: 10, told: 10 });
    expect(plan.worth(ages(10, MINUTE))).toBe(0);
    expect(plan.worth(ages(30, MINUTE))).toBe(30);
  });

  it('is given up where it does not tell of the calls', () => {
    const plan = new BulkPollPolicy();
    for (let i = 0; i < 10; i++) plan.learn({ backMs: MINUTE, calls: 10, asked: 10, told: 0 });
    expect(plan.worth(ages(20, MINUTE))).toBe(0);
  });

  it('bears a list that reaches back no time at all', () => {
    const plan = new BulkPollPolicy();
    plan.learn({ backMs: 0, calls: 0, asked: 10, told: 10 });
    expect(plan.worth(ages(10, 0))).toBe(10);
  });
});
