import { describe, expect, it } from 'vitest';
import { PollScheduler, type ToldBy } from '../../../src/domain/polling/poll-scheduler.ts';
import type { Polling } from '../../../src/domain/polling/poll-schedule.ts';

const POLLING: Polling = { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 };
const MINUTE = 60_000;

let calls = 0;

/** Polls calls of one length as a poller does; per call: polls made, and how late its end was found. */
function watch(
  plan: PollScheduler,
  count: number,
  endsAt: number,
): { polls: number; lateMs: number } {
  let polls = 0;
  let lateMs = 0;
  for (let i = 0; i < count; i++) {
    const call = { attemptId: `a${++calls}`, polls: 0 };
    let age = plan.nextIn(call.attemptId, 0);
    for (; age < endsAt; age += plan.nextIn(call.attemptId, age), call.polls++) {
      plan.pending(call, age);
    }
    plan.settled(call, age, 'poll');
    polls += call.polls + 1;
    lateMs += age - endsAt;
  }
  return { polls: polls / count, lateMs: lateMs / count };
}

/** A call that something told of, three seconds after the one before. */
function tell(plan: PollScheduler, ageMs: number, by: ToldBy, polls = 0): void {
  plan.settled({ attemptId: `a${++calls}`, polls, placedAt: calls * 3_000 - ageMs }, ageMs, by);
}

