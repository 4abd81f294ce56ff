import { describe, expect, it } from 'vitest';
import { firingStep, LATE_MS, type LastFiring } from '../../../src/domain/nights/night.ts';
import { HOUR_MS } from '../../../src/domain/time-units.ts';

const AT = Date.parse('2026-01-05T23:00:00Z');
const last = (given: Partial<LastFiring> = {}): LastFiring => ({
  ...{ at: AT, endsAt: AT + 11 * HOUR_MS, expectedFrom: AT - HOUR_MS, met: undefined },
  ...given,
});

describe('a scheduled time that nobody has taken up', () => {
  it.each([
    ['on_time', 'within ten minutes, whoever may be called', AT + LATE_MS, false],
    ['made_up', 'later, while somebody may be called', AT + LATE_MS + 1, true],
    ['made_up', 'up to the last moment of its night', AT + 11 * HOUR_MS - 1, true],
    ['told', 'later, when nobody may be called any more', AT + LATE_MS + 1, false],
    ['told', 'when its night is over', AT + 11 * HOUR_MS, true],
  ] as const)('is taken up %s %s', (met, _when, now, mayCall) => {
    expect(firingStep(last(), now, mayCall)).toEqual({ kind: 'take', met });
  });

  it('is told where its night is over within the ten minutes', () => {
    const short = last({ endsAt: AT + 60_000 });
    expect(firingStep(short, AT + 60_000, true)).toEqual({ kind: 'take', met: 'told' });
  });

  it('was not expected before the schedule was made or the campaign started', () => {
    expect(firingStep(last({ expectedFrom: AT }), AT, true)).toEqual({ kind: 'wait' });
    expect(firingStep(last({ expectedFrom: AT - 1 }), AT, true)).toMatchObject({ kind: 'take' });
  });
});

describe('a scheduled time that was taken up', () => {
  it.each(['on_time', 'made_up'] as const)('is called until its night ends: %s', (met) => {
    expect(firingStep(last({ met }), AT + 11 * HOUR_MS - 1, false)).toEqual({ kind: 'call' });
    expect(firingStep(last({ met }), AT + 11 * HOUR_MS, true)).toEqual({ kind: 'wait' });
  });

  it('is not called when it was only told', () => {
    expect(firingStep(last({ met: 'told' }), AT + HOUR_MS, true)).toEqual({ kind: 'wait' });
  });
});
