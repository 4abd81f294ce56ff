import { describe, expect, it } from 'vitest';
import {
  retryHold,
  type PastAttempt,
  type RetryPlace,
} from '../../../src/domain/calling/retry-hold.ts';
import type { RetryPolicy } from '../../../src/domain/calling/retry.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);

const aRetry = (overrides: Partial<RetryPolicy> = {}): RetryPolicy => ({
  attempts: 9,
  perDay: null,
  gapMs: 0,
  after: { no_answer: 0 },
  otherTimeOfDay: false,
  lastDay: null,
  alternatives: null,
  ...overrides,
});

/** Clocks of this test: `summer` is set forward on 2026-03-08 at 02:00 and back on 2026-11-01. */
const offsetAt: RetryPlace['offsetAt'] = (zone, moment) => {
  const isSummer = moment >= at('2026-03-08T07:00Z') && moment < at('2026-11-01T06:00Z');
  return (
    {
      utc: 0,
      east: 9 * HOUR,
      west: -8 * HOUR,
      summer: (isSummer ? -4 : -5) * HOUR,
      // Left out 2026-06-10 altogether.
      island: (moment >= at('2026-06-10T10:00Z') ? 14 : -10) * HOUR,
    }[zone] ?? undefined
  );
};

const aPlace = (overrides: Partial<RetryPlace> = {}): RetryPlace => ({
  zones: ['utc'],
  offsetAt,
  dayOf: (moment) => new Date(moment).toISOString().slice(0, 10),
  ...overrides,
});

const calledAt = (...times: string[]): PastAttempt[] =>
  times.map((time) => ({ at: at(time), result: 'no_answer', endedAt: at(time) }));

describe('the delay after the last result', () => {
  const [ended, now] = [at('2026-01-06T11:00Z'), at('2026-01-06T11:30Z')];
  const past: PastAttempt[] = [
    { at: at('2026-01-05T11:00Z'), result: 'busy', endedAt: at('2026-01-05T11:00Z') },
    { at: ended - 60_000, result: 'no_answer', endedAt: ended },
  ];
  const after = { no_answer: HOUR, busy: 99 * HOUR };

  it('holds the next attempt, counted from the end of the last', () => {
    const hold = retryHold(aRetry({ after }), past, aPlace(), now);
    const why = 'no_answer: called again, attempt 3 of 9';
    expect(hold).toEqual({ until: ended + HOUR, by: 'retry', why });
    expect(retryHold(aRetry({ after }), past, aPlace(), ended + HOUR)).toBeNull();
  });

  it('holds nobody who asked to be called, or whose call is open', () => {
    const open = past.map((each) => ({ ...each, endedAt: null }));
    expect(retryHold(aRetry({ after }), past, aPlace({ callbackAt: now }), now)).toBeNull();
    expect(retryHold(aRetry({ after }), open, aPlace(), now)).toBeNull();
  });

  it('ends who is not retried any more, but for those who asked, and those whose number did not exist', () => {
    const less = aRetry({ after: { busy: 99 * HOUR } });
    const why = 'nobody is called again after no_answer any more';
    expect(retryHold(less, past, aPlace(), now)).toEqual({ until: null, by: 'retry', why });
    expect(retryHold(less, past, aPlace({ callbackAt: now }), now)).toBeNull();
    expect(retryHold(less, past, aPlace({ isNextNumber: () => true }), now)).toBeNull();
    const nobodyKnows: PastAttempt = { at: now, result: null, endedAt: null };
    expect(retryHold(less, [...past, nobodyKnows], aPlace(), now)).toBeNull();
  });
});

describe('attempts in total', () => {
  const now = at('2026-01-06T12:00Z');

  it('hold nobody who was never called', () => {
    expect(retryHold(undefined, [], aPlace(), now)).toBeNull();
    expect(retryHold(aRetry({ lastDay: '2025-01-01' }), [], aPlace(), now)).toBeNull();
  });

  it('are one without the setting', () => {
    expect(retryHold(undefined, calledAt('2026-01-01T12:00Z'), aPlace(), now)).toEqual({
      until: null,
      by: 'retry',
      why: 'called once already, and retry.attempts is 1',
    });
  });

  it('are those that the setting says by now, and one more for a person who asked for it', () => {
    const past = calledAt('2026-01-01T12:00Z', '2026-01-02T12:00Z');
    const retry = aRetry({ attempts: 2 });
    expect(retryHold(aRetry({ attempts: 3 }), past, aPlace(), now)).toBeNull();
    expect(retryHold(retry, past, aPlace(), now)).toMatchObject({
      until: null,
      why: 'called 2 times already, and retry.attempts is 2',
    });
    expect(retryHold(retry, past, aPlace({ callbackAt: now }), now)).toBeNull();
    const more = [...past, ...calledAt('2026-01-03T12:00Z')];
    expect(retryHold(retry, more, aPlace({ callbackAt: now }), now)).toMatchObject({ until: null });
  });

  it('end after the last day', () => {
    const past = calledAt('2026-01-01T12:00Z');
    const retry = aRetry({ lastDay: '2026-01-05' });
    expect(retryHold(retry, past, aPlace(), at('2026-01-05T23:59Z'))).toBeNull();
    expect(retryHold(retry, past, aPlace(), at('2026-01-06T00:00Z'))).toMatchObject({
      until: null,
      why: 'the last day was 2026-01-05',
    });
  });
});

