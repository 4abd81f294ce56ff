import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AdaptiveSlots } from '../../../src/dispatch/service-capacity.ts';

describe('AdaptiveSlots', () => {
  it('begin with all that the operator allows', () => {
    expect(new AdaptiveSlots(20).limit(0)).toBe(20);
  });

  it('are three tenths fewer after a refusal', () => {
    const slots = new AdaptiveSlots(20);

    expect(slots.refused(0, 1_000)).toBe(true);

    expect(slots.limit(0)).toBe(14);
  });

  it('take refusals until the service may be dialled again for one, but one slot for each of them', () => {
    const slots = new AdaptiveSlots(20);
    slots.refused(0, 1_000);

    for (let n = 1; n < 12; n++) expect(slots.refused(n, 1_000)).toBe(false);

    expect(slots.limit(11)).toBe(8);
  });

  it('are fewer again when the service still refuses after its Retry-After', () => {
    const slots = new AdaptiveSlots(20);
    slots.refused(0, 1_000);

    expect(slots.refused(1_000, 1_000)).toBe(true);

    expect(slots.limit(1_000)).toBe(9);
  });

  it('are never fewer than one', () => {
    const slots = new AdaptiveSlots(3);
    for (let ms = 0; ms < 60_000; ms += 100) slots.refused(ms, 1_000);

    expect(slots.limit(60_000)).toBe(1);
  });

  it('stay as few while the service wants to be left alone', () => {
    const slots = new AdaptiveSlots(20);
    slots.refused(0, 600_000);

    expect(slots.limit(600_000)).toBe(14);
  });

  it('are back within a second at what the service took before, and stay there', () => {
    const slots = new AdaptiveSlots(20);
    slots.refused(0, 1_000);

    const limits = [1_000, 1_500, 2_000, 5_000, 9_000].map((now) => slots.limit(now));

    expect(limits).toEqual([14, 16, 19, 19, 19]);
  });

  it('are all in use again nine seconds after the Retry-After has passed, and never more', () => {
    const slots = new AdaptiveSlots(20);
    for (let n = 0; n < 15; n++) slots.refused(n, 2_000);

    const limits = [10_014, 10_414, 11_014, 99_000].map((now) => slots.limit(now));

    expect(limits).toEqual([5, 11, 20, 20]);
  });

  it('try one more than the service takes once in nine seconds, not once a round', () => {
    const slots = new AdaptiveSlots(10);
    const tooMany = [];
    for (let now = 0; now < 60_000; now += 10) {
      if (slots.limit(now) > 5 && slots.refused(now, 1_000)) tooMany.push(now);
    }

    expect(tooMany.length).toBeLessThanOrEqual(10);
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
    slots.refused(0, 1_000);
    expect(slots.limit(11_000)).toBe(20);

    slots.setMost(40, 11_000);

    expect(slots.limit(11_000)).toBe(40);
  });

  it('stay at what the service takes and then grow to the new number', () => {
    const slots = new AdaptiveSlots(20);
    for (let n = 0; n < 15; n++) slots.refused(n, 2_000);

    slots.setMost(100, 5_000);

    const limits = [5_000, 10_014, 10_514, 11_014].map((now) => slots.limit(now));
    expect(limits).toEqual([5, 5, 52, 100]);
  });

  it('grow from where they are, without a jump', () => {
    const slots = new AdaptiveSlots(20);
    for (let n = 0; n < 15; n++) slots.refused(n, 2_000);
    expect(slots.limit(10_414)).toBe(11);

    slots.setMost(100, 10_414);

    expect([10_414, 10_914, 11_414].map((now) => slots.limit(now))).toEqual([11, 55, 100]);
  });

  it('remember what the service takes while the operator allows less', () => {
    const slots = new AdaptiveSlots(20);
    for (let n = 0; n < 10; n++) slots.refused(n, 1_000);
    slots.setMost(3, 3_000);
    expect(slots.limit(3_000)).toBe(3);

    slots.setMost(30, 4_000);

    expect(slots.limit(4_000)).toBe(10);
  });

  it('are never more than the operator allows, nor fewer than one, and no change lifts what the service holds', () => {
    const step = fc.record({
      ms: fc.integer({ min: 0, max: 5_000 }),
      does: fc.oneof(
        fc.record({ refusedFor: fc.integer({ min: 0, max: 3_000 }) }),
        fc.record({ most: fc.integer({ min: 1, max: 256 }) }),
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
          else slots.refused(now, does.refusedFor);
          const limit = slots.limit(now);
          expect(limit).toBeGreaterThanOrEqual(1);
          expect(limit).toBeLessThanOrEqual(slots.most);
          if (isHeld) expect(limit).toBeLessThanOrEqual(before);
          expect(slots.limit(now + 20_000)).toBe(slots.most);
        }
      }),
    );
  });
});
