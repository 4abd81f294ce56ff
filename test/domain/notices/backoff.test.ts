import { describe, expect, it } from 'vitest';
import { GIVEN_UP_AFTER_MS, nextTry } from '../../../src/domain/notices.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time-units.ts';

const WRITTEN = Date.UTC(2026, 0, 5, 15);
const failed = (tries: number, now = WRITTEN, retryAfterMs: number | null = null) =>
  nextTry(tries, WRITTEN, now, retryAfterMs);

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

  it('waits as long as its receiver asks, but never less than the backoff', () => {
    expect(failed(1, WRITTEN, HOUR_MS)).toBe(WRITTEN + HOUR_MS);
    expect(failed(4, WRITTEN, 1_000)).toBe(WRITTEN + 30 * MINUTE_MS);
  });

  it('is given up when its next try would be later than three days after it was written', () => {
    const sixHours = 6 * HOUR_MS;
    expect(failed(9, WRITTEN + GIVEN_UP_AFTER_MS - sixHours)).toBe(WRITTEN + 3 * DAY_MS);
    expect(failed(9, WRITTEN + GIVEN_UP_AFTER_MS - sixHours + 1)).toBeNull();
  });
});
