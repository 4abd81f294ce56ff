import { describe, expect, it } from 'vitest';
import { ATTEMPT_STATES } from '../../src/domain/attempt.ts';
import { LEAD_RESULTS, leadAfter } from '../../src/domain/lead.ts';

describe('leadAfter', () => {
  it.each(['intent', 'placed', 'ended', 'unknown'] as const)(
    'keeps a lead out of reach while its attempt is %s',
    (state) => {
      expect(leadAfter(state)).toEqual({ state: 'calling' });
    },
  );

  it('lets a lead wait again after a release, and only then', () => {
    const waiting = ATTEMPT_STATES.filter((state) => leadAfter(state).state === 'waiting');

    expect(waiting).toEqual(['released']);
  });

  it.each(['rejected', 'unconfirmed', 'no_result'] as const)(
    'ends a lead as %s when that is where its attempt ended',
    (state) => {
      expect(leadAfter(state)).toEqual({ state: 'done', result: state });
      expect(LEAD_RESULTS).toContain(state);
    },
  );

  it('ends a lead by what the call brought when its attempt is settled', () => {
    expect(leadAfter('settled')).toEqual({ state: 'done', result: 'of_the_call' });
  });
});
