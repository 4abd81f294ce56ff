import { describe, expect, onTestFinished, test } from 'vitest';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import { createDeliveryReader } from '../../../src/service/webhooks/events.ts';
import {
  CALL_RESULTS,
  FAILURE_REASONS,
  STATUSES,
} from '../../helpers/providers/schemas/elevenlabs.ts';
import { connect, fakeService } from '../helpers.ts';
import { builtIn, dialMeans } from './table.ts';

const PROFILE = builtIn('elevenlabs');

/** What a dial becomes by what it is answered with. */
const dialAnswered = (status: number, body: unknown) => dialMeans(PROFILE, status, body);

const detail = (code: string, more: object = {}) => ({ detail: { code, message: 'm', ...more } });
/** As FastAPI says it of a field. */
const wrongField = (...loc: (string | number)[]) => ({
  detail: [{ type: 'missing', loc, msg: 'Field required' }],
});

/*
 * Codes of elevenlabs.io/docs/eleven-api/resources/errors (2026-11-22, as its text and others quote them; those about
 * voices, models and texts cannot come of a dial), and the older ones of developer-guides/error-messages.mdx
 * (elevenlabs-docs 3557f0b, 2025-08-25).
 */
describe('an error answer to a dial', () => {
  test.each<[status: number, body: unknown, becomes: string, because: string]>([
    [400, detail('invalid_parameters'), 'rejected', 'this request is wrong'],
    [400, detail('invalid_request'), 'rejected', 'this request is wrong'],
    [400, detail('invalid_parameters', { param: 'to_number' }), 'rejected', 'the number is'],
    [400, detail('invalid_parameters', { param: 'agent_id' }), 'pause', 'the agent is'],
    [400, detail('invalid_parameters', { param: 'agent_phone_number_id' }), 'pause', 'the caller'],
    [400, detail('bad_request', { status: 'invalid_uid' }), 'pause', 'only ids of ours are sent'],
    [401, detail('invalid_api_key'), 'pause', 'the key'],
    [401, detail('missing_api_key'), 'pause', 'the key'],
    [401, detail('unauthorized', { status: 'missing_permissions' }), 'pause', 'its rights'],
    [401, detail('detected_unusual_activity'), 'pause', 'the account is shut out'],
    [401, { detail: { status: 'quota_exceeded', message: 'm' } }, 'pause', 'the older code: money'],
    [402, detail('payment_required'), 'pause', 'money'],
    [402, detail('insufficient_credits', { status: 'quota_exceeded' }), 'pause', 'money'],
    [402, detail('paid_plan_required', { status: 'payment_required' }), 'pause', 'money'],
    [402, {}, 'pause', 'money, by the status alone'],
    [403, detail('feature_not_available'), 'pause', 'the plan'],
    [403, detail('insufficient_permissions'), 'pause', 'the rights of the key'],
    [404, detail('not_found'), 'pause', 'agent or caller: a dial names nothing else'],
    [404, detail('not_found', { status: 'agent_not_found' }), 'pause', 'the agent'],
    [404, detail('phone_number_not_found'), 'pause', 'the caller'],
    [409, detail('conflict'), 'unknown', 'nothing published says it of a dial'],
    [422, wrongField('body', 'to_number'), 'rejected', 'the number'],
    [422, wrongField('body', 'agent_id'), 'pause', 'the agent'],
    [422, wrongField('body', 'agent_phone_number_id'), 'pause', 'the caller'],
    [422, wrongField('body', 'conversation_initiation_client_data'), 'rejected', 'this row'],
    [422, { detail: [] }, 'rejected', 'the status alone'],
    [429, detail('rate_limit_exceeded'), 'refused', 'later'],
    [429, detail('concurrent_limit_exceeded'), 'refused', 'later'],
    [429, { detail: { status: 'too_many_concurrent_requests' } }, 'refused', 'the older code'],
    [429, { detail: { status: 'system_busy' } }, 'refused', 'the older code: not processed'],
    [429, 'no JSON', 'refused', 'the status alone'],
    [500, detail('internal_error'), 'unknown', 'it may have been made'],
    [503, detail('service_unavailable'), 'unknown', 'it may have been made'],
    [503, detail('maintenance'), 'unknown', 'it may have been made'],
  ])('HTTP %i %j is %s: %s', async (status, body, becomes) => {
    expect(await dialAnswered(status, body)).toBe(becomes);
  });

  test('its code counts before the older status, and the status where nothing is said of the code', async () => {
    const contradiction = detail('concurrent_limit_exceeded', { status: 'quota_exceeded' });
    expect(await dialAnswered(429, contradiction)).toBe('refused');
    const older = detail('something_new', { status: 'quota_exceeded' });
    expect(await dialAnswered(400, older)).toBe('pause');
  });
});

describe('an answer of 200 to a dial', () => {
  test.each<[body: unknown, becomes: string, because: string]>([
    [{ success: true, message: 'm', conversation_id: 'conv_1', callSid: 'CA1' }, 'placed', 'made'],
    [{ success: true, message: 'm', conversation_id: null, callSid: null }, 'unknown', 'no id'],
    [
      { success: false, message: 'm', conversation_id: null, callSid: null },
      'rejected',
      'not made',
    ],
    [{ success: false, message: 'm' }, 'rejected', 'not made'],
    [{ success: false, message: 'm', conversation_id: 'conv_1' }, 'placed', 'there is a call'],
    [{ message: 'm' }, 'unknown', 'it says neither'],
  ])('%j is %s: %s', async (body, becomes) => {
    expect(await dialAnswered(200, body)).toBe(becomes);
  });
});

