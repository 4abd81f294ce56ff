import { describe, expect, it } from 'vitest';
import {
  matchDelivery,
  type DeliveryFacts,
  type MatchCandidate,
} from '../../src/domain/same-call.ts';
import { aPhone } from '../helpers/factory.ts';

const NOBODY: DeliveryFacts = {
  callId: 'call_1',
  attemptKey: null,
  phone: null,
  agent: null,
  at: null,
};

function attempt(overrides: Partial<MatchCandidate> = {}): MatchCandidate {
  return {
    attemptId: 'a1',
    campaignId: 'cmp_1',
    key: 'k1',
    service: 'main',
    phone: aPhone(0),
    agent: 'ag_1',
    state: 'unknown',
    callId: null,
    intentAt: 1_000,
    placedAt: 1_000,
    holdsUntil: 900_000,
    rivals: [],
    polls: 0,
    ...overrides,
  };
}

const known = attempt({ state: 'placed', callId: 'call_1' });
const byNumber = { ...NOBODY, phone: aPhone(0), at: 2_000 };

describe('the attempt that a delivery speaks of', () => {
  it.each<[string, Partial<DeliveryFacts>, MatchCandidate | null, MatchCandidate[], object]>([
    ['has its call id', {}, known, [], { kind: 'found', by: 'call' }],
    ['has call id and key', { attemptKey: 'k1' }, known, [], { kind: 'found', by: 'call' }],
    ['has its call id and another key', { attemptKey: 'k2' }, known, [], { kind: 'contradiction' }],
    ['has its key', { attemptKey: 'k1' }, null, [attempt()], { kind: 'found', by: 'key' }],
    [
      'has its key, where no call is named',
      { attemptKey: 'k1', callId: null },
      null,
      [known],
      { kind: 'found', by: 'key' },
    ],
    [
      'has its key and another number',
      { attemptKey: 'k1', phone: aPhone(1) },
      null,
      [attempt()],
      { kind: 'contradiction' },
    ],
    [
      'has its key and another call',
      { attemptKey: 'k1' },
      null,
      [attempt({ state: 'placed', callId: 'call_2' })],
      { kind: 'contradiction' },
    ],
    [
      'has its key at another service',
      { attemptKey: 'k1' },
      null,
      [attempt({ service: 'other' })],
      { kind: 'none' },
    ],
    ['is the sole doubt about its number', byNumber, null, [attempt()], { by: 'number' }],
    [
      'was given up and is the sole doubt about its number',
      byNumber,
      null,
      [attempt({ state: 'unconfirmed' })],
      { by: 'number' },
    ],
  ])('is found: it %s', (_, facts, byCall, inProgress, expected) => {
    const match = matchDelivery('main', { ...NOBODY, ...facts }, byCall, inProgress);

    expect(match).toMatchObject(expected);
  });

  it.each<[string, Partial<DeliveryFacts>, MatchCandidate[], string]>([
    ['nothing is in doubt', {}, [], 'no call to its number is in doubt'],
    ['its number was never dialled', {}, [attempt({ phone: aPhone(1) })], 'is in doubt'],
    ['several are in doubt', {}, [attempt(), attempt({ campaignId: 'cmp_2' })], 'several'],
    ['a dial is in flight', {}, [attempt(), attempt({ state: 'intent' })], 'in flight'],
    ['the doubt is elsewhere', {}, [attempt({ service: 'other' })], 'another service'],
    ['the agent is another', { agent: 'ag_2' }, [attempt()], 'its agent is not'],
    ['it has no time', { at: null }, [attempt()], 'when it happened'],
    ['it was before the dial', { at: 999 }, [attempt()], 'before the dial in doubt'],
    ['it names another dial', { attemptKey: 'k9' }, [attempt()], 'none that is in progress'],
    ['it names no number', { phone: null }, [attempt()], 'no attempt is call call_1'],
    ['it names no call', { callId: null }, [attempt()], 'no call that is known'],
  ])('is not guessed by the number when %s', (_, facts, inProgress, why) => {
    const match = matchDelivery('main', { ...byNumber, ...facts }, null, inProgress);

    expect(match).toEqual({ kind: 'none', why: expect.stringContaining(why) as string });
  });
});
