import { describe, expect, it } from 'vitest';
import {
  afterCall,
  RETRY_RESULTS,
  type EndedCall,
  type RetryPolicy,
} from '../../../src/domain/calling/retry.ts';
import { LEAD_RESULTS, RESULT_SOURCES, type LeadResult } from '../../../src/domain/lead.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BEGAN = Date.UTC(2026, 0, 5, 15);
const ENDED = BEGAN + MINUTE;

const aRetry = (overrides: Partial<RetryPolicy> = {}): RetryPolicy => ({
  attempts: 3,
  perDay: null,
  gapMs: 0,
  after: { no_answer: 2 * HOUR, busy: 0, voicemail: 24 * HOUR, declined: HOUR, failed: HOUR },
  otherTimeOfDay: false,
  lastDay: null,
  alternatives: null,
  ...overrides,
});

const aCall = (overrides: Partial<EndedCall> = {}): EndedCall => ({
  result: 'no_answer',
  source: 'service',
  retryDerived: false,
  rung: 1,
  unanswered: 1,
  furtherNumbers: 0,
  beganAt: BEGAN,
  endedAt: ENDED,
  callbackAt: null,
  dayOf: (at) => new Date(at).toISOString().slice(0, 10),
  ...overrides,
});

const kindOf = (retry: RetryPolicy | undefined, call: Partial<EndedCall>) =>
  afterCall(retry, aCall(call)).kind;

/** Who is called again, by result, where `retry` names every result that it can name. Written out on purpose. */
const AGAIN: Record<LeadResult, boolean> = {
  answered: false,
  voicemail: true,
  no_answer: true,
  busy: true,
  declined: true,
  failed: true,
  rejected: false,
  invalid_number: false,
  opted_out: false,
  unconfirmed: false,
  no_result: false,
  suppressed: false,
  expired: false,
  cancelled: false,
};

describe.each(LEAD_RESULTS)('after a call that came to %s', (result) => {
  it('rings once without retry', () => {
    expect(kindOf(undefined, { result })).toBe('done');
  });

  it('rings again only if it is a result that is retried, and after names it', () => {
    expect(kindOf(aRetry(), { result })).toBe(AGAIN[result] ? 'again' : 'done');
    expect(kindOf(aRetry({ after: {} }), { result })).toBe('done');
  });

  it('rings again after a derived result only if the profile allows that', () => {
    for (const source of RESULT_SOURCES) {
      const isHeld = !AGAIN[result] || source === 'derived';
      expect(kindOf(aRetry(), { result, source })).toBe(isHeld ? 'done' : 'again');
    }
    const allowed = { result, source: 'derived', retryDerived: true } as const;
    expect(kindOf(aRetry(), allowed)).toBe(AGAIN[result] ? 'again' : 'done');
  });

  it('rings no more once the attempts are used up, on this number or another one', () => {
    expect(kindOf(aRetry(), { result, rung: 3, furtherNumbers: 2 })).toBe('done');
    expect(kindOf(aRetry({ attempts: 1 }), { result, furtherNumbers: 2 })).toBe('done');
  });

  it('rings no more after the last day', () => {
    const retry = aRetry({ lastDay: '2026-01-04' });
    expect(kindOf(retry, { result, furtherNumbers: 2, rung: 0 })).toBe('done');
  });

  it('rings another number at once without any setting only if this one does not exist', () => {
    const call = { result, rung: 0, furtherNumbers: 1, unanswered: 0 };
    const isNext = result === 'invalid_number';
    expect(kindOf(undefined, call)).toBe(isNext ? 'other_number' : 'done');
    expect(kindOf(undefined, { ...call, furtherNumbers: 0 })).toBe('done');
  });

  it('rings another number after enough unanswered attempts to this one, not after a refusal', () => {
    const retry = aRetry({ alternatives: 2 });
    const isUnanswered = AGAIN[result] && result !== 'declined';
    const call = { result, unanswered: isUnanswered ? 2 : 0, furtherNumbers: 1 };
    const next = isUnanswered || result === 'invalid_number' ? 'other_number' : undefined;
    expect(kindOf(retry, call)).toBe(next ?? (AGAIN[result] ? 'again' : 'done'));
  });

  it('rings at the time that the person asked for only if they spoke', () => {
    const next = afterCall(undefined, aCall({ result, callbackAt: ENDED + HOUR }));
    expect(next.kind).toBe(result === 'answered' ? 'callback' : 'done');
  });
});

