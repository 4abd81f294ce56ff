import { describe, expect, it } from 'vitest';
import { play, type Game } from '../../../src/domain/forecast/play.ts';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import type { LeadResult } from '../../../src/domain/lead.ts';
import type { SeenCall } from '../../../src/domain/forecast/game.ts';
import type { RetryPolicy } from '../../../src/domain/calling/retry.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time-units.ts';
import { aPolicy, daily, DENVER } from '../../conformance/store/calling/policies.ts';
import { START } from '../../helpers/clock.ts';
import { aCall, aGame, aPerson } from './game.ts';

/** START is Monday 2026-01-05 15:00 UTC. */
const RETRY: RetryPolicy = {
  ...{ attempts: 2, perDay: null, gapMs: 0, otherTimeOfDay: false, lastDay: null },
  after: { no_answer: HOUR_MS },
  alternatives: null,
};
/** Goes on after any of these. */
const AFTER_ALL = {
  ...RETRY,
  after: { no_answer: HOUR_MS, voicemail: HOUR_MS, busy: HOUR_MS },
};
const SILENT = aCall({ result: 'no_answer', talkMs: 0 });

describe('a play', () => {
  it('ends when the last of all slots is free again', () => {
    expect(played(aGame(10))).toMatchObject({ end: 'done', at: START + 10 * MINUTE_MS });
    expect(played(aGame(10, {}, { slots: 3 }))).toMatchObject({ at: START + 4 * MINUTE_MS });
  });

  it('frees a slot when the line is down, and ends when the last result is in', () => {
    const slow = aCall({ analysedMs: 5 * MINUTE_MS });
    expect(played(aGame(3), [slow])).toMatchObject({ at: START + 8 * MINUTE_MS });
  });

  it('begins calls in open hours alone, and goes on in the next ones', () => {
    const { at, calls } = played(aGame(90, { policy: aPolicy({ hours: daily(15, 16) }) }));
    expect(calls).toHaveLength(90);
    expect(calls[60]).toBe(START + DAY_MS);
    expect(at).toBe(START + DAY_MS + 30 * MINUTE_MS);
  });

  it('takes who is due first where hours are open', () => {
    const people = [
      aPerson({ zoneKey: DENVER, notBefore: START + HOUR_MS, past: before('busy') }),
      aPerson({ notBefore: START - 1, past: before('voicemail') }),
      aPerson({ zoneKey: DENVER, past: before('no_answer') }),
    ];
    const calledIn = (own: Partial<CampaignSettings>) => {
      const called: unknown[] = [];
      const game = aGame(people, { retry: AFTER_ALL, ...own });
      play(game, (last) => (called.push(last), aCall()), NOBODY);
      return called;
    };
    expect(calledIn({})).toEqual(['no_answer', 'voicemail', 'busy']);
    const policy = aPolicy({ hours: daily(9, 16) });
    expect(calledIn({ policy })).toEqual(['voicemail', 'no_answer', 'busy']);
  });

  it('takes people who are due together in their order, wherever they are', () => {
    const results = ['busy', 'voicemail', 'no_answer'] as const;
    const people = results.map((result, n) =>
      aPerson({ past: before(result), ...(n === 1 && { zoneKey: DENVER }) }),
    );
    const called: unknown[] = [];
    play(aGame(people, { retry: AFTER_ALL }), (last) => (called.push(last), aCall()), NOBODY);
    expect(called).toEqual(results);
  });

  it('calls people again after the delay of their result, as often as is allowed', () => {
    const { calls, at } = played(aGame(1, { retry: RETRY }), [SILENT]);
    expect(calls).toEqual([START, START + HOUR_MS + MINUTE_MS]);
    expect(at).toBe(START + HOUR_MS + 2 * MINUTE_MS);
    const derived = { ...SILENT, source: 'derived' } as const;
    expect(played(aGame(1, { retry: RETRY }), [derived]).calls).toHaveLength(1);
    const lets = { retryDerived: true };
    expect(played(aGame(1, { retry: RETRY }, lets), [derived]).calls).toHaveLength(2);
  });

  it('looks at how the call before ended', () => {
    const seen: unknown[] = [];
    play(aGame(1, { retry: RETRY }), (before) => (seen.push(before), SILENT), NOBODY);
    expect(seen).toEqual([null, 'no_answer']);
  });

  it('keeps to a day of the person, and to caps, for calls of before, too', () => {
    const called = aPerson({
      past: [{ at: START - HOUR_MS, result: 'no_answer', endedAt: START - HOUR_MS }],
    });
    const oneADay = { retry: { ...RETRY, perDay: 1 } };
    expect(played(aGame([called], oneADay)).calls).toEqual([START + 9 * HOUR_MS]);
    const policy = aPolicy({ caps: [{ calls: 1, perMs: DAY_MS }], afterRefusalMs: 7 * DAY_MS });
    expect(played(aGame([called], { retry: RETRY, policy })).calls).toEqual([START + 23 * HOUR_MS]);
    const declined = {
      ...called,
      past: [{ at: START - DAY_MS, result: 'declined', endedAt: null } as const],
    };
    const spoke = { ...called, callbackAt: START, past: before('answered') };
    const quiet = aPolicy({ afterConversationMs: 2 * DAY_MS });
    expect(played(aGame([spoke], { retry: RETRY, policy: quiet })).calls).toEqual([START + DAY_MS]);
    // Nobody knows whether a rejected call was one with a refusal: a forecast does not wait for that.
    const retry = { ...RETRY, after: { declined: HOUR_MS } };
    expect(played(aGame([declined], { retry, policy })).calls).toEqual([START]);
    // It is not retried any more.
    expect(played(aGame([declined], { retry: RETRY, policy })).calls).toEqual([]);
  });

  it('lets go of people whose time is over', () => {
    const past = [{ at: START - DAY_MS, result: 'no_answer', endedAt: START - DAY_MS }] as const;
    const retry = { ...RETRY, lastDay: '2026-01-04' };
    expect(played(aGame([aPerson({ past })], { retry }))).toMatchObject({ end: 'done', calls: [] });
  });

  it('calls people back when they asked for it, once', () => {
    const wish = aCall({ callbackMs: 2 * HOUR_MS });
    expect(played(aGame(1), [wish]).calls).toEqual([START, START + 2 * HOUR_MS + MINUTE_MS]);
  });

  it('keeps to a pace', () => {
    const { calls } = played(aGame(3, { pace: { count: 1, perMs: HOUR_MS } }, { slots: 3 }));
    // A start up to 50 ms early is on schedule.
    expect(calls.map((at) => Math.round((at - START) / HOUR_MS))).toEqual([0, 1, 2]);
  });

  it('goes on with the next night when a budget is used up', () => {
    const { calls, nights } = played(aGame(5, { stop: { calls: 2 } }));
    expect(nights).toEqual(['2026-01-05', '2026-01-05', '2026-01-06', '2026-01-06', '2026-01-07']);
    // Nights begin at 05:00.
    expect(calls[2]).toBe(START + 14 * HOUR_MS);
    expect(
      played(aGame(5, { stop: { at: '15:03' } })).nights.filter((n) => n === '2026-01-05'),
    ).toHaveLength(3);
  });

  it('counts what a night has used before, and what calls in progress may use', () => {
    const used = { calls: 1, open: 0, stuck: 0, answered: 1, talkMs: 0, unpriced: 0, costs: {} };
    const spent = [['2026-01-05', used]] as const;
    expect(played(aGame(3, { stop: { calls: 2 } }, { spent })).nights[1]).toBe('2026-01-06');
    const { calls } = played(aGame(4, { stop: { answered: 2 } }, { spent, slots: 4 }));
    expect(calls.filter((at) => at < START + HOUR_MS)).toHaveLength(1);
    const waits = played(aGame(4, { stop: { answered: 2 } }, { slots: 4 }), [SILENT]);
    expect(waits.calls.map((at) => Math.round((at - START) / MINUTE_MS))).toEqual([0, 0, 1, 1]);
  });

  it('ends with the budget of the campaign, by its cost, too', () => {
    expect(played(aGame(5, { stop: { total: { calls: 3 } } }))).toMatchObject({
      end: 'budget',
      at: START + 3 * MINUTE_MS,
    });
    const dear = aCall({ cost: 1, currency: 'EUR' });
    const stop = { total: { cost: { amount: '30', currency: 'EUR' } } };
    const { calls } = played(aGame(50, { stop }), [dear]);
    // A call may last a quarter of an hour, which would cost 15 by begun minutes.
    expect(calls).toHaveLength(16);
  });

  it('begins calls under a budget of money also where each person stands for several', () => {
    const dear = aCall({ cost: 1, currency: 'EUR' });
    const stop = { cost: { amount: '300', currency: 'EUR' } };
    const { calls, end } = played(aGame(40, { stop }, { weight: 3, slots: 6 }), [dear]);
    expect([calls.length, end]).toEqual([40, 'done']);
  });

  it('begins calls from the times of a schedule to their ends, and ends with it', () => {
    const two = (now: number) =>
      [hoursFrom(1, 1.5), hoursFrom(24, 30)].find(({ endsAt }) => now < endsAt) ?? NEVER;
    const { calls } = played(aGame(1, { retry: RETRY }, { firingAt: two }), [SILENT]);
    expect(calls).toEqual([START + HOUR_MS, START + DAY_MS]);
    const long = () => hoursFrom(1, 30);
    expect(played(aGame(1, { retry: RETRY }, { firingAt: long }), [SILENT]).calls).toEqual([
      START + HOUR_MS,
      START + 2 * HOUR_MS + MINUTE_MS,
    ]);
    const once = (now: number) => (now < START + HOUR_MS ? hoursFrom(0, 1) : NEVER);
    expect(played(aGame(1, { retry: RETRY }, { firingAt: once }), [SILENT]).end).toBe('time');
  });

  it('begins no call once its end has come', () => {
    const { end, calls } = played(aGame(9, {}, { endsAt: START + 3 * MINUTE_MS }));
    expect([end, calls.length]).toEqual(['time', 3]);
  });

  it('says that those who wait may never be called', () => {
    const people = [aPerson({ zoneKey: '?' })];
    const policy = aPolicy({ hours: daily(9, 17) });
    expect(played(aGame(people, { policy }))).toMatchObject({ end: 'nobody_may', calls: [] });
  });

  it.each([
    [10, 50],
    [100, 5],
  ])(
    'takes as long where each of %i people stands for some and there are %i slots',
    (weight, slots) => {
      const all = played(aGame(2_000, {}, { slots })).at - START;
      const some = played(aGame(2_000 / weight, {}, { weight, slots })).at - START;
      expect(some).toBeCloseTo(all, -5);
      const stop = { stop: { calls: 500 } };
      expect(new Set(played(aGame(2_000 / weight, stop, { weight, slots })).nights).size).toBe(4);
    },
  );
});

const NEVER = { at: Infinity, endsAt: Infinity };

function hoursFrom(from: number, to: number) {
  return { at: START + from * HOUR_MS, endsAt: START + to * HOUR_MS };
}

const NOBODY = () => undefined;

function before(result: LeadResult) {
  return [{ at: START - DAY_MS, result, endedAt: START - DAY_MS }];
}

/** One call after the other ends like this, over and over. */
function played(game: Game, ends: readonly SeenCall[] = [aCall()]) {
  const calls: number[] = [];
  const nights: string[] = [];
  const draw = () => ends[calls.length % ends.length] as SeenCall;
  const result = play(game, draw, (at, night) => {
    calls.push(at);
    nights.push(night.date);
  });
  return { ...result, calls, nights };
}
