import { describe, expect, it } from 'vitest';
import { isWorthWaiting, nextSearchIn } from '../../../src/domain/polling/search-plan.ts';

const TEN_MINUTES = 600_000;

describe('a doubt is searched for', () => {
  it.each([
    ['ten minutes', TEN_MINUTES, [5, 20, 60, 180, 540]],
    ['a minute', 60_000, [5, 20, 60]],
    ['five seconds', 5_000, [2.5]],
    ['a day', 86_400_000, [5, 20, 60, 180, 540, 1_620, 4_860, 14_580, 43_740]],
  ])('ever more seldom within %s', (_what, forMs, seconds) => {
    expect(searches(forMs)).toEqual(seconds);
  });

  it('once when it is older than that: nobody was there to search', () => {
    expect(nextSearchIn(9 * TEN_MINUTES, null, TEN_MINUTES)).toBe(0);
    expect(nextSearchIn(9 * TEN_MINUTES, 9 * TEN_MINUTES, TEN_MINUTES)).toBeNull();
  });

  it('fifteen seconds after a list that came too early to tell of it', () => {
    expect(nextSearchIn(1_000, 300, TEN_MINUTES)).toBe(14_300);
  });
});

describe('a run that has nothing else to do', () => {
  it.each([
    [0, true],
    [40_000, true],
    [120_000, false],
    [Infinity, false],
  ])('stays for a search that is due in %s ms: %s', (dueInMs, stays) => {
    expect(isWorthWaiting(dueInMs)).toBe(stays);
  });
});

/** When the searches come, in seconds. */
function searches(forMs: number): number[] {
  const at: number[] = [];
  let age = 0;
  let last: number | null = null;
  for (let next = nextSearchIn(age, last, forMs); next !== null;) {
    age += next;
    last = age;
    at.push(age / 1_000);
    next = nextSearchIn(age, last, forMs);
  }
  return at;
}