it('names every result that can be retried', () => {
  const named = LEAD_RESULTS.filter((result) => AGAIN[result]);
  expect(new Set<LeadResult>(RETRY_RESULTS)).toEqual(new Set(named));
});

describe('the time of the next attempt', () => {
  it('is the delay after the end of the call', () => {
    expect(afterCall(aRetry(), aCall())).toEqual({
      kind: 'again',
      notBefore: ENDED + 2 * HOUR,
      why: 'no_answer: called again, attempt 2 of 3',
    });
  });

  it('is no sooner than the gap after the beginning of the call', () => {
    const retry = aRetry({ gapMs: 3 * HOUR });
    expect(afterCall(retry, aCall({ result: 'busy' }))).toMatchObject({
      notBefore: BEGAN + 3 * HOUR,
    });
  });

  it('keeps delay and gap for another number of the same person, but not after one that rang nobody', () => {
    const retry = aRetry({ alternatives: 1, gapMs: 3 * HOUR });
    expect(afterCall(retry, aCall({ furtherNumbers: 1 }))).toEqual({
      kind: 'other_number',
      notBefore: BEGAN + 3 * HOUR,
      why: 'no_answer: the next number is called, attempt 2 of 3',
    });
    const invalid = aCall({ result: 'invalid_number', rung: 0, furtherNumbers: 1 });
    expect(afterCall(retry, invalid)).toMatchObject({ notBefore: ENDED });
  });

  it('stays on the number before the number of unanswered attempts, and where there is no other', () => {
    const retry = aRetry({ alternatives: 2 });
    expect(kindOf(retry, { unanswered: 1, furtherNumbers: 1 })).toBe('again');
    expect(kindOf(retry, { unanswered: 2, furtherNumbers: 0 })).toBe('again');
  });

  it('may be on the last day', () => {
    expect(kindOf(aRetry({ lastDay: '2026-01-05' }), { result: 'busy' })).toBe('again');
    expect(kindOf(aRetry({ lastDay: '2026-01-05' }), { result: 'voicemail' })).toBe('done');
  });
});

describe('a person who asked to be called again', () => {
  const asked = { result: 'answered', callbackAt: ENDED + HOUR } as const;

  it('is called at that time, also sooner than the gap after this call', () => {
    expect(afterCall(undefined, aCall(asked))).toEqual({
      kind: 'callback',
      notBefore: ENDED + HOUR,
      why: 'asked to be called again',
    });
    expect(afterCall(aRetry({ gapMs: 4 * HOUR }), aCall(asked))).toMatchObject({
      notBefore: ENDED + HOUR,
    });
  });

  it('is called once beyond the attempts, and no more than that', () => {
    expect(kindOf(aRetry(), { ...asked, rung: 3 })).toBe('callback');
    expect(kindOf(aRetry(), { ...asked, rung: 4 })).toBe('done');
    expect(kindOf(undefined, { ...asked, rung: 2 })).toBe('done');
  });

  it('is not called after the last day', () => {
    const retry = aRetry({ lastDay: '2026-01-05' });
    expect(kindOf(retry, { ...asked, callbackAt: ENDED + 24 * HOUR })).toBe('done');
  });

  it('is not called before the call has ended, though they named a moment during it', () => {
    expect(afterCall(undefined, aCall({ ...asked, callbackAt: BEGAN + 1 }))).toMatchObject({
      notBefore: ENDED,
    });
  });
});