describe('the gap', () => {
  it('holds until it has passed since the latest attempt, whatever the order', () => {
    const retry = aRetry({ gapMs: 2 * HOUR });
    const past = calledAt('2026-01-06T10:00Z', '2026-01-05T10:00Z');
    const end = at('2026-01-06T12:00Z');
    expect(retryHold(retry, past, aPlace(), end - 1)).toMatchObject({ until: end, by: 'retry' });
    expect(retryHold(retry, past, aPlace(), end)).toBeNull();
    expect(retryHold(retry, past, aPlace({ callbackAt: end - 1 }), end - 1)).toBeNull();
  });
});

describe('attempts per day', () => {
  const retry = aRetry({ perDay: 2 });

  it('count the calendar day of the person, not 24 hours', () => {
    const past = calledAt('2026-01-05T23:00Z', '2026-01-06T01:00Z');
    expect(retryHold(retry, past, aPlace(), at('2026-01-06T02:00Z'))).toBeNull();
    const again = [...past, ...calledAt('2026-01-06T02:00Z')];
    expect(retryHold(retry, again, aPlace(), at('2026-01-06T03:00Z'))).toMatchObject({
      until: at('2026-01-07T00:00Z'),
    });
  });

  it('hold in every zone in which the person may be, until the day has ended in the last of them', () => {
    const past = calledAt('2026-01-06T16:00Z', '2026-01-06T17:00Z');
    // In the east a new day began at 15:00 UTC; in the west it is still the day before that.
    const both = aPlace({ zones: ['east', 'west'] });
    expect(retryHold(retry, past, both, at('2026-01-06T18:00Z'))).toMatchObject({
      until: at('2026-01-07T15:00Z'),
    });
    const early = calledAt('2026-01-06T10:00Z', '2026-01-06T11:00Z');
    expect(
      retryHold(retry, early, aPlace({ zones: ['east'] }), at('2026-01-06T16:00Z')),
    ).toBeNull();
    expect(retryHold(retry, early, both, at('2026-01-06T16:00Z'))).toMatchObject({
      until: at('2026-01-07T08:00Z'),
    });
  });

  it('end at midnight on the wall clock also where it is changed before that', () => {
    const past = calledAt('2026-03-08T05:30Z', '2026-03-08T06:00Z');
    const summer = aPlace({ zones: ['summer'] });
    expect(retryHold(retry, past, summer, at('2026-03-08T06:30Z'))).toMatchObject({
      until: at('2026-03-09T04:00Z'),
    });
  });

  it('end later than now also where a whole day is left out', () => {
    const past = calledAt('2026-06-10T08:00Z', '2026-06-10T09:00Z');
    const now = at('2026-06-10T09:30Z');
    const hold = retryHold(retry, past, aPlace({ zones: ['island'] }), now);
    expect(hold?.until).toBeGreaterThan(now);
  });

  it('count 25 hours where no zone is known, longer than any day', () => {
    const past = calledAt('2026-01-05T10:00Z', '2026-01-05T12:00Z');
    const nowhere = aPlace({ zones: [] });
    const end = at('2026-01-06T11:00Z');
    expect(retryHold(retry, past, nowhere, end - 1)).toMatchObject({ until: end });
    expect(retryHold(retry, past, nowhere, end)).toBeNull();
  });

  it('count 25 hours where this machine does not know the zone, and say so, without asking again every hour', () => {
    const past = calledAt('2026-01-05T10:00Z', '2026-01-05T12:00Z');
    const place = aPlace({ zones: ['utc', 'Nowhere/Land'] });
    const end = at('2026-01-06T11:00Z');
    expect(retryHold(retry, past, place, end - 1)).toEqual({
      until: end,
      by: 'retry',
      why: "called 2 times within 25 hours, as retry.perDay allows where this machine's time-zone data does not know Nowhere/Land",
    });
    expect(retryHold(retry, past, place, end)).toBeNull();
  });

  it('count the days of the zones that are known, where those end later', () => {
    const past = calledAt('2026-01-05T00:10Z', '2026-01-05T12:00Z');
    const place = aPlace({ zones: ['utc', 'Nowhere/Land'] });
    expect(retryHold(retry, past, place, at('2026-01-05T13:00Z'))).toMatchObject({
      until: at('2026-01-06T01:10Z'),
      why: expect.stringContaining('within 25 hours') as string,
    });
    expect(
      retryHold(
        aRetry({ perDay: 1 }),
        calledAt('2026-01-05T00:10Z'),
        aPlace(),
        at('2026-01-05T09:00Z'),
      )?.why,
    ).toBe('called once on this day, as retry.perDay allows');
  });

  it('and the gap hold until the later of the two', () => {
    const past = calledAt('2026-01-06T22:00Z', '2026-01-06T23:00Z');
    const now = at('2026-01-06T23:30Z');
    const both = aRetry({ perDay: 2, gapMs: 3 * HOUR });
    expect(retryHold(both, past, aPlace(), now)).toMatchObject({ until: at('2026-01-07T02:00Z') });
    const short = aRetry({ perDay: 2, gapMs: HOUR });
    expect(retryHold(short, past, aPlace(), now)).toMatchObject({ until: at('2026-01-07T00:00Z') });
  });
});

