import { expect, it } from 'vitest';
import { aPhone } from '../../helpers/factory.ts';
import { againstResult } from '../calling/earlier.ts';
import { planOf } from '../seed-plan.ts';
import { wasDenied, type Call, type Ledger } from '../world/ledger.ts';

/* What the judge of the nights forbids of people who were denied, and of results that are not retried. */

const AT = Date.parse('2026-11-27T20:30:00Z');
const HOUR = 3_600_000;

it('a call that was denied counts again as soon as it is found, and no other one is excused', () => {
  const denied = new Map([['key_1', 1_000]]);
  const wasAt = (at: number, found: [string, number][] = []) =>
    wasDenied({ denied, found: new Map(found) } as unknown as Ledger, 'key_1', at);
  expect(wasAt(999)).toBe(false);
  expect(wasAt(1_000)).toBe(true);
  // A claim of just before may still be dialled.
  expect(wasAt(9_000, [['key_1', 4_000]])).toBe(true);
  expect(wasAt(10_000, [['key_1', 4_000]])).toBe(false);
  expect(wasAt(10_000, [['key_2', 4_000]])).toBe(true);
  expect(wasDenied({ denied, found: new Map() } as unknown as Ledger, 'key_2', 9_000)).toBe(false);
});

it('a call after a result that is not retried, or sooner than its delay, is found', () => {
  const last = { phone: aPhone(0), callId: 'call_1', endedAt: AT - HOUR, callbackAt: null };
  const retry = { attempts: 3, perDay: null, gapMs: 0, after: { busy: 2 * HOUR, no_answer: 0 } };
  const found = (outcome: Call['outcome'], more: Partial<Call> = {}) =>
    againstResult({ ...last, outcome, ...more } as Call, {
      retry: { ...retry, otherTimeOfDay: false, lastDay: null, alternatives: null },
      known: new Set(['call_1']),
      latest: AT,
    });
  expect(found('no_answer')).toEqual([]);
  expect(found('voicemail')).toEqual(['call_1 was voicemail, which is not retried']);
  expect(found('busy')).toEqual(['sooner than the delay after call_1, which was busy']);
  expect(found('answered', { callbackAt: AT })).toEqual([]);
  expect(found('invalid_number')).toEqual([]);
  expect(found('voicemail', { callId: 'call_2' })).toEqual([]);
});

it('many nights deny calls, find them, undo what was done, and call people elsewhere', () => {
  const nights = Array.from({ length: 300 }, (_, n) => planOf(String(n)));
  const withAll = (...all: string[]) =>
    nights.filter(({ operator }) => all.every((one) => operator.some(({ does }) => does === one)));
  expect(withAll('deny', 'find').length).toBeGreaterThan(30);
  expect(withAll('withdraw', 'undo').length).toBeGreaterThan(20);
  expect(withAll('withdraw', 'elsewhere', 'undo').length).toBeGreaterThan(10);
  const again = nights.filter((night) => night.restore !== null && night.idempotentForMs !== null);
  expect(again.length).toBeGreaterThan(5);
});
