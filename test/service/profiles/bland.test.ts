// Every value of the enumerations that Bland publishes of a call, with and without a conversation. Source: repository
// CINTELLILABS/docs: api-v1/get/calls-id.mdx (5cda314, 2026-07-27), tutorials/post-call-webhooks.mdx (51da09c,
// 2026-08-09), the built-in tags of api-v1/post/calls.mdx (1687467, 2026-08-09); `error` as a status is from
// CINTELLILABS/bland-plugins skills/calls/SKILL.md (18d353a).
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import { builtIn, meaningOf } from './table.ts';

const profile = builtIn('bland');
const { read } = createAnalyticsReader(profile.analytics);

const TURNS = [
  { id: 1, user: 'assistant', text: 'Hello, do you have a moment?' },
  { id: 2, user: 'user', text: 'Yes, go ahead.' },
  { id: 3, user: 'agent-action', text: 'Ended call' },
];

/** A call that is over and of which nothing more is known. */
const CALL = {
  call_id: '12345678-1234-1234-1234-123456789012',
  to: '+12125550101',
  completed: true,
  status: 'completed',
  queue_status: 'complete',
  error_message: null,
  answered_by: null,
  call_ended_by: null,
  call_length: 0,
  corrected_duration: '0',
  metadata: { attempt: 'a1' },
  variables: { phone_number: '+12125550101', city: 'San Francisco' },
  analysis: null,
  transcripts: [] as object[],
  concatenated_transcript: '',
};
const TALKED = {
  ...CALL,
  call_length: 0.75,
  corrected_duration: '45',
  transcripts: TURNS,
  concatenated_transcript: TURNS.map(({ user, text }) => `${user}: ${text} \n `).join(''),
};

const resultOf = (call: object) => meaningOf(profile, call);

describe('how far a call got', () => {
  test.each([
    // Not over: the service says so itself.
    ['new', 'not_begun', 'not_begun'],
    ['queued', 'not_begun', 'not_begun'],
    ['allocated', 'not_begun', 'not_begun'],
    ['started', 'pending', 'pending'],
    ['complete', 'pending', 'pending'],
    // Over. Before it was queued: its parameters, which all dials share.
    ['pre_queue_error', 'not_called_pause', 'answered'],
    ['queue_error', 'failed', 'answered'],
    ['call_error', 'failed', 'answered'],
    // After the call: says nothing of it.
    ['complete_error', 'no_answer', 'answered'],
  ])('queue_status %s is %s, and %s with a conversation', (queue_status, silent, talked) => {
    const still = { completed: false, status: 'unknown', queue_status };
    expect(resultOf({ ...CALL, ...still })).toBe(silent);
    expect(resultOf({ ...TALKED, ...still })).toBe(talked);
    // `status` is there only for calls that have been created.
    const created: Partial<typeof CALL> = { ...CALL, ...still };
    delete created.status;
    expect(resultOf(created)).toBe(silent);
  });

  test.each(['new', 'queued', 'allocated', 'started', 'complete', 'completed', 'complete_error'])(
    '`completed` is newer than queue_status %s',
    (queue_status) => {
      expect(resultOf({ ...CALL, queue_status })).toBe('no_answer');
      expect(resultOf({ ...TALKED, queue_status })).toBe('answered');
    },
  );
});

describe('a status', () => {
  test.each([
    ['completed', 'no_answer', 'answered'],
    ['failed', 'failed', 'answered'],
    ['busy', 'busy', 'busy'],
    ['no-answer', 'no_answer', 'no_answer'],
    ['canceled', 'failed', 'answered'],
    ['unknown', 'no_answer', 'answered'],
    ['error', 'failed', 'answered'],
  ])('%s is %s, and %s with a conversation', (status, silent, talked) => {
    expect(resultOf({ ...CALL, status })).toBe(silent);
    expect(resultOf({ ...TALKED, status })).toBe(talked);
  });

  test.each([
    ['completed', 'pending'],
    ['failed', 'failed'],
    ['busy', 'busy'],
    ['no-answer', 'no_answer'],
    ['canceled', 'failed'],
    ['unknown', 'pending'],
    ['error', 'failed'],
  ])('%s is %s where `completed` is not there yet', (status, result) => {
    expect(resultOf({ ...CALL, completed: false, queue_status: 'started', status })).toBe(result);
  });
});

describe('answered_by', () => {
  test.each([
    ['human', 'answered', 'answered'],
    ['voicemail', 'voicemail', 'voicemail'],
    ['no-answer', 'no_answer', 'no_answer'],
    ['unknown', 'no_answer', 'answered'],
    [null, 'no_answer', 'answered'],
  ])('%s is %s, and %s with a conversation', (answered_by, silent, talked) => {
    for (const call_ended_by of ['ASSISTANT', 'USER', null]) {
      for (const queue_status of ['complete', 'complete_error']) {
        const said = { answered_by, call_ended_by, queue_status };
        expect(resultOf({ ...CALL, ...said })).toBe(silent);
        expect(resultOf({ ...TALKED, ...said })).toBe(talked);
      }
    }
  });
});

test('who answered is waited for, for five minutes after the end', () => {
  const end_at = '2026-01-05T15:00:00Z';
  const at = (ms: number) => Date.parse(end_at) + ms;
  const call = { ...TALKED, end_at };
  expect(read(call, at(10_000)).kind).toBe('ended');
  expect(read({ ...call, answered_by: 'voicemail' }, at(10_000))).toMatchObject({
    kind: 'settled',
    result: 'voicemail',
  });
  expect(read({ ...call, status: 'busy' }, at(10_000))).toMatchObject({ result: 'busy' });
  expect(read(call, at(300_000))).toMatchObject({ kind: 'settled', result: null });
});