describe('another time of day', () => {
  const retry = aRetry({ otherTimeOfDay: true });
  const hold = (past: PastAttempt[], now: string, place: Partial<RetryPlace> = {}) =>
    retryHold(retry, past, aPlace(place), at(now));

  it('is morning before 12, afternoon before 17, and evening', () => {
    const morning = calledAt('2026-01-05T11:59Z');
    expect(hold(morning, '2026-01-06T09:00Z')).toMatchObject({ until: at('2026-01-06T12:00Z') });
    expect(hold(morning, '2026-01-06T12:00Z')).toBeNull();
    const afternoon = calledAt('2026-01-05T12:00Z');
    expect(hold(afternoon, '2026-01-06T16:59Z')).toMatchObject({ until: at('2026-01-06T17:00Z') });
    const evening = calledAt('2026-01-05T17:00Z');
    expect(hold(evening, '2026-01-06T16:59Z')).toBeNull();
  });

  it('is judged on the clock of the person, in every zone where they may be', () => {
    const past = calledAt('2026-01-05T17:00Z');
    // 09:00 in the west; 12:00 in New York.
    expect(hold(past, '2026-01-06T19:00Z', { zones: ['west'] })).toMatchObject({
      until: at('2026-01-06T20:00Z'),
    });
    expect(hold(past, '2026-01-06T19:00Z', { zones: ['west', 'summer'] })).toMatchObject({
      until: at('2026-01-06T22:00Z'),
    });
  });

  it('is any once all were tried', () => {
    const past = calledAt('2026-01-05T10:00Z', '2026-01-05T14:00Z', '2026-01-05T18:00Z');
    expect(hold(past, '2026-01-06T10:00Z')).toBeNull();
  });

  it('is any once those were tried in which hours are open, and waits for an opening within one', () => {
    const nextOpen = (from: number) => {
      const day = Math.floor(from / (24 * HOUR)) * 24 * HOUR;
      const [opens, closes] = [day + 9 * HOUR, day + 13 * HOUR];
      if (from < opens) return opens;
      return from < closes ? from : opens + 24 * HOUR;
    };
    const morning = calledAt('2026-01-05T10:00Z');
    expect(hold(morning, '2026-01-06T10:00Z', { nextOpen })).toMatchObject({
      until: at('2026-01-06T12:00Z'),
    });
    const both = [...morning, ...calledAt('2026-01-05T12:30Z')];
    expect(hold(both, '2026-01-06T10:00Z', { nextOpen })).toBeNull();
    expect(hold(morning, '2026-01-06T10:00Z', { nextOpen: () => null })).toBeNull();
  });

  it('does not count where no zone is known, to the list or to this machine', () => {
    const past = calledAt('2026-01-05T10:00Z');
    expect(hold(past, '2026-01-06T10:00Z', { zones: [] })).toBeNull();
    expect(hold(past, '2026-01-06T10:00Z', { zones: ['Nowhere/Land'] })).toBeNull();
  });

  it('does not count for a person who asked for a time, nor where it comes after the last day', () => {
    const past = calledAt('2026-01-05T18:00Z');
    const now = at('2026-01-06T18:00Z');
    expect(retryHold(retry, past, aPlace({ callbackAt: now }), now)).toBeNull();
    const last = aRetry({ otherTimeOfDay: true, lastDay: '2026-01-06' });
    expect(retryHold(last, past, aPlace(), now)).toBeNull();
  });

  it('comes after the gap', () => {
    const past = calledAt('2026-01-06T11:00Z');
    const both = aRetry({ otherTimeOfDay: true, gapMs: 2 * HOUR });
    expect(retryHold(both, past, aPlace(), at('2026-01-06T11:30Z'))).toMatchObject({
      until: at('2026-01-06T13:00Z'),
    });
  });
});
