import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AdaptiveSlots } from '../../../src/dispatch/service-capacity.ts';

/** So many slots, of which the service took `taken` and refused the others in one burst, with a backoff of a second. */
function refusedDown(from: number, taken: number): AdaptiveSlots {
  const slots = new AdaptiveSlots(from);
  for (let held = from - 1; held >= taken; held--) slots.refused(0, 1_000, held);
  return slots;
}

/** How often a service that takes 5 refuses in a minute, and after which waits. `freed`: calls that end in each backoff. */
function tooMany(freed: number): number[] {
  const slots = refusedDown(10, 5);
  const at = [0];
  for (let now = 0; now < 60_000; now += 10) {
    if (slots.limit(now) <= 5) continue;
    slots.refused(now, 1_000, 5);
    for (let n = 0; n < freed; n++) slots.freed(now + 250);
    at.push(now);
  }
  return at.slice(1).map((now, n) => now - Number(at[n]));
}

describe('AdaptiveSlots', () => {
  it('begin with all that the operator allows', () => {
    expect(new AdaptiveSlots(20).limit(0)).toBe(20);
  });

  it('are as many after a refusal as the service took', () => {
    const slots = new AdaptiveSlots(20);

    expect(slots.refused(0, 1_000, 12)).toBe(true);

    expect(slots.limit(0)).toBe(12);
  });

  it('are as many as before its calls ended, less one, where that was just now', () => {
    const slots = new AdaptiveSlots(20);
    for (let n = 0; n < 12; n++) slots.freed(0);
    slots.placed();
    slots.refused(0, 1_000, 3);
    expect(slots.limit(0)).toBe(14);
    slots.refused(1_000, 1_000, 3);
    expect(slots.limit(1_000)).toBe(3);
  });

  it('are one fewer for each further dial that was in flight, though calls end meanwhile', () => {
    const slots = new AdaptiveSlots(20);
    slots.refused(0, 1_000, 12);

    for (let n = 1; n <= 4; n++) expect(slots.refused(n, 1_000, 12 - 2 * n)).toBe(false);

    expect(slots.limit(5)).toBe(8);
  });

  it('are one fewer for each of the refusals that were recorded together', () => {
    const slots = new AdaptiveSlots(50);
    slots.refused(0, 1_000, 19);

    for (let n = 0; n < 9; n++) slots.refused(1, 1_000, 10);

    expect(slots.limit(2)).toBe(10);
  });

  it('are fewer again when the service still refuses after its Retry-After', () => {
    const slots = new AdaptiveSlots(20);
    slots.refused(0, 1_000, 12);

    expect(slots.refused(1_000, 1_000, 9)).toBe(true);

    expect(slots.limit(1_000)).toBe(9);
  });

  it('are one fewer where more are held than the operator allows', () => {
    const slots = new AdaptiveSlots(20);
    slots.refused(0, 1_000, 30);

    expect(slots.limit(0)).toBe(19);
  });

  it('are never fewer than one', () => {
    const slots = new AdaptiveSlots(3);
    for (let ms = 0; ms < 60_000; ms += 100) slots.refused(ms, 1_000, 0);

    expect(slots.limit(60_000)).toBe(1);
  });

  it('stay as few while the service wants to be left alone', () => {
    const slots = new AdaptiveSlots(20);
    slots.refused(0, 600_000, 14);

    expect(slots.limit(600_000)).toBe(14);
  });

  it('are one more two seconds after the Retry-After, and all in use a few seconds later', () => {
    const slots = refusedDown(20, 5);

    const limits = [2_999, 3_000, 4_000, 5_000, 6_000, 7_000].map((now) => slots.limit(now));

    expect(limits).toEqual([5, 6, 7, 9, 13, 20]);
  });

  it('are what the service took before when one more is refused, whoever ended meanwhile', () => {
    const slots = refusedDown(10, 5);
    slots.refused(3_000, 1_000, 3);
    slots.refused(3_010, 1_000, 2);

    expect(slots.limit(3_010)).toBe(5);
  });

  it('try one more ever more seldom, up to 16 seconds, while that costs nothing', () => {
    expect(tooMany(0)).toEqual([3_000, 5_000, 9_000, 17_000, 17_000]);
  });

  it('try one more so seldom that slots which wait for the Retry-After are 2 % of the time', () => {
    expect(tooMany(5)).toEqual([3_000, 49_000]);
  });
});

describe('AdaptiveSlots of which the operator allows another number', () => {
  it('are that number at once where the service has refused nothing', () => {
    const slots = new AdaptiveSlots(20);

    const limits = [30, 5, 12].map((most) => {
      slots.setMost(most, 0);
      return slots.limit(0);
    });

    expect(limits).toEqual([30, 5, 12]);
  });

  it('are that number at once where they have grown back to all', () => {
    const slots = new AdaptiveSlots(20);
    slots.refused(0, 1_000, 19);
    expect(slots.limit(11_000)).toBe(20);

    slots.setMost(40, 11_000);

    expect(slots.limit(11_000)).toBe(40);
  });

  it('stay at what the service takes and then grow to the new number', () => {
    const slots = refusedDown(20, 5);

    slots.setMost(100, 2_000);

    const limits = [2_000, 3_000, 8_000, 10_000].map((now) => slots.limit(now));
    expect(limits).toEqual([5, 6, 37, 100]);
  });

  it('grow from where they are, without a jump', () => {
    const slots = refusedDown(20, 5);
    expect(slots.limit(6_000)).toBe(13);

    slots.setMost(100, 6_000);

    expect([6_000, 7_000, 8_000].map((now) => slots.limit(now))).toEqual([13, 21, 37]);
  });

  it('remember what the service takes while the operator allows less', () => {
    const slots = refusedDown(20, 10);
    slots.setMost(3, 1_500);
    expect(slots.limit(1_500)).toBe(3);

    slots.setMost(30, 2_500);

    expect(slots.limit(2_500)).toBe(10);
  });

  it('are never more than the operator allows, nor fewer than one, and no change lifts what the service holds', () => {
    const step = fc.record({
      ms: fc.integer({ min: 0, max: 5_000 }),
      does: fc.oneof(
        fc.constant({ placed: true }),
        fc.record({
          refusedFor: fc.integer({ min: 0, max: 3_000 }),
          held: fc.integer({ min: 0, max: 20 }),
        }),
        fc.record({ most: fc.integer({ min: 1, max: 256 }) }),
        fc.record({ freed: fc.integer({ min: 1, max: 5 }) }),
      ),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const slots = new AdaptiveSlots(10);
        let now = 0;
        for (const { ms, does } of steps) {
          now += ms;
          const [before, isHeld] = [slots.limit(now), slots.limit(now) < slots.most];
          if ('most' in does) slots.setMost(does.most, now);
          else if ('placed' in does) slots.placed();
          else if ('freed' in does) for (let n = 0; n < does.freed; n++) slots.freed(now);
          else slots.refused(now, does.refusedFor, does.held);
          const limit = slots.limit(now);
          expect(limit).toBeGreaterThanOrEqual(1);
          expect(limit).toBeLessThanOrEqual(slots.most);
          if (isHeld) expect(limit).toBeLessThanOrEqual(before);
          expect(slots.limit(now + 320_000)).toBe(slots.most);
        }
      }),
    );
  });
});