describe('the error of a call that failed', () => {
  test.each([
    ['Call failed.', 'failed'],
    ['Call failed. The number you dialed is not found.', 'invalid_number'],
    ['The number you dialed is not found.', 'invalid_number'],
    ['Call failed. The number you dialed is temporarily unavailable.', 'failed'],
    ['The number you dialed is temporarily unavailable.', 'failed'],
    ['Call failed. The number you dialed is busy. Please try again later.', 'busy'],
    ['The number you dialed is busy. Please try again later.', 'busy'],
    [
      'Call failed. Service Provider Blocked Call due to Spam or Number Reputation. Try a different number.',
      'failed',
    ],
    [
      'Service Provider Blocked Call due to Spam or Number Reputation. Try a different number.',
      'failed',
    ],
    ['Account not allowed to call +12125550123', 'failed'],
    ['A database error occurred. Please contact support.', 'failed'],
    ['Unable to start call. Check the call details error_message for more details.', 'not_called'],
    ['unknown', 'failed'],
    [null, 'failed'],
  ])('%s: %s, unless there was a conversation', (error_message, result) => {
    for (const queue_status of ['complete', 'call_error']) {
      const failed = { status: 'failed', queue_status, error_message };
      expect(resultOf({ ...CALL, ...failed })).toBe(result);
      // The error is that of a transfer then.
      expect(resultOf({ ...TALKED, ...failed })).toBe('answered');
    }
  });

  test('says nothing of a call that did not fail', () => {
    const error_message = 'Account not allowed to call +12125550123';
    expect(resultOf({ ...TALKED, error_message })).toBe('answered');
    expect(resultOf({ ...CALL, error_message, status: 'no-answer' })).toBe('no_answer');
  });
});

test.each([
  ['INTERESTED', 'answered'],
  ['NOT_INTERESTED', 'answered'],
  ['FOLLOW_UP_REQUIRED', 'answered'],
  ['CALL_BACK_SCHEDULED', 'answered'],
  ['TRANSFERRED', 'answered'],
  ['OBJECTION_RAISED', 'answered'],
  ['NEEDS_MORE_INFO', 'answered'],
  ['NOT_QUALIFIED', 'answered'],
  ['NO_CONTACT_MADE', 'answered'],
  ['COMPLETED_ACTION', 'answered'],
  ['DO_NOT_CONTACT', 'opted_out'],
  ['AGENT_ENDED_CALL', 'answered'],
  ['NO_ANSWER', 'answered'],
  ['BUSY', 'answered'],
  ['CANCELED', 'answered'],
  ['FAILED', 'answered'],
  ['a tag of the account', 'answered'],
  [null, 'answered'],
])('the tag %s leaves a conversation %s', (disposition_tag, result) => {
  expect(resultOf({ ...TALKED, disposition_tag })).toBe(result);
});

test('what was read out of the conversation is `analysis`, not the variables that the call was given', () => {
  const extractedOf = (call: object) => {
    const reading = read(call);
    return reading.kind === 'settled' ? reading.analytics.extracted : reading.kind;
  };
  expect(extractedOf(TALKED)).toBeNull();
  expect(extractedOf({ ...TALKED, analysis: { rooms: 3 } })).toEqual({ rooms: 3 });
});

describe('of what Bland posts', () => {
  const protocol = createDeliveryProtocol(profile, ['secret']) ?? fail();
  const { call_id } = CALL;
  const readingOf = (payload: object) => protocol.read(Buffer.from(JSON.stringify(payload)), {});

  test('the record of a call is read, signed over its body alone', () => {
    const body = Buffer.from(JSON.stringify({ ...TALKED, answered_by: 'human' }));
    const signature = createHmac('sha256', 'secret').update(body).digest('hex');
    expect(protocol.verify({ 'x-webhook-signature': signature }, body, 0).kind).toBe('signed');
    expect(readingOf({ ...TALKED, answered_by: 'human' })).toMatchObject({
      meaning: 'analytics',
      callId: call_id,
      attemptKey: 'a1',
      phone: CALL.to,
      found: { kind: 'settled', result: 'answered', analytics: { durationMs: 45_000 } },
    });
  });

  test.each([
    ['queue', { message: 'Call enqueued', call_id, category: 'queue', log_level: 'info' }],
    ['call', { message: 'Call connected', call_id, category: 'call', log_level: 'info' }],
    ['latency', { message: 'TTS: 218ms', call_id, category: 'latency', log_level: 'performance' }],
    ['citations', { call_id, user_id: 'u1', event_type: 'citations', citations: [] }],
    ['evals', { call_id, event_type: 'evals' }],
  ])('an event of the kind %s says nothing of how the call ended', (_kind, payload) => {
    expect(readingOf(payload)).toMatchObject({ meaning: 'ignored', found: null });
  });

  test.each(['citations', 'post_transfer_transcript', 'multiple'])(
    'a record that was held back for %s is read as one',
    (event_type) => {
      const payload = { ...TALKED, event_type, answered_by: 'human' };
      expect(readingOf(payload)).toMatchObject({ found: { kind: 'settled', result: 'answered' } });
    },
  );
});

function fail(): never {
  throw new Error('the profile has no webhooks');
}
