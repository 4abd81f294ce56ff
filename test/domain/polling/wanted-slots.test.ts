import { describe, expect, it } from 'vitest';
import {
  DurationHistogram,
  expectedOf,
  finer,
  worthFor,
} from '../../../src/domain/polling/poll-schedule.ts';
import { PollScheduler, type ToldBy } from '../../../src/domain/polling/poll-scheduler.ts';
import { seededRandom, type Random } from '../../../src/runtime/random.ts';

const POLLING = { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 };

const LENGTHS: Record<string, (random: Random) => number> = {
  'of any length to two minutes': (random) => random() * 120_000,
  'that ring out after half a minute': (random) => 28_000 + random() * 4_000,
  'of two kinds': (random) => (random() < 0.5 ? 30_000 : 150_000) + random() * 10_000,
  'that may be long': (random) => 20_000 * Math.exp(2 * random() + random()),
};

function histogramOf(length: (random: Random) => number): DurationHistogram {
  const random = seededRandom('ends');
  const ends = new DurationHistogram((ms) => 1 / (1 + (ms / 60_000) ** -2), 1);
  for (let n = 0; n < 600; n++) {
    const ms = length(random);
    ends.learn({ afterMs: Math.max(0, ms - 2_000), byMs: ms });
  }
  return ends;
}

describe.each(Object.entries(LENGTHS))('requests for calls %s', (_, length) => {
  const ends = finer(histogramOf(length), 4);

  it.each([0.1, 0.2, 0.4])('are as many as may be spent: %f a second and call', (perSecond) => {
    const { polls, heldMs } = expectedOf(ends, worthFor(ends, perSecond));
    const spent = (polls + 1) / (heldMs / 1_000);
    expect(spent).toBeLessThanOrEqual(perSecond * 1.000_001);
    expect(spent).toBeGreaterThan(perSecond * 0.85);
  });

  it('find ends sooner, the more of them there are', () => {
    const held = [0.05, 0.1, 0.2, 0.4].map((each) => expectedOf(ends, worthFor(ends, each)).heldMs);
    expect(held).toEqual(held.toSorted((a, b) => b - a));
  });
});

it('finer bins hold the same calls', () => {
  const ends = histogramOf((random) => random() * 100_000);
  const cut = finer(ends, 4);
  const sum = (calls: Float64Array) => calls.reduce((all, one) => all + one, 0);
  expect(sum(cut.calls)).toBeCloseTo(sum(ends.calls), 6);
  expect(cut.edgesMs.filter((_, n) => n % 4 === 0)).toEqual(ends.edgesMs);
  expect(cut.edgesMs).toEqual(cut.edgesMs.toSorted());
});

describe('the slot of a call', () => {
  it('that nobody waits for costs few polls', () => {
    expect(pollsOf(100_000, aPlan('poll'))).toBeLessThan(8);
  });

  it('that people wait for is polled as often as 2 requests a second and one for 5 calls allow', () => {
    const plan = aPlan('poll');
    plan.want(50, Infinity);
    // 0.24 a second and call, without the dial.
    expect(pollsOf(100_000, plan)).toBeGreaterThan(17);
    expect(pollsOf(100_000, plan)).toBeLessThan(30);
    plan.want(null, Infinity);
    expect(pollsOf(100_000, plan)).toBeLessThan(8);
  });

  it('is polled no more often than the service bears', () => {
    const plan = aPlan('poll');
    plan.want(50, 3);
    expect(pollsOf(100_000, plan)).toBeLessThan(9);
  });

  it('is not polled more often where deliveries tell of its end', () => {
    const plan = aPlan('delivery');
    const before = pollsOf(100_000, plan);
    plan.want(50, Infinity);
    expect(pollsOf(100_000, plan)).toBe(before);
    expect(plan.untoldSlots).toBe(0);
  });

  it('is one that a list is worth its request for, where nothing tells of it', () => {
    const plan = aPlan('poll');
    expect(plan.untoldSlots).toBe(0);
    plan.want(50, Infinity);
    expect(plan.untoldSlots).toBe(50);
  });
});

/** Has learned of 200 calls from 50 to 150 s. */
function aPlan(by: ToldBy): PollScheduler {
  const plan = new PollScheduler(POLLING);
  const random = seededRandom('learned');
  for (let n = 0; n < 200; n++) {
    const call = { attemptId: `a${n}`, polls: 1 };
    const ms = Math.round(50_000 + random() * 100_000);
    plan.pending(call, ms - 3_000);
    plan.settled(call, ms, by);
  }
  return plan;
}

/** How often a call is polled until it is so old. */
function pollsOf(ms: number, plan: PollScheduler): number {
  let polls = 0;
  for (let age = 0; age < ms; polls++) age += plan.nextIn('next', age);
  return polls;
}
