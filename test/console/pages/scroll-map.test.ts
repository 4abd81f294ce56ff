import { describe, expect, it } from 'vitest';
import {
  heightOf,
  MOST_HEIGHT,
  pagesOf,
  ROW_HEIGHT,
  rowsAt,
  scrolledTo,
  scrollTopAt,
  topShowing,
} from '../../../src/console/pages/people/scroll-map.ts';

const VIEWPORT = 500;
const MILLION = { rows: 1_000_000, viewport: VIEWPORT };
const START = { top: 0, scrollTop: 0 };
/** As far as the browser lets the bar go. */
const lowest = (rows: number) => heightOf(rows) - VIEWPORT;

describe('a scrollbar of a table', () => {
  it('is the true one while all rows fit into an element', () => {
    const extent = { rows: 5_000, viewport: VIEWPORT };
    expect(heightOf(5_000)).toBe(5_000 * ROW_HEIGHT);
    for (const scrollTop of [0, 1, 3_999, 110_000, lowest(5_000)]) {
      expect(scrolledTo(scrollTop, START, extent)).toEqual({ top: scrollTop, scrollTop });
      expect(scrollTopAt(scrollTop, extent)).toBe(scrollTop);
    }
  });

  it('stands for a million rows in an element that browsers can draw', () => {
    expect(heightOf(1_000_000)).toBe(MOST_HEIGHT);
    const end = scrolledTo(lowest(1_000_000), START, MILLION);
    expect(rowsAt(end.top, MILLION).end).toBe(1_000_000);
    const middle = scrolledTo(lowest(1_000_000) / 2, START, MILLION);
    expect(rowsAt(middle.top, MILLION).first).toBeCloseTo(500_000 - VIEWPORT / 2 / ROW_HEIGHT, -1);
    for (const { top, scrollTop } of [end, middle])
      expect(scrollTopAt(top, MILLION)).toBeCloseTo(scrollTop, 6);
  });

  it('moves rows as far as the wheel was turned, and not as many as a million rows would take', () => {
    const before = scrolledTo(lowest(1_000_000) / 2, START, MILLION);
    const after = scrolledTo(before.scrollTop + 100, before, MILLION);
    expect(after.top - before.top).toBe(100);
    expect(scrolledTo(before.scrollTop - 100, before, MILLION).top - before.top).toBe(-100);
  });

  it('leads to no row that is not there', () => {
    expect(scrolledTo(-50, START, MILLION).top).toBe(0);
    const end = scrolledTo(lowest(1_000_000), START, MILLION);
    expect(scrolledTo(end.scrollTop + 80, end, MILLION).top).toBe(end.top);
    expect(scrolledTo(10, START, { rows: 3, viewport: VIEWPORT }).top).toBe(0);
    expect(scrollTopAt(10, { rows: 3, viewport: VIEWPORT })).toBe(0);
  });
});

describe('a row that is looked for', () => {
  it('is shown whole, by no longer way than it takes', () => {
    expect(topShowing(3, 0, MILLION)).toBe(0);
    expect(topShowing(11, 0, MILLION)).toBe(12 * ROW_HEIGHT - VIEWPORT);
    expect(topShowing(2, 1_000, MILLION)).toBe(2 * ROW_HEIGHT);
    for (const row of [0, 499_999, 999_999]) {
      const top = topShowing(row, 123_456, MILLION);
      expect(top).toBeLessThanOrEqual(row * ROW_HEIGHT);
      expect(top + VIEWPORT).toBeGreaterThanOrEqual((row + 1) * ROW_HEIGHT);
    }
  });
});

describe('what is seen', () => {
  it('is the rows between the upper and the lower edge, also those that are cut', () => {
    expect(rowsAt(0, MILLION)).toEqual({ first: 0, end: 12 });
    expect(rowsAt(ROW_HEIGHT - 1, MILLION)).toEqual({ first: 0, end: 13 });
    expect(rowsAt(ROW_HEIGHT, MILLION)).toEqual({ first: 1, end: 13 });
    expect(rowsAt(0, { rows: 3, viewport: VIEWPORT })).toEqual({ first: 0, end: 3 });
  });

  it('is on one page, or on two where it crosses from one to the next', () => {
    expect(pagesOf(0, 12)).toEqual([0]);
    expect(pagesOf(95, 100)).toEqual([0]);
    expect(pagesOf(95, 101)).toEqual([0, 1]);
    expect(pagesOf(100, 112)).toEqual([1]);
    expect(pagesOf(999_990, 1_000_000)).toEqual([9_999]);
    expect(pagesOf(0, 0)).toEqual([]);
  });
});
