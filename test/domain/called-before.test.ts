import { describe, expect, it } from 'vitest';
import { ATTEMPT_STATES } from '../../src/domain/attempt.ts';
import { calledBeforeReason, countsSince, endOf } from '../../src/domain/campaign.ts';
import { START } from '../helpers/clock.ts';

describe('a call of another campaign', () => {
  it('counts from so long ago on, or whenever it was', () => {
    expect(countsSince(60_000, START)).toBe(START - 60_000);
    expect(countsSince('ever', START)).toBe(-Infinity);
  });

  it('is told by how it ended, in every state it can have', () => {
    const ends = ATTEMPT_STATES.map((state) => [state, endOf({ state, result: null })]);
    expect(Object.fromEntries(ends)).toMatchObject({
      intent: 'on the line',
      placed: 'on the line',
      ended: 'its result still to come',
      settled: 'no_result',
      unknown: 'in doubt',
      unconfirmed: 'in doubt',
      no_result: 'no_result',
    });
    expect(endOf({ state: 'settled', result: 'voicemail' })).toBe('voicemail');
  });

  it('is the reason why somebody is left out, with campaign and time', () => {
    const call = { campaign: 'jan', at: START, state: 'settled', result: 'busy' } as const;
    expect(calledBeforeReason(call)).toBe(
      'called_before: campaign "jan" on 2026-01-05 15:00 UTC (busy)',
    );
  });
});
