import { expect, test } from 'vitest';
import { PageBudget } from '../../../src/service/http/page-budget.ts';
import { VirtualClock } from '../../helpers/clock.ts';

const page = (number: number) => new URL(`https://voice.example/agents?page=${number}`);

test('a list is followed until a page comes again, or there are too many of them', () => {
  const budget = new PageBudget(new VirtualClock(), 3);
  expect([1, 2, 2].map((number) => budget.take(page(number)))).toEqual([true, true, false]);
  const another = new PageBudget(new VirtualClock(), 3);
  expect([1, 2, 3, 4].map((number) => another.take(page(number)))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('a list is followed for five minutes, however few its pages', async () => {
  const clock = new VirtualClock();
  const budget = new PageBudget(clock, 1_000);
  expect(budget.take(page(1))).toBe(true);
  await clock.advance(300_000);
  expect(budget.take(page(2))).toBe(true);
  await clock.advance(1);
  expect(budget.take(page(3))).toBe(false);
});

test('a list is followed until its pages fill 64 MB', () => {
  const budget = new PageBudget(new VirtualClock(), 1_000);
  const text = ' '.repeat(4_194_304);
  for (let number = 1; number <= 17; number++) {
    expect(budget.take(page(number))).toBe(true);
    budget.spend(text);
  }
  expect(budget.take(page(18))).toBe(false);
});