describe('a plan of polls', () => {
  it('polls often while nothing is known of an agent', () => {
    const plan = new PollScheduler(POLLING);
    expect(plan.floorMs).toBe(1_000);
    expect(plan.nextIn('a1', 0)).toBe(1_000);
    expect(plan.nextIn('a1', 40_000)).toBe(10_000);
  });

  it('takes a floor below a second to mean that calls are short', () => {
    const nextAfter = (floorMs: number, ageMs: number) =>
      new PollScheduler({ ...POLLING, floorMs }).nextIn('a1', ageMs);
    expect(nextAfter(1_000, 600_000)).toBeGreaterThan(30_000);
    expect(nextAfter(20, 12_000)).toBeLessThan(1_200);
  });

  it.each([6_000, 30_000, 300_000])('learns that calls take %i ms', (endsAt) => {
    const plan = new PollScheduler(POLLING);
    const { polls } = watch(plan, 10, endsAt);
    watch(plan, 100, endsAt);
    const learned = watch(plan, 100, endsAt);
    expect(learned.lateMs).toBeLessThan(6_000);
    expect(learned.polls).toBeLessThan(Math.max(2, polls));
    expect(learned.polls).toBeLessThan(endsAt / MINUTE + 2.5);
  });

  it('knows that no call ends before it was talked for as long as the service says', () => {
    const found = (talkedMs: number | null) => {
      const plan = new PollScheduler(POLLING);
      for (let i = 0; i < 50; i++) {
        plan.settled({ attemptId: `a${++calls}`, polls: 0 }, 40_000, 'poll', talkedMs);
      }
      return plan.nextIn('a1', 0);
    };
    expect(found(null)).toBeLessThan(25_000);
    expect(found(30_000)).toBeGreaterThan(30_000);
    // In a rehearsal time runs faster than the service's words.
    expect(found(60_000)).toBe(found(null));
  });

  it('takes a floor below a second to mean that results are wanted soon', () => {
    const lateIn = (floorMs: number) => {
      const plan = new PollScheduler({ ...POLLING, floorMs });
      for (let i = 0; i < 200; i++) {
        const ageMs = floorMs * (2 + (i % 10));
        plan.settled({ attemptId: `a${++calls}`, polls: 0 }, ageMs, 'poll', ageMs - 1);
      }
      return plan.nextIn('a1', 0) / floorMs;
    };
    expect(lateIn(20)).toBeLessThan(lateIn(1_000));
  });

  it('learns that calls have become shorter, and longer again', () => {
    const plan = new PollScheduler(POLLING);
    watch(plan, 200, 30_000);
    expect(watch(plan, 10, 6_000).lateMs).toBeGreaterThan(15_000);
    watch(plan, 500, 6_000);
    expect(watch(plan, 100, 6_000).lateMs).toBeLessThan(8_000);
    watch(plan, 500, 30_000);
    const again = watch(plan, 100, 30_000);
    expect(again.lateMs).toBeLessThan(6_000);
    expect(again.polls).toBeLessThan(4);
  });

  it('knows from the beginning what another run has seen', () => {
    const plan = new PollScheduler(POLLING);
    const call = { afterMs: 118_000, byMs: 122_000 };
    const analytics = { afterMs: 50_000, byMs: 50_000 };
    plan.remember(Array(50).fill({ call, analytics: null }));
    expect(watch(plan, 10, 120_000).polls).toBeLessThan(4);
    plan.remember(Array(200).fill({ call, analytics }));
    plan.lineDown({ attemptId: 'down', polls: 0 }, 120_000, 'poll');
    expect(plan.nextIn('down', 120_000)).toBeGreaterThan(30_000);
  });

  it('has a schedule of its own, a short one, once the line is down', () => {
    const plan = new PollScheduler(POLLING);
    watch(plan, 50, 300_000);
    const call = { attemptId: 'down', polls: 3 };
    plan.pending(call, 290_000);
    expect(plan.nextIn('down', 290_000)).toBeLessThan(60_000);
    plan.lineDown(call, 310_000, 'poll');
    expect(plan.nextIn('down', 310_000)).toBeLessThan(8_000);
    plan.lineDown(call, 315_000, 'poll');
    expect(plan.nextIn('down', 315_000)).toBeLessThan(15_000);
    plan.settled(call, 320_000, 'poll');
    expect(plan.nextIn('down', 0)).toBe(plan.nextIn('another', 0));
  });

  it('learns how long analytics take', () => {
    const plan = new PollScheduler(POLLING);
    for (let i = 0; i < 100; i++) {
      const call = { attemptId: `lag${i}`, polls: 1 };
      plan.lineDown(call, 100_000, 'poll');
      plan.lineDown(call, 138_000, 'poll');
      plan.settled(call, 142_000, 'poll');
    }
    plan.lineDown({ attemptId: 'next', polls: 1 }, 100_000, 'poll');
    expect(plan.nextIn('next', 100_000)).toBeGreaterThan(25_000);
    expect(plan.nextIn('next', 100_000)).toBeLessThan(50_000);
  });

  it('polls rarely where webhooks tell of the ends, and often again once they stop', () => {
    let stopped = 0;
    const plan = new PollScheduler(POLLING, () => (stopped += 1));
    const tellOf = (count: number, by: ToldBy) => {
      for (let i = 0; i < count; i++) tell(plan, 20_000 + ((i * 37) % 100) * 1_000, by, 1);
    };
    tellOf(100, 'delivery');
    expect(plan.nextIn('next', 20_000)).toBe(60_000);
    tellOf(4, 'poll');
    expect(plan.nextIn('next', 20_000)).toBeGreaterThan(30_000);
    expect(stopped).toBe(0);
    tellOf(6, 'poll');
    expect(plan.nextIn('next', 20_000)).toBeLessThan(25_000);
    expect(stopped).toBe(1);
  });

  it('says once that webhooks have stopped, of ends and of analytics, until one comes again', () => {
    let stopped = 0;
    const plan = new PollScheduler(POLLING, () => (stopped += 1));
    let calls = 0;
    const tellOf = (count: number, by: ToldBy) => {
      for (let i = 0; i < count; i++) {
        const call = { attemptId: `call${(calls += 1)}`, polls: 0, placedAt: calls * 3_000 };
        plan.lineDown(call, 60_000, by);
        plan.settled(call, 66_000, by);
      }
    };
    tellOf(10, 'delivery');
    tellOf(20, 'poll');
    expect(stopped).toBe(1);
    tellOf(1, 'delivery');
    tellOf(20, 'poll');
    expect(stopped).toBe(2);
  });

  it('does not say so while they come later than a poll that has found the end', () => {
    let stopped = 0;
    const plan = new PollScheduler(POLLING, () => (stopped += 1));
    tell(plan, 60_000, 'delivery');
    for (let i = 0; i < 20; i++) {
      tell(plan, 60_000, 'poll', 1);
      plan.delivered(calls * 3_000 + 200);
    }
    expect(stopped).toBe(0);
  });

  it('does not say so where calls are seldom, and each delivery comes after the poll', () => {
    let stopped = 0;
    const plan = new PollScheduler(POLLING, () => (stopped += 1));
    tell(plan, MINUTE, 'delivery');
    for (let n = 1; n < 30; n++) {
      const call = { attemptId: `seldom${n}`, polls: 1, placedAt: calls * 3_000 + n * MINUTE };
      plan.settled(call, MINUTE, 'poll');
      plan.delivered(call.placedAt + MINUTE + 3_000);
    }
    expect(stopped).toBe(0);
  });

  it('tells webhooks of the end apart from webhooks of the analytics', () => {
    const plan = new PollScheduler(POLLING);
    for (let i = 0; i < 50; i++) {
      const call = { attemptId: `hint${i}`, polls: 0 };
      plan.lineDown(call, 60_000, 'delivery');
      plan.settled(call, 66_000, 'poll');
    }
    plan.lineDown({ attemptId: 'next', polls: 0 }, 60_000, 'delivery');
    expect(plan.nextIn('next', 60_000)).toBeLessThan(10_000);
    expect(plan.nextIn('other', 0)).toBe(60_000);
  });

  it('does not learn from a call whose last poll nobody here has seen', () => {
    const plan = new PollScheduler(POLLING);
    const before = plan.nextIn('next', 0);
    for (let i = 0; i < 100; i++) tell(plan, 3_000_000, 'poll', 4);
    expect(plan.nextIn('next', 0)).toBe(before);
  });

  it('needs nobody who is told that webhooks have stopped', () => {
    const plan = new PollScheduler(POLLING);
    tell(plan, 60_000, 'delivery');
    for (let i = 0; i < 5; i++) tell(plan, 60_000, 'poll', 9);
    expect(plan.nextIn('next', 40_000)).toBeLessThan(60_000);
  });

  it('bears a clock that is set back between two polls', () => {
    const plan = new PollScheduler(POLLING);
    for (let i = 0; i < 20; i++) {
      const call = { attemptId: `back${i}`, polls: 1 };
      plan.pending(call, 900_000);
      plan.lineDown(call, 30_000, 'poll');
      plan.settled(call, 10_000, 'poll');
    }
    expect(plan.nextIn('next', 0)).toBeGreaterThanOrEqual(1_000);
    expect(plan.nextIn('next', 0)).toBeLessThanOrEqual(60_000);
  });

  it('forgets calls that another process settled, so that memory does not grow', () => {
    const plan = new PollScheduler(POLLING);
    plan.lineDown({ attemptId: 'first', polls: 0 }, 30_000, 'poll');
    const whileDown = plan.nextIn('first', 30_000);
    for (let i = 0; i < 10_000; i++) plan.pending({ attemptId: `many${i}`, polls: 0 }, 1_000);
    expect(plan.nextIn('first', 30_000)).not.toBe(whileDown);
  });
});
