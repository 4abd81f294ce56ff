import { describe, expect, it } from 'vitest';
import { nextLookIn, type Polling } from '../../src/domain/poll-plan.ts';

const polling: Polling = { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 };

describe('nextLookIn', () => {
  it('looks again after a fifth of the age of the call', () => {
    expect(nextLookIn(50_000, polling)).toBe(10_000);
  });

  it('plans in whole milliseconds', () => {
    expect(nextLookIn(12_347, polling)).toBe(2_469);
  });

  it('never looks sooner than the floor, not even when the clock was set back', () => {
    expect(nextLookIn(0, polling)).toBe(1_000);
    expect(nextLookIn(-5_000, polling)).toBe(1_000);
  });

  it('never waits longer than the ceiling', () => {
    expect(nextLookIn(3_600_000, polling)).toBe(60_000);
  });

  it('notices the end of a call at most a fifth of its length late', () => {
    for (let age = 5_000; age < 300_000;) {
      const lateBy = nextLookIn(age, polling);
      expect(lateBy).toBeLessThanOrEqual(age / 5 + 1);
      age += lateBy;
    }
  });
});
