import { expect, test } from 'vitest';
import { dialAnswer } from '../../src/service/answers.ts';
import type { Sent } from '../../src/service/answers.ts';
import { PROFILE } from './helpers.ts';

const WORDS = { request: 'POST /dial (with to)', lookedFor: 'call_id' };

function answered(status: number, more: Partial<Sent & { kind: 'answered' }> = {}): Sent {
  return {
    kind: 'answered',
    status,
    callId: null,
    cutShort: null,
    said: null,
    retryAfterMs: null,
    excerpt: '',
    ...more,
  };
}

function kindOf(sent: Sent, table = PROFILE.dial.answers) {
  return dialAnswer(sent, table, WORDS).kind;
}

test('the default profile takes few statuses as proof, and 300 to 599 are unknown otherwise', () => {
  const rejected = [400, 401, 403, 404, 405, 413, 415, 422];
  for (let status = 300; status < 600; status++) {
    const isRefused = status === 429;
    const expected = rejected.includes(status) ? 'rejected' : isRefused ? 'refused' : 'unknown';
    expect([status, kindOf(answered(status))]).toEqual([status, expected]);
    // An id in an answer that is no success proves nothing.
    expect(kindOf(answered(status, { callId: 'c1' }))).toBe(expected);
  }
});

test('a 2xx is placed only with an id from a whole body', () => {
  expect(kindOf(answered(200, { callId: 'c1' }))).toBe('placed');
  expect(kindOf(answered(299, { callId: 'c1' }))).toBe('placed');
  expect(kindOf(answered(200, { callId: 'c1', cutShort: 'reset' }))).toBe('unknown');
  expect(kindOf(answered(200))).toBe('unknown');
  expect(kindOf(answered(199, { callId: 'c1' }))).toBe('unknown');
});

test('a row of the table may be tightened or relaxed', () => {
  expect(kindOf(answered(429), new Map([[429, 'unknown']]))).toBe('unknown');
  expect(kindOf(answered(503), new Map([[503, 'refused']]))).toBe('refused');
  expect(kindOf(answered(400), new Map())).toBe('unknown');
});

test('an empty body is said to be empty', () => {
  expect(dialAnswer(answered(500), new Map(), WORDS).detail).toBe(
    'POST /dial (with to) was answered with HTTP 500; the body was empty',
  );
});
