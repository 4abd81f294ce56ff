import { describe, expect, it } from 'vitest';
import {
  afterRefusal,
  MOST_REFUSALS,
  restAfter,
  type Refusals,
} from '../../src/domain/refused-dials.ts';
import { DAY_MS } from '../../src/domain/time-units.ts';

const FULL_AGAIN = { held: 3, wasOtherTaken: true, othersRefused: 1 };
const MAYBE_FULL = { held: 3, wasOtherTaken: false, othersRefused: 0 };
const ALONE = { held: 3, wasOtherTaken: true, othersRefused: 0 };

/** A lead after these refusals, each a second after the one before; the last of them at `at`. */
function refused(facts: readonly (typeof ALONE)[], at: number, before: Refusals | null = null) {
  return facts.reduce<Refusals | null>(
    (sum, each, n) => afterRefusal(sum, each, at - (facts.length - 1 - n) * 1_000) ?? sum,
    before,
  );
}

const times = (count: number, facts: typeof ALONE) => Array<typeof ALONE>(count).fill(facts);

describe('a lead that the service refuses', () => {
  it('is given up after five refusals that nobody else had', () => {
    expect(restAfter(refused(times(4, ALONE), 0) as Refusals, MOST_REFUSALS, 0)).toBe(90_000);
    expect(restAfter(refused(times(5, ALONE), 0) as Refusals, MOST_REFUSALS, 0)).toBeNull();
  });

  it('waits where others were refused meanwhile, also on the evening after', () => {
    const first = refused(times(1, FULL_AGAIN), 0);
    const second = refused(times(6, FULL_AGAIN), DAY_MS + 60_000, first);
    expect(restAfter(second as Refusals, MOST_REFUSALS, DAY_MS + 60_000)).toBe(90_000);
  });

  it('is given up in the end, after a day and twenty refusals', () => {
    const first = refused(times(1, FULL_AGAIN), 0);
    const second = refused(times(20, FULL_AGAIN), DAY_MS + 60_000, first);
    expect(restAfter(second as Refusals, MOST_REFUSALS, DAY_MS + 60_000)).toBeNull();
  });

  it('has a day from the first refusal that counts', () => {
    expect(refused(times(1, MAYBE_FULL), 0)).toBeNull();
    const uncounted = { times: 0, own: 0, since: 0 };
    expect(refused(times(1, FULL_AGAIN), DAY_MS, uncounted)).toMatchObject({ since: DAY_MS });
  });
});
