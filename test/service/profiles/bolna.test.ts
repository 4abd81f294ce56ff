import { describe, expect, test } from 'vitest';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import { ERROR_MESSAGES, HANGUP_REASONS, STATUSES } from '../../helpers/providers/schemas/bolna.ts';
import { builtIn, dialMeans, meaningOf } from './table.ts';

const PROFILE = builtIn('bolna');
const { read } = createAnalyticsReader(PROFILE.analytics);

/** What a look at this execution finds: a result, or why there is none yet. */
function found(execution: object): string {
  const none = { conversation_duration: 0, transcript: '', error_message: null };
  return meaningOf(PROFILE, { id: 'e1', ...none, telephony_data: {}, ...execution });
}

/** references/call-statuses.md and openapi.yml (bolna-ai/skills 28b24aa, 2026-05-27). */
describe('an execution, by its status', () => {
  const MEANS: Record<(typeof STATUSES)[number], [means: string, because: string]> = {
    scheduled: ['not_begun', 'its time has not come'],
    queued: ['not_begun', 'it waits in line'],
    rescheduled: ['not_begun', 'it is made later'],
    initiated: ['pending', 'it leaves their servers'],
    ringing: ['pending', 'it rings'],
    'in-progress': ['pending', 'they talk'],
    'call-disconnected': ['ended', 'what was said is still to come'],
    completed: ['no_answer', 'over, and here nobody said anything'],
    'balance-low': ['not_called_pause', 'no money, for anybody'],
    busy: ['busy', 'they say so'],
    'no-answer': ['no_answer', 'they say so'],
    canceled: ['failed', 'somebody there took it back'],
    failed: ['failed', 'no connection'],
    stopped: ['failed', 'the telephony did not answer, or it was stopped'],
    error: ['failed', 'their own error, which may have come after the ringing'],
  };

  test.each(STATUSES.map((status) => [status, ...MEANS[status]] as const))(
    '%s is %s: %s',
    (status, means) => {
      expect(found({ status })).toBe(means);
    },
  );

  test('a voicemail is one whatever the status, and a conversation is one', () => {
    const talked = { status: 'completed', conversation_duration: 42 };
    expect(found({ ...talked, answered_by_voice_mail: true, transcript: 'user: Beep.\n' })).toBe(
      'voicemail',
    );
    expect(found({ ...talked, transcript: 'assistant: Hello?\nuser: Yes.\n' })).toBe('answered');
  });
});

test('the lines of a transcript are those of its speakers', () => {
  const transcript = 'assistant: Hello?\nuser: Yes.\n';
  const reading = read({ id: 'e1', status: 'completed', transcript, total_cost: '12.5' });
  expect(reading).toMatchObject({
    analytics: {
      cost: '0.125',
      turns: [
        { speaker: 'agent', text: 'Hello?' },
        { speaker: 'person', text: 'Yes.' },
      ],
    },
  });
});

describe('a completed execution in which nobody spoke', () => {
  const silent = { status: 'completed', transcript: 'assistant: Hello?\n' };

  test.each([
    ['rejected_by_callee', 'declined'],
    ['line_busy', 'busy'],
    ['voicemail_detected', 'voicemail'],
    ['call_no_answer', 'no_answer'],
  ])('ended by %s is %s, and answered where the person speaks', (termination_reason, result) => {
    expect(found({ ...silent, termination_reason })).toBe(result);
    const talked = { ...silent, transcript: 'assistant: Hello?\nuser: Yes.\n' };
    expect(found({ ...talked, termination_reason })).toBe('answered');
  });

  test('was turned away where its hangup says so', () => {
    const telephony_data = { hangup_reason: 'Call recipient rejected' };
    expect(found({ ...silent, telephony_data })).toBe('declined');
    expect(found({ ...silent, transcript: null, telephony_data })).toBe('declined');
  });
});

/** references/hangup-codes.md (28b24aa): who rang is read of calls that came to nothing only. */
describe('a failed execution, by the reason of its end', () => {
  const SAYS_MORE: Partial<Record<(typeof HANGUP_REASONS)[number], string>> = {
    'Call recipient was busy': 'busy',
    'Call unanswered': 'no_answer',
    'Call recipient number invalid': 'invalid_number',
    'Call recipient rejected': 'declined',
  };

  test.each(HANGUP_REASONS)('%s', (hangup_reason) => {
    const expected = SAYS_MORE[hangup_reason] ?? 'failed';
    expect(found({ status: 'failed', telephony_data: { hangup_reason } })).toBe(expected);
    expect(found({ status: 'error', telephony_data: { hangup_reason } })).toBe(expected);
    const talked = { status: 'completed', transcript: 'assistant: Hello?\nuser: Yes.\n' };
    expect(found({ ...talked, telephony_data: { hangup_reason } })).toBe('answered');
  });

  test('a busy line whose owner turned the call away was turned away', () => {
    const telephony_data = { hangup_reason: 'Call recipient rejected' };
    expect(found({ status: 'busy', telephony_data })).toBe('declined');
  });
});

