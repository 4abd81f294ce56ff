// Every value of the enumerations that Synthflow publishes of a call. Source: its OpenAPI ("Synthflow APIs" 1.0.0,
// docs.synthflow.ai/openapi.yml of 2026-10-04, archived in api-evangelist/synthflow at 35f9886: operations get-phone-call
// and voice-call), docs.synthflow.ai/webhooks (digest of 2026-08-13, same archive, 55497cb), the rows of
// docs.synthflow.ai/telephony-errors up to 403, helpcenter.synthflow.ai "Call Hangup Reasons" (2025-08-08).
import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import { connect, fakeService } from '../helpers.ts';
import { builtIn, dialMeans, meaningOf } from './table.ts';

const profile = builtIn('synthflow');
const { read } = createAnalyticsReader(profile.analytics);

const CALL = {
  call_id: '1725527007259x327898249603432960',
  model_id: '1725526325346x892123579587048600',
  phone_number_to: '+12125550101',
  transcript: '',
  duration: 0,
  end_call_reason: null,
  error_message: '',
  executed_actions: {},
  collected_variables: null as object | null,
  status: 'completed',
};
const TALKED = {
  ...CALL,
  transcript: 'bot: Hello, do you have a moment?\nhuman: Yes, go ahead.',
  duration: 45,
};

/** As a call is read. */
const answerOf = (call: object) => ({
  status: 'ok',
  response: { pagination: { total_records: 1, limit: 20, offset: 0 }, calls: [call] },
});

const resultOf = (call: object) => meaningOf(profile, answerOf(call));

describe('a status', () => {
  test.each([
    ['pending', 'not_begun', 'not_begun'],
    ['ringing', 'pending', 'pending'],
    ['in-progress', 'pending', 'pending'],
    ['paused', 'pending', 'pending'],
    ['registered', 'not_begun', 'not_begun'],
    ['completed', 'no_answer', 'answered'],
    ['no-answer', 'no_answer', 'no_answer'],
    ['busy', 'busy', 'busy'],
    ['failed', 'failed', 'answered'],
    ['canceled', 'failed', 'answered'],
    ['user-canceled', 'failed', 'answered'],
    ['hangup_on_voicemail', 'voicemail', 'voicemail'],
    ['left_voicemail', 'voicemail', 'voicemail'],
    ['spam', 'failed', 'answered'],
  ])('%s is %s, and %s with a conversation', (status, silent, talked) => {
    expect(resultOf({ ...CALL, status })).toBe(silent);
    expect(resultOf({ ...TALKED, status })).toBe(talked);
    // As lists name it.
    const listed: Record<string, unknown> = { ...CALL, call_status: status };
    delete listed['status'];
    expect(resultOf(listed)).toBe(silent);
  });
});

describe('the reason for which a completed call ended', () => {
  test.each([
    ['voicemail', 'voicemail', 'voicemail'],
    ['voicemail_cut_off', 'voicemail', 'voicemail'],
    ['voicemail_message_left', 'voicemail', 'voicemail'],
    // Somebody picked up, or hung up.
    ['human_pick_up_cut_off', 'answered', 'answered'],
    ['human_ended_call', 'answered', 'answered'],
    ['human_goodbye', 'answered', 'answered'],
    ['human_hangup', 'answered', 'answered'],
    // Says who ended it, not whether anybody was there.
    ['agent_ended_call', 'no_answer', 'answered'],
    ['agent_goodbye', 'no_answer', 'answered'],
    ['custom_end_call', 'no_answer', 'answered'],
    ['max_duration', 'no_answer', 'answered'],
    ['timeout', 'no_answer', 'answered'],
    ['undefined', 'no_answer', 'answered'],
    ['completed', 'no_answer', 'answered'],
    ['user_canceled', 'failed', 'answered'],
    ['error', 'failed', 'answered'],
    [null, 'no_answer', 'answered'],
  ])('%s: %s, and %s with a conversation', (end_call_reason, silent, talked) => {
    expect(resultOf({ ...CALL, end_call_reason })).toBe(silent);
    expect(resultOf({ ...TALKED, end_call_reason })).toBe(talked);
  });

  test('of a call that was not completed its status says more', () => {
    // The published example of a list: nobody hung up on a call that was never made.
    const failed = { status: 'failed', end_call_reason: 'human_hangup' };
    expect(resultOf({ ...CALL, ...failed, error_message: 'Account not found!' })).toBe('failed');
    expect(resultOf({ ...CALL, status: 'busy', end_call_reason: 'error' })).toBe('busy');
    expect(resultOf({ ...CALL, status: 'no-answer', end_call_reason: 'error' })).toBe('no_answer');
  });
});

