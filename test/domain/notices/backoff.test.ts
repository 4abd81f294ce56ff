import { describe, expect, it } from 'vitest';
import {
  GIVEN_UP_AFTER_MS,
  LONGEST_WAIT_MS,
  nextTry,
} from '../../../src/domain/notices/backoff.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time-units.ts';

const WRITTEN = Date.UTC(2026, 0, 5, 15);
const failed = (tries: number, more: Partial<Parameters<typeof nextTry>[0]> = {}) =>
  nextTry({ tries, writtenAt: WRITTEN, now: WRITTEN, retryAfterMs: null, chance: 0, ...more });

describe('a notice that did not come', () => {
  it('is tried again soon, then more and more seldom', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 50].map((tries) => (failed(tries) ?? 0) - WRITTEN);
    expect(waits).toEqual([
      10_000,
      MINUTE_MS,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      2 * HOUR_MS,
      6 * HOUR_MS,
      6 * HOUR_MS,
      6 * HOUR_MS,
    ]);
  });

  it('waits a fifth longer at most by chance, and never longer than a clock that was set back is told by', () => {
    expect(failed(2, { chance: 0.5 })).toBe(WRITTEN + 66_000);
    expect((failed(6, { chance: 0.999 }) ?? 0) - WRITTEN).toBeLessThan(LONGEST_WAIT_MS);
  });

  it('waits as long as its receiver asks, but never less than the backoff', () => {
    expect(failed(1, { retryAfterMs: HOUR_MS })).toBe(WRITTEN + HOUR_MS);
    expect(failed(4, { retryAfterMs: 1_000 })).toBe(WRITTEN + 30 * MINUTE_MS);
  });

  it('is given up when its next try would be later than three days after it was written', () => {
    const sixHours = 6 * HOUR_MS;
    expect(failed(9, { now: WRITTEN + GIVEN_UP_AFTER_MS - sixHours })).toBe(WRITTEN + 3 * DAY_MS);
    expect(failed(9, { now: WRITTEN + GIVEN_UP_AFTER_MS - sixHours + 1 })).toBeNull();
  });
});
