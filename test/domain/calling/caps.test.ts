import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callsAskedFor, capHolds, type PastCalls } from '../../../src/domain/calling/caps.ts';
import type { NamedLimits } from '../../../src/domain/calling/limits.ts';
import type { CallingLimits } from '../../../src/domain/calling/policy.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time-units.ts';

const NOW = Date.UTC(2026, 0, 5, 15);
const NO_CALLS: PastCalls = {
  beganAt: [],
  answeredUntil: null,
  refusedUntil: null,
  openUntil: null,
};

describe('caps', () => {
  it('hold until the oldest call that counts has left the period', () => {
    const limits = [limitsOf({ caps: [{ calls: 2, perMs: DAY_MS }] })];
    const beganAt = [NOW - HOUR_MS, NOW - 2 * HOUR_MS, NOW - 3 * HOUR_MS];

    expect(capHolds(limits, { ...NO_CALLS, beganAt }, NOW)).toEqual([
      { until: NOW - 2 * HOUR_MS + DAY_MS, by: 'own', why: '2 calls to this number in 24 h' },
    ]);
  });

  it('do not count a call that is exactly one period old', () => {
    const limits = [limitsOf({ caps: [{ calls: 1, perMs: DAY_MS }] })];

    expect(capHolds(limits, { ...NO_CALLS, beganAt: [NOW - DAY_MS] }, NOW)).toEqual([]);
    expect(capHolds(limits, { ...NO_CALLS, beganAt: [NOW - DAY_MS + 1] }, NOW)).toMatchObject([
      { until: NOW + 1 },
    ]);
  });

  it('are all told, the one that holds longest first', () => {
    const limits = [
      limitsOf({ caps: [{ calls: 1, perMs: 90 * MINUTE_MS }] }),
      limitsOf({ caps: [{ calls: 1, perMs: 7 * DAY_MS }] }, 'us-states US-FL'),
    ];

    const holds = capHolds(limits, { ...NO_CALLS, beganAt: [NOW] }, NOW);

    expect(holds.map(({ by, why }) => `${by}: ${why}`)).toEqual([
      'us-states US-FL: 1 call to this number in 7 days',
      'own: 1 call to this number in 90 min',
    ]);
  });

  it('never allow more calls in any period than they say, and no call is allowed sooner', () => {
    const caps = fc.array(
      fc.record({ calls: fc.integer({ min: 1, max: 4 }), perMs: fc.integer({ min: 1, max: 50 }) }),
      { minLength: 1, maxLength: 3 },
    );
    const waits = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 });

    fc.assert(
      fc.property(caps, waits, (each, pauses) => {
        const limits = [limitsOf({ caps: each })];
        const made: number[] = [];
        const holdAt = (at: number) =>
          capHolds(limits, { ...NO_CALLS, beganAt: made.toReversed() }, at)[0];
        let now = NOW;
        for (const pause of pauses) {
          now += pause;
          const hold = holdAt(now);
          if (hold !== undefined) {
            expect(holdAt(hold.until - 1)).toBeDefined();
            expect(holdAt(hold.until)).toBeUndefined();
            continue;
          }
          made.push(now);
        }
        for (const { calls, perMs } of each) {
          for (const end of made) {
            const within = made.filter((at) => at > end - perMs && at <= end);
            expect(within.length).toBeLessThanOrEqual(calls);
          }
        }
      }),
    );
  });

  it('hold no longer than a date can be told', () => {
    const limits = [limitsOf({ caps: [{ calls: 1, perMs: Number.MAX_SAFE_INTEGER }] })];

    expect(capHolds(limits, { ...NO_CALLS, beganAt: [NOW] }, NOW)).toMatchObject([
      { until: 8.64e15 },
    ]);
  });
});

describe('a silence', () => {
  const limits = [limitsOf({ afterConversationMs: 7 * DAY_MS, afterRefusalMs: 30 * DAY_MS })];

  it('counts from the end of the conversation, or of the one with a refusal', () => {
    const past = { ...NO_CALLS, answeredUntil: NOW - DAY_MS, refusedUntil: NOW - 29 * DAY_MS };

    expect(capHolds(limits, past, NOW)).toEqual([
      { until: NOW + 6 * DAY_MS, by: 'own', why: 'no call for 7 days after a conversation' },
      {
        until: NOW + DAY_MS,
        by: 'own',
        why: 'no call for 30 days after a refusal in a conversation',
      },
    ]);
    expect(capHolds(limits, past, NOW + 6 * DAY_MS)).toEqual([]);
  });

  it('is kept while a call is open, for a minute at a time once it should be over', () => {
    const why = 'what came of the last call to this number is not known yet';
    const early = { ...NO_CALLS, openUntil: NOW + HOUR_MS };
    const late = { ...NO_CALLS, openUntil: NOW - HOUR_MS };

    expect(capHolds(limits, early, NOW)).toEqual([{ until: NOW + HOUR_MS, by: 'own', why }]);
    expect(capHolds(limits, late, NOW)).toEqual([{ until: NOW + MINUTE_MS, by: 'own', why }]);
  });

  it('is none where no rule asks for it', () => {
    const past = { beganAt: [NOW], answeredUntil: NOW, refusedUntil: NOW, openUntil: NOW + 1 };

    expect(capHolds([limitsOf({})], past, NOW)).toEqual([]);
  });
});

describe('what is asked of past calls', () => {
  it('is nothing without caps and silences', () => {
    expect(callsAskedFor([limitsOf({})])).toBeNull();
  });

  it('reaches back over the longest period', () => {
    const caps = [
      { calls: 3, perMs: DAY_MS },
      { calls: 1, perMs: 7 * DAY_MS },
    ];

    expect(callsAskedFor([limitsOf({ caps })])).toEqual({
      withinMs: 7 * DAY_MS,
      conversationMs: null,
      refusalMs: null,
    });
  });

  it('has the longest silence after a conversation, and after a refusal', () => {
    const none = { withinMs: 0, conversationMs: null, refusalMs: null };
    const short = limitsOf({ afterConversationMs: 1 });
    const long = limitsOf({ afterConversationMs: 2 });

    expect(callsAskedFor([short, long])).toEqual({ ...none, conversationMs: 2 });
    expect(callsAskedFor([limitsOf({ afterRefusalMs: 1 })])).toEqual({ ...none, refusalMs: 1 });
  });
});

function limitsOf(limits: Partial<CallingLimits>, by = 'own'): NamedLimits {
  const none = { hours: null, caps: [], afterConversationMs: null, afterRefusalMs: null };
  return { by, limits: { ...none, ...limits } };
}
