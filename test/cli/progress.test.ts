import { describe, expect, it } from 'vitest';
import { lineOf } from '../../src/cli/progress.ts';

/** Nothing is called yet. */
const NOTHING = { done: 0, calling: 0, held: 0, waiting: 20_000, unknown: 0 };

describe('the progress of a run', () => {
  it('is one line with thousands set apart', () => {
    expect(lineOf(NOTHING, 0)).toBe('0 done, 0 in progress, 20,000 waiting');
    const progress = {
      ...NOTHING,
      done: 4_000,
      calling: 100,
      held: 90,
      waiting: 15_900,
      unknown: 2,
    };
    expect(lineOf(progress, 1_600)).toBe(
      '4,000 done, 90 in progress, 10 ended, 15,900 waiting, 2 unknown, 1,600/min, about 10 min left',
    );
  });

  it.each([
    [8, '8 s'],
    [1_600, '27 min'],
    [30_000, '8.3 h'],
  ])('tells how long %i calls at 60 a minute take: %s', (waiting, left) => {
    expect(lineOf({ ...NOTHING, waiting }, 60)).toContain(`about ${left} left`);
  });
});