describe('the error of a call that failed', () => {
  test.each([
    ['Telephony - 400 - Bad Request', 'not_called_pause'],
    ['Telephony - 400 - Invalid phone number', 'invalid_number'],
    [
      'Telephony - 400 - The number +12125550101 is unverified. Trial accounts may only make calls to verified numbers.',
      'not_called_pause',
    ],
    ['Telephony - 401 - Unauthorized', 'not_called_pause'],
    [
      'Telephony - 403 - Caller ID is unauthorized. A Valid Caller ID is either a DID you have purchased from Twilio or a verified Caller ID.',
      'not_called_pause',
    ],
    ['Telephony - 403 - Forbidden', 'failed'],
    ['Telephony - 403 - Invalid credentials', 'not_called_pause'],
    ['Telephony - 403 - No International Permission', 'not_called_pause'],
    ['Telephony - 403 - Phone number is blacklisted', 'failed'],
    ['Insufficient Minutes', 'not_called_pause'],
    [
      '429: Rate limit exceeded. Your rate limit per minute is 60. Contact Sales to increase the rate limit.',
      'not_called',
    ],
    ['608: Rejected', 'failed'],
    ['404: Not Found', 'invalid_number'],
    ['487: Request Terminated', 'declined'],
    ['', 'failed'],
    [null, 'failed'],
  ])('%s: %s, unless there was a conversation', (error_message, result) => {
    for (const end_call_reason of ['error', null]) {
      const failed = { status: 'failed', end_call_reason, error_message };
      expect(resultOf({ ...CALL, ...failed })).toBe(result);
      expect(resultOf({ ...CALL, ...failed, transcript: null })).toBe(result);
      expect(resultOf({ ...TALKED, ...failed })).toBe('answered');
    }
  });

  test('may stand as the reason for its end', () => {
    const end_call_reason = 'Insufficient Minutes';
    expect(resultOf({ ...CALL, status: 'failed', end_call_reason })).toBe('not_called_pause');
  });
});

test('who said what, how long it took and what was collected are read', () => {
  const collected_variables = { agent: { size: { value: 'L', collected: true } } };
  const reading = read(answerOf({ ...TALKED, collected_variables }));
  expect(reading).toMatchObject({
    kind: 'settled',
    analytics: {
      transcript: 'agent: Hello, do you have a moment?\nperson: Yes, go ahead.',
      durationMs: 45_000,
      extracted: collected_variables,
    },
  });
});

test.each([
  [400, {}, 'rejected'],
  [401, { detail: 'Unauthorized' }, 'pause'],
  [402, {}, 'pause'],
  [403, {}, 'pause'],
  [404, { error: 'not_found', message: 'No route matched' }, 'pause'],
  [429, {}, 'refused'],
  [500, {}, 'unknown'],
  [502, {}, 'unknown'],
  [503, {}, 'unknown'],
])('a dial that is answered with %i is %s', async (status, body, meaning) => {
  expect(await dialMeans(profile, status, body)).toBe(meaning);
});

test('of the agents only those that call are listed', async () => {
  const body = (assistants: object[]) => ({
    status: 'ok',
    response: { pagination: { total_records: 3, limit: 20, offset: 0 }, assistants },
  });
  const server = await fakeService(() => ({
    body: body(
      ['outbound', 'inbound', 'widget'].map((type) => ({ type, name: type, model_id: type })),
    ),
  }));
  onTestFinished(() => server.stop());
  const service = connect(server.url, { profile });
  onTestFinished(() => service.close());
  expect((await service.listAgents()).agents.map(({ id }) => id)).toEqual(['outbound']);
});

test('what is posted after a call is signed over its id alone: it is a hint, and the call is read', () => {
  const protocol = createDeliveryProtocol(profile, ['secret']);
  const delivery = { status: 'completed', lead: { phone_number: '+12125550101' }, call: TALKED };
  const body = Buffer.from(JSON.stringify(delivery));
  const sign = (id: string) => createHmac('sha256', 'secret').update(id).digest('base64');
  const verdictOf = (id: string) =>
    protocol?.verify({ http_synthflow_signature: sign(id) }, body, 0).kind;
  expect(verdictOf(TALKED.call_id)).toBe('unsigned');
  expect(verdictOf('another')).toBe('refused');
  expect(protocol?.read(body, {})).toMatchObject({
    meaning: 'ended',
    callId: TALKED.call_id,
    phone: '+12125550101',
    agent: TALKED.model_id,
    found: null,
  });
});
