import { describe, expect, it } from 'vitest';
import { ATTEMPT_STATES } from '../../../src/domain/attempt.ts';
import {
  BEST_FIRST,
  FINAL_RESULTS,
  standingOf,
  type LeadAttempt,
  type LeadNow,
} from '../../../src/domain/calling/standing.ts';
import { isKeptEnd, LEAD_RESULTS } from '../../../src/domain/lead.ts';

const aLead = (overrides: Partial<LeadNow> = {}): LeadNow => ({
  state: 'calling',
  result: null,
  callbackAt: null,
  wasDone: false,
  ...overrides,
});

const anAttempt = (seq: number, overrides: Partial<LeadAttempt> = {}): LeadAttempt => ({
  seq,
  state: 'settled',
  result: overrides.state === undefined ? 'busy' : null,
  resolution: null,
  ...overrides,
});

const takenBack = (seq: number) =>
  anAttempt(seq, { state: 'unconfirmed', resolution: 'not_placed' });
const WAITS = aLead({ state: 'waiting' });
const OVER = aLead({ state: 'done', result: 'no_result' });

describe('how a lead stands', () => {
  it('stays after an end that comes from outside the calls, whatever turns out', () => {
    expect(LEAD_RESULTS.filter(isKeptEnd)).toEqual(['suppressed', 'cancelled']);
    expect(isKeptEnd(null)).toBe(false);
    for (const result of ['suppressed', 'cancelled'] as const) {
      for (const state of ATTEMPT_STATES) {
        const lead = aLead({ state: 'done', result });
        expect(standingOf(lead, [anAttempt(1, { state })], 1)).toEqual({ kind: 'stays' });
      }
    }
  });

  it.each(['intent', 'unknown', 'placed', 'ended'] as const)(
    'is calling while a call is %s, also when a later one has ended it',
    (state) => {
      const open = anAttempt(1, { state });
      for (const lead of [WAITS, aLead(), OVER])
        expect(standingOf(lead, [open], 1)).toEqual({ kind: 'calling', wasDone: false });
      const goesOn = { kind: 'calling', wasDone: false };
      expect(standingOf(WAITS, [open, anAttempt(2)], 1)).toEqual(goesOn);
      const ended = [open, anAttempt(2, { state: 'no_result' })];
      expect(standingOf(OVER, ended, 1)).toEqual({ kind: 'calling', wasDone: true });
    },
  );

  it('waits when the last attempt had no effect, or is said not to have been made', () => {
    for (const last of [anAttempt(2, { state: 'released' }), takenBack(2)]) {
      const waits = { kind: 'open', reached: null, otherwise: 'waits' };
      expect(standingOf(aLead(), [anAttempt(1), last], 2)).toEqual(waits);
      expect(standingOf(OVER, [last], 2)).toEqual(waits);
    }
  });

  it.each(['settled', 'rejected', 'no_result', 'unconfirmed'] as const)(
    'is decided by the last attempt once that is %s',
    (state) => {
      const last = anAttempt(2, { state });
      const open = { kind: 'open', reached: null, otherwise: last };
      expect(standingOf(aLead(), [anAttempt(1), last], 2)).toEqual(open);
      expect(standingOf(OVER, [takenBack(1), last], 2)).toEqual(open);
      expect(standingOf(aLead(), [last, takenBack(3)], 2)).toEqual(open);
    },
  );

  it('ends by a call that reached the person before, or that was found although it is said not to be made', () => {
    const last = anAttempt(2);
    for (const found of [
      anAttempt(1, { result: 'answered' }),
      anAttempt(1, { result: 'declined', resolution: 'not_placed' }),
    ]) {
      const open = { kind: 'open', reached: found, otherwise: last };
      expect(standingOf(aLead(), [found, last], 2)).toEqual(open);
      const late = { ...open, otherwise: 'stays' };
      expect(standingOf(WAITS, [found, last], 1)).toEqual(late);
      expect(standingOf(WAITS, [found], null)).toEqual(late);
      expect(standingOf(aLead(), [found, last], 1)).toEqual(open);
    }
    const both = [anAttempt(1, { result: 'answered' }), anAttempt(2, { result: 'opted_out' })];
    expect(standingOf(WAITS, both, null)).toMatchObject({ reached: both[1] });
  });

  it('goes on for who asked to be called again, until that call has its result or they ask for no more', () => {
    const asked = aLead({ callbackAt: 9 });
    const talk = anAttempt(1, { result: 'answered' });
    expect(standingOf(asked, [talk, takenBack(2)], 2)).toMatchObject({ reached: null });
    expect(standingOf(asked, [talk, anAttempt(2)], 2)).toMatchObject({ reached: talk });
    const stop = anAttempt(0, { result: 'opted_out', resolution: 'not_placed' });
    expect(standingOf({ ...asked, state: 'waiting' }, [stop, talk], 0)).toMatchObject({
      reached: stop,
    });
  });

  it('is over as its best attempt was when an earlier call is found after its end', () => {
    const late = anAttempt(1, { result: 'answered', resolution: 'not_placed' });
    const last = anAttempt(2, { state: 'no_result' });
    expect(standingOf(OVER, [late, last], 1)).toEqual({ kind: 'over' });
  });

  it('is over as well once that call has ended, unless the last attempt has told something else meanwhile', () => {
    const found = aLead({ wasDone: true });
    const [first, last] = [anAttempt(1), anAttempt(2)];
    expect(standingOf(found, [first, last], 1)).toEqual({ kind: 'over' });
    const open = anAttempt(1, { state: 'placed' });
    expect(standingOf(found, [open, last], 2)).toEqual({ kind: 'calling', wasDone: false });
    const three = [open, last, anAttempt(3)];
    expect(standingOf(found, three, 2)).toEqual({ kind: 'calling', wasDone: true });
  });

  it('waits if it was let wait again, and nothing is known of any call', () => {
    const waits = { kind: 'open', reached: null, otherwise: 'stays' };
    expect(standingOf(WAITS, [], null)).toEqual(waits);
    expect(standingOf(aLead(), [takenBack(1)], null)).toMatchObject({ otherwise: 'waits' });
  });
});

describe('the best of a person’s attempts', () => {
  it('orders every result once', () => {
    expect(BEST_FIRST.toSorted()).toEqual([...LEAD_RESULTS].toSorted());
  });

  it('puts the results that end a person before all others', () => {
    expect(BEST_FIRST.slice(0, FINAL_RESULTS.length)).toEqual(FINAL_RESULTS);
  });
});