/** debug-bolna-calls/SKILL.md, "Status: failed / error" (28b24aa). */
describe('a failed execution, by its error', () => {
  const MEANS: Record<(typeof ERROR_MESSAGES)[number], string> = {
    'from_phone_number not owned by account': 'not_called_pause',
    'invalid phone number format': 'invalid_number',
    'agent restricted due to disallowed content': 'not_called_pause',
    'concurrency limit reached': 'not_called',
    'provider auth failed': 'not_called_pause',
  };

  test.each(ERROR_MESSAGES)('%s', (error_message) => {
    for (const status of ['failed', 'error']) {
      expect(found({ status, error_message })).toBe(MEANS[error_message]);
      expect(found({ status, error_message: `Error: ${error_message}.` })).toBe(
        MEANS[error_message],
      );
    }
    // It belongs to a call that failed, and to no other.
    expect(found({ status: 'busy', error_message })).toBe('busy');
  });

  test('a call that was talked was made, whatever the error says', () => {
    const error_message = 'concurrency limit reached';
    expect(found({ status: 'failed', error_message, conversation_duration: 9 })).toBe('failed');
  });
});

describe('when a call that was put off begins', () => {
  const updated_at = '2026-01-05T15:00:00Z';
  const beginsAt = (execution: object) => {
    const reading = read({ id: 'e1', updated_at, ...execution });
    return reading.kind === 'pending' ? (reading.notBegun?.startsAt ?? null) : reading.kind;
  };

  test('is what the service says', () => {
    const scheduled_at = '2026-01-06T09:00:00+05:30';
    for (const status of ['rescheduled', 'scheduled']) {
      expect(beginsAt({ status, scheduled_at })).toBe(Date.parse(scheduled_at));
    }
  });

  test('is within a day where it does not say, and where what it says was before', () => {
    const nextDay = Date.parse(updated_at) + 86_400_000;
    expect(beginsAt({ status: 'rescheduled' })).toBe(nextDay);
    const scheduled_at = '2026-01-05T14:00:00+00:00';
    expect(beginsAt({ status: 'rescheduled', scheduled_at })).toBe(nextDay);
  });

  test('is not said of a call that only waits in line', () => {
    expect(beginsAt({ status: 'queued' })).toBeNull();
  });
});

/** What `POST /call` answers: references/bolna-core.md, "Common status codes", and docs/api-reference/errors. */
describe('an answer to a dial', () => {
  const error = (message: string) => ({ error: 1001, message });

  test.each<[status: number, body: unknown, becomes: string, because: string]>([
    [200, { message: 'done', status: 'queued', execution_id: 'e1' }, 'placed', 'made'],
    [200, { message: 'done', status: 'queued' }, 'unknown', 'no id'],
    [400, error('something is wrong'), 'rejected', 'this request is'],
    [400, error('agent_id is required'), 'pause', 'the agent'],
    [400, error('recipient_phone_number is required'), 'rejected', 'the number'],
    [400, error('from_phone_number not owned by account'), 'pause', 'the caller'],
    [422, error('from_phone_number not owned by account'), 'pause', 'the caller'],
    [422, error('invalid phone number format'), 'rejected', 'the number'],
    [400, error('Agent is restricted due to disallowed content.'), 'pause', 'the agent'],
    [400, error('provider auth failed'), 'pause', 'the telephony account'],
    [400, error('concurrency limit reached'), 'refused', 'later'],
    [401, error('Access denied'), 'pause', 'the key'],
    [402, error('Payment required'), 'pause', 'money'],
    [403, error('Forbidden'), 'pause', 'the rights of the key'],
    [404, error('Not found'), 'pause', 'the agent: a dial names nothing else'],
    [429, error('Too many requests'), 'refused', 'later'],
    [409, error('Conflict'), 'unknown', 'nothing published says it of a dial'],
    [500, error('Internal server error'), 'unknown', 'it may have been made'],
  ])('HTTP %i %j is %s: %s', async (status, body, becomes) => {
    expect(await dialMeans(PROFILE, status, body)).toBe(becomes);
  });
});
