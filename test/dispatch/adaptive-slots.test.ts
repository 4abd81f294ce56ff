import { describe, expect, it } from 'vitest';
import { AdaptiveSlots } from '../../src/dispatch/adaptive-slots.ts';

describe('AdaptiveSlots', () => {
  it('begin with all that the operator allows', () => {
    expect(new AdaptiveSlots(20).limit).toBe(20);
  });

  it('are three tenths fewer after a refusal', () => {
    const slots = new AdaptiveSlots(20);

    expect(slots.refused(0)).toBe(true);

    expect(slots.limit).toBe(14);
  });

  it('take the refusals of one second for one', () => {
    const slots = new AdaptiveSlots(20);
    slots.refused(0);

    expect(slots.refused(999)).toBe(false);
    expect(slots.limit).toBe(14);
    expect(slots.refused(1_000)).toBe(true);
    expect(slots.limit).toBe(9);
  });

  it('are never fewer than one', () => {
    const slots = new AdaptiveSlots(3);
    for (let s = 0; s < 20; s++) slots.refused(s * 1_000);

    expect(slots.limit).toBe(1);
  });

  it('grow by one with a round of placed calls', () => {
    const slots = new AdaptiveSlots(20);
    slots.refused(0);
    for (let call = 0; call < 14; call++) slots.placed();
    expect(slots.limit).toBe(14);
    slots.placed();

    expect(slots.limit).toBe(15);
  });

  it('are never more than the operator allows', () => {
    const slots = new AdaptiveSlots(4);
    slots.refused(0);
    for (let call = 0; call < 100; call++) slots.placed();

    expect(slots.limit).toBe(4);
  });
});
