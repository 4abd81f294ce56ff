import { describe, expect, test } from 'vitest';
import { LookPlan } from '../../src/domain/look-plan.ts';
import { nextLookIn } from '../../src/domain/poll-plan.ts';

const polling = { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 };
/** One call in ten is watched closely: those whose id ends in 0. */
const CLOSELY = 'a10';
const OTHER = 'a11';

/** Watches calls that all end at `endsAt`, as a poller would. */
function watch(plan: LookPlan, id: string, endsAt: number): { looks: number; foundAt: number } {
  let age = 0;
  for (let looks = 1; ; looks++) {
    age += plan.nextIn(id, age);
    if (age >= endsAt) {
      plan.ended(id, age);
      return { looks, foundAt: age };
    }
    plan.inVain(id, age);
  }
}

describe('a plan of looks', () => {
  test('goes by the age of the call while nothing is learned', () => {
    const plan = new LookPlan(polling);
    for (const age of [0, 1_000, 50_000]) {
      expect(plan.nextIn(OTHER, age)).toBe(nextLookIn(age, polling));
    }
  });

  test('leaves out the looks before the shortest calls end, once it has seen ten', () => {
    const plan = new LookPlan(polling);
    const before = watch(plan, OTHER, 30_000);
    for (let i = 0; i < 10; i++) watch(plan, CLOSELY, 30_000);
    const after = watch(plan, OTHER, 30_000);
    expect(before.looks).toBeGreaterThan(10);
    expect(after.looks).toBeLessThanOrEqual(2);
    expect(after.foundAt - 30_000).toBeLessThanOrEqual(6_000);
  });

  test('learns from calls that are watched closely only, so that shorter calls are noticed', () => {
    const plan = new LookPlan(polling);
    for (let i = 0; i < 10; i++) watch(plan, CLOSELY, 30_000);
    for (let i = 0; i < 50; i++) watch(plan, OTHER, 5_000);
    expect(plan.nextIn(OTHER, 0)).toBeGreaterThan(20_000);
    for (let i = 0; i < 100; i++) watch(plan, CLOSELY, 5_000);
    expect(plan.nextIn(OTHER, 0)).toBeLessThanOrEqual(5_500);
  });

  test('never waits longer than the ceiling, however long calls are', () => {
    const plan = new LookPlan(polling);
    for (let i = 0; i < 10; i++) watch(plan, CLOSELY, 1_000_000);
    expect(plan.nextIn(OTHER, 0)).toBe(60_000);
  });

  test('looks at whole milliseconds', () => {
    const plan = new LookPlan(polling);
    for (let i = 0; i < 10; i++) watch(plan, CLOSELY, 3_333);
    expect(plan.nextIn(OTHER, 0) % 1).toBe(0);
  });
});
