import { describe, expect, it } from 'vitest';
import { matchLog, refusalOf, RESOLUTIONS, type DoubtFacts } from '../../src/domain/resolution.ts';
import { ATTEMPT_STATES } from '../../src/domain/attempt.ts';

const UNTIL = 900_000;

function aDoubt(facts: Partial<DoubtFacts> = {}): DoubtFacts {
  return {
    state: 'unconfirmed',
    holdsUntil: UNTIL,
    accepted: false,
    calledAgain: false,
    resolution: null,
    lead: { state: 'done', result: 'unconfirmed' },
    ...facts,
  };
}

describe('a doubt', () => {
  it.each(RESOLUTIONS)('is settled as %s when nothing speaks against it', (as) => {
    for (const state of ['unknown', 'unconfirmed'] as const) {
      expect(refusalOf(aDoubt({ state }), as, UNTIL)).toBeNull();
    }
  });

  it.each(ATTEMPT_STATES.filter((state) => state !== 'unknown' && state !== 'unconfirmed'))(
    'is not what is %s',
    (state) => {
      for (const as of RESOLUTIONS) {
        expect(refusalOf(aDoubt({ state }), as, UNTIL)).toEqual({ why: 'not_in_doubt', state });
      }
    },
  );

  it.each<[string, Partial<DoubtFacts>, number, string]>([
    ['before the longest call is over', {}, UNTIL - 1, 'too_early'],
    ['that the service has accepted', { accepted: true }, UNTIL, 'accepted'],
    ['after which the person was called again', { calledAgain: true }, UNTIL, 'called_again'],
    [
      'of a person who is done',
      { lead: { state: 'done', result: 'cancelled' } },
      UNTIL,
      'person_done',
    ],
  ])('%s may have any end but not placed', (_, facts, now, why) => {
    expect(refusalOf(aDoubt(facts), 'not_placed', now)).toMatchObject({ why });
    expect(refusalOf(aDoubt(facts), 'placed', now)).toBeNull();
    expect(refusalOf(aDoubt(facts), 'unconfirmed', now)).toBeNull();
  });

  it('that has let its person be called again cannot be taken back', () => {
    const doubt = aDoubt({ calledAgain: true, resolution: 'not_placed' });
    expect(refusalOf(doubt, 'unconfirmed', UNTIL)).toEqual({ why: 'called_again' });
  });
});

describe('the log of a service', () => {
  const AL = { phone: '+12125550100', intentAt: 1_000_000, holdsUntil: 1_900_000 };
  const BO = { ...AL, phone: '+12125550101' };
  const aCall = (phone: string, startedAt: number, callId = 'call_1', line = 2) => ({
    line,
    phone,
    callId,
    startedAt,
  });

  it.each([
    [940_000, 'matched'],
    [939_999, 'absent'],
    [1_900_000, 'matched'],
    [1_900_001, 'absent'],
  ])('is searched from a minute before the intent until the slot is free: %i', (at, kind) => {
    expect(matchLog([AL], [aCall(AL.phone, at)])).toMatchObject([{ kind, doubt: AL }]);
  });

  it('matches by number, each doubt for itself', () => {
    const calls = [aCall(BO.phone, 1_000_500, 'call_2', 3), aCall(AL.phone, 1_000_000)];
    expect(matchLog([AL, BO], calls)).toEqual([
      { kind: 'matched', doubt: AL, call: calls[1] },
      { kind: 'matched', doubt: BO, call: calls[0] },
    ]);
  });

  it.each([
    ['+5491100000000', '+541100000000'],
    ['+5511900000000', '+551100000000'],
  ])('knows a mobile number in its other notation: %s and %s', (one, other) => {
    for (const [dialled, logged] of [
      [one, other],
      [other, one],
    ] as const) {
      const doubt = { ...AL, phone: dialled };
      expect(matchLog([doubt], [aCall(logged, 1_000_000)])).toMatchObject([{ kind: 'matched' }]);
    }
  });

  it('does not decide between two calls, and tells both', () => {
    const calls = [aCall(AL.phone, 1_000_000), aCall(AL.phone, 1_100_000, 'call_2', 7)];
    expect(matchLog([AL], calls)).toEqual([{ kind: 'ambiguous', doubt: AL, lines: [2, 7] }]);
  });

  it('may name one call on several lines', () => {
    const calls = [aCall(AL.phone, 1_000_000), aCall(AL.phone, 1_100_000, 'call_1', 7)];
    expect(matchLog([AL], calls)).toMatchObject([{ kind: 'matched' }]);
  });

  it('takes time that grows with the doubts alone', { timeout: 5_000 }, () => {
    const many = Array.from({ length: 40_000 }, (_, n) => ({ ...AL, phone: `+1212${n}` }));
    const calls = many.map(({ phone }, n) => aCall(phone, 1_000_000, `call_${n}`, n));
    const matches = matchLog(many, calls);
    expect(matches.every(({ kind }) => kind === 'matched')).toBe(true);
  });

  it('does not give one call to two doubts', () => {
    const again = { ...AL, intentAt: 1_030_000 };
    expect(matchLog([AL, again], [aCall(AL.phone, 1_040_000)])).toMatchObject([
      { kind: 'ambiguous', doubt: AL },
      { kind: 'ambiguous', doubt: again },
    ]);
  });
});
