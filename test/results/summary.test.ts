import { NO_DIALS } from '../../src/domain/nights/night-end.ts';
import { expect, test } from 'vitest';
import { summaryLines } from '../../src/results/figure-lines.ts';
import type { Progress } from '../../src/store/port.ts';

const progress: Progress = {
  total: 60,
  waiting: 4,
  calling: 2,
  unknown: 1,
  done: 54,
  results: { no_answer: 12, answered: 42 },
  held: 2,
  open: 1,
  doubts: 1,
  dials: { made: 53, refused: 2, inDoubt: 1, notMade: 4 },
  answered: 0,
  lastCallAt: null,
  nextDueAt: null,
};

test('a summary has a total, then the results that occur with their meaning, then the doubts', () => {
  expect(summaryLines(progress)).toEqual([
    '60 leads: 54 done, 2 in progress, 4 waiting',
    '  answered   42  a person spoke',
    '  no_answer  12  nobody answered',
    '  53 calls made, 2 refused, 1 in doubt, 4 not made',
    '  1 requested call is in doubt: the answer was lost and is not settled yet',
  ]);
});

test('a campaign without results has the total only', () => {
  const none = {
    ...progress,
    dials: NO_DIALS,
    total: 1,
    done: 0,
    calling: 0,
    waiting: 1,
    results: {},
    doubts: 0,
  };
  expect(summaryLines(none)).toEqual(['1 lead: 0 done, 0 in progress, 1 waiting']);
  expect(summaryLines({ ...none, doubts: 2 })[1]).toContain('2 requested calls are in doubt');
});

test('in progress are calls on the line; a result to come is one of a call that is over', () => {
  const later = { ...progress, calling: 5, held: 2 };
  expect(summaryLines(later)[0]).toBe(
    '60 leads: 54 done, 2 in progress, 3 results to come, 4 waiting',
  );
  expect(summaryLines(progress, 'cancelled')[0]).toContain('2 in progress, 4 not called');
});

test('thousands are set apart, and the counts stay below each other', () => {
  const results = { no_answer: 12, answered: 19_988 };
  const long = {
    ...progress,
    dials: NO_DIALS,
    total: 20_000,
    done: 20_000,
    calling: 0,
    waiting: 0,
    results,
  };
  expect(summaryLines({ ...long, doubts: 0 })).toEqual([
    '20,000 leads: 20,000 done, 0 in progress, 0 waiting',
    '  answered   19,988  a person spoke',
    '  no_answer      12  nobody answered',
  ]);
});
