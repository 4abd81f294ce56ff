import { expect, it } from 'vitest';
import { BEST_FIRST, FINAL_RESULTS } from '../../../src/domain/calling/best-attempt.ts';
import { LEAD_RESULTS } from '../../../src/domain/lead.ts';

it('orders every result once', () => {
  expect(BEST_FIRST.toSorted()).toEqual([...LEAD_RESULTS].toSorted());
});

it('puts the results that end a person before all others', () => {
  expect(BEST_FIRST.slice(0, FINAL_RESULTS.length)).toEqual(FINAL_RESULTS);
});