describe('a conversation, by its status and the result of its call', () => {
  const { read } = createAnalyticsReader(PROFILE.analytics);
  const said = [
    { role: 'agent', message: 'Hello?' },
    { role: 'user', message: 'Yes.' },
  ];
  /** [status, call_result, what a look finds]; a result stands for a settled call. */
  const table: Record<(typeof STATUSES)[number], Record<string, string>> = {
    initiated: {
      none: 'pending',
      answered: 'pending',
      voicemail: 'pending',
      busy: 'busy',
      no_answer: 'no_answer',
      failed: 'failed',
    },
    'in-progress': all('pending'),
    processing: all('ended'),
    done: {
      none: 'null',
      answered: 'answered',
      voicemail: 'voicemail',
      busy: 'busy',
      no_answer: 'no_answer',
      failed: 'failed',
    },
    failed: {
      none: 'failed',
      answered: 'failed',
      voicemail: 'voicemail',
      busy: 'busy',
      no_answer: 'no_answer',
      failed: 'failed',
    },
  };

  test.each(STATUSES.flatMap((status) => ['none', ...CALL_RESULTS].map((said) => [status, said])))(
    '%s with call_result %s',
    (status = '', callResult = '') => {
      const phone_call = {
        type: 'twilio',
        ...(callResult === 'none' ? {} : { call_result: callResult }),
      };
      const metadata = { call_duration_secs: 0, termination_reason: '', phone_call };
      const reading = read({ status, transcript: [], metadata });
      const found = reading.kind === 'settled' ? String(reading.result) : reading.kind;
      expect(found).toBe(table[status as keyof typeof table][callResult]);
    },
  );

  test('the detection of a voicemail wins, whether the tool or the reason tells of it', () => {
    const metadata = { call_duration_secs: 8, phone_call: { call_result: 'answered' } };
    const features_usage = { voicemail_detection: { enabled: true, used: true } };
    const termination_reason = 'voicemail_detection tool was called.';
    for (const more of [{ features_usage }, { termination_reason }]) {
      const conversation = { status: 'done', transcript: said, metadata: { ...metadata, ...more } };
      expect(read(conversation)).toMatchObject({ kind: 'settled', result: 'voicemail' });
    }
    const unused = { voicemail_detection: { enabled: true, used: false } };
    const conversation = { status: 'done', transcript: said, metadata };
    expect(
      read({ ...conversation, metadata: { ...metadata, features_usage: unused } }),
    ).toMatchObject({ result: 'answered' });
  });

  test('a conversation from before call results is read by its words, as ever', () => {
    const metadata = { call_duration_secs: 8, phone_call: null, termination_reason: null };
    expect(read({ status: 'done', transcript: said, metadata })).toMatchObject({
      kind: 'settled',
      result: null,
      analytics: { durationMs: 8_000 },
    });
  });

  function all(kind: string): Record<string, string> {
    return Object.fromEntries(['none', ...CALL_RESULTS].map((result) => [result, kind]));
  }
});

describe('the webhook call_initiation_failure', () => {
  const webhooks = PROFILE.webhooks ?? fail();
  const read = createDeliveryReader(webhooks, PROFILE.analytics);
  const RESULTS: Record<(typeof FAILURE_REASONS)[number], string> = {
    busy: 'busy',
    'no-answer': 'no_answer',
    unknown: 'failed',
  };

  test.each(FAILURE_REASONS)('settles its call: %s', (failure_reason) => {
    const body = { CallSid: 'CA1', From: '+12125550199', To: '+12125550123' };
    const data = { agent_id: 'agent_1', conversation_id: 'conv_1', failure_reason };
    const event = {
      type: 'call_initiation_failure',
      event_timestamp: 1_767_625_200,
      data: { ...data, metadata: { type: 'twilio', body } },
    };
    expect(read(Buffer.from(JSON.stringify(event)), 'application/json')).toMatchObject({
      kind: 'event',
      meaning: 'analytics',
      callId: 'conv_1',
      agent: 'agent_1',
      phone: '+12125550123',
      found: { kind: 'settled', result: RESULTS[failure_reason] },
    });
  });
});

test('the list of conversations does not say of an initiated one that it goes on: a look does', async () => {
  const listed = { agent_id: 'agent_1', start_time_unix_secs: 1, call_duration_secs: 0 };
  const conversations = STATUSES.map((status) => ({ ...listed, conversation_id: status, status }));
  const body = { conversations, has_more: false, next_cursor: null };
  const api = await fakeService(() => ({ body }));
  onTestFinished(() => api.stop());
  const service = connect(api.url, { profile: PROFILE, from: 'phnum_1' });
  onTestFinished(() => service.close());
  const listing = await service.callList?.read({ since: 0 });
  if (listing?.kind !== 'listed') throw new Error('it is no list');
  expect(listing.calls.map(({ callId, found }) => [callId, found?.kind ?? null])).toEqual([
    ['initiated', null],
    ['in-progress', 'pending'],
    ['processing', 'ended'],
    ['done', null],
    ['failed', null],
  ]);
});

function fail(): never {
  throw new Error('the profile has no webhooks');
}
