import { expect, test } from 'vitest';
import { dialAnswer, type Sent } from '../../../src/service/calls/dial.ts';
import { PROFILE } from '../helpers.ts';

const WORDS = { request: 'POST /dial (with to)', lookedFor: 'call_id' };

function answered(status: number, more: Partial<Sent & { kind: 'answered' }> = {}): Sent {
  return {
    kind: 'answered',
    status,
    callId: null,
    cutShort: null,
    unusable: null,
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
  const rejected = [400, 401, 402, 403, 404, 405, 413, 415, 422];
  for (let status = 300; status < 600; status++) {
    const isRefused = status === 429;
    const expected = rejected.includes(status) ? 'rejected' : isRefused ? 'refused' : 'unknown';
    expect([status, kindOf(answered(status))]).toEqual([status, expected]);
    // An id is given here only where the profile says that a refusal names its call.
    expect(kindOf(answered(status, { callId: 'c1' }))).toBe('placed');
  }
});

test('a 2xx is placed only with an id from a whole body', () => {
  expect(kindOf(answered(200, { callId: 'c1' }))).toBe('placed');
  expect(kindOf(answered(299, { callId: 'c1' }))).toBe('placed');
  expect(kindOf(answered(200, { callId: 'c1', cutShort: 'reset' }))).toBe('unknown');
  expect(kindOf(answered(200))).toBe('unknown');
});

test('a row of the table may be tightened or relaxed', () => {
  expect(kindOf(answered(429), new Map([[429, 'unknown']]))).toBe('unknown');
  expect(kindOf(answered(503), new Map([[503, 'refused']]))).toBe('refused');
  expect(kindOf(answered(400), new Map())).toBe('unknown');
});

test('402, where a profile does not list it, pauses the campaign, and any row of the profile wins over that', () => {
  const unpaid = (row: [] | [[number, 'rejected' | 'unknown']], said: 'rejected' | null = null) =>
    dialAnswer(answered(402, { said }), new Map(row), WORDS);
  expect(unpaid([])).toMatchObject({ kind: 'rejected', pause: true });
  expect(unpaid([])).not.toHaveProperty('named');
  expect(unpaid([[402, 'unknown']])).toMatchObject({ kind: 'unknown' });
  expect(unpaid([[402, 'rejected']])).not.toHaveProperty('pause');
  expect(unpaid([], 'rejected')).not.toHaveProperty('pause');
});

test('a rejection tells whether a word of the profile named it or only the status', () => {
  for (const said of ['rejected', 'pause'] as const) {
    expect(dialAnswer(answered(400, { said }), new Map(), WORDS)).toMatchObject({ named: true });
    const byStatus = dialAnswer(answered(400), new Map([[400, said]]), WORDS);
    expect(byStatus.kind).toBe('rejected');
    expect(byStatus).not.toHaveProperty('named');
  }
});

test('a word for a number that no phone has says so, whatever the status', () => {
  for (const status of [200, 400, 500]) {
    const answer = dialAnswer(answered(status, { said: 'invalid_number' }), new Map(), WORDS);
    expect(answer).toMatchObject({ kind: 'rejected', named: true, invalidNumber: true });
  }
});

test('a word in a 2xx names nobody: it says that the call was not made, and not whose fault that was', () => {
  const refused = dialAnswer(answered(200, { said: 'rejected' }), new Map(), WORDS);
  expect(refused).toMatchObject({ kind: 'rejected', status: 200 });
  expect(refused).not.toHaveProperty('named');
});
