import { describe, expect, test } from 'vitest';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { PROFILE, PROFILE_TEXT } from '../helpers.ts';

/** What is said of the default profile after one replacement in it. */
function complaint(from: string, to: string): string {
  expect(PROFILE_TEXT).toContain(from);
  return complaintOf(PROFILE_TEXT.replace(from, to));
}

function complaintOf(text: string): string {
  try {
    loadProfile(text, 'mine.yaml');
  } catch (error) {
    expect(error).toMatchObject({ code: 'PROFILE_INVALID', exitCode: 2 });
    return (error as Error).message;
  }
  throw new Error('it was taken');
}

test('the default profile says what is documented', () => {
  expect(PROFILE.auth).toEqual({ basic: false, header: 'Authorization', prefix: 'Bearer ' });
  expect(PROFILE.dial).toMatchObject({ method: 'POST', path: '/v1/calls/outbound' });
  expect(PROFILE.dial.callId.slice(0, 3)).toEqual([['call_id'], ['callId'], ['id']]);
  expect(PROFILE.dial.answers.get(429)).toBe('refused');
  expect(PROFILE.analytics.path).toBe('/v1/calls/{call_id}/analytics');
});

describe('a mistake is named with its place and what is allowed', () => {
  test.each([
    [
      'a key with a slip',
      'callId:',
      'callIds:',
      /^mine\.yaml:\d+:3: "dial\.callIds" is not a known key; the nearest known key is "callId"\.$/,
    ],
    [
      'a key at the top',
      '\nauth:',
      '\noauth: 1\nauth:',
      /"oauth" is not a known key; the nearest known key is "auth"\./,
    ],
    [
      'a key like no other',
      '  prefix:',
      '  colour: red\n  prefix:',
      /^mine\.yaml:\d+:3: "auth\.colour" is not a known key; known here: header, prefix, basic\.$/,
    ],
    [
      'a missing key',
      "  prefix: 'Bearer '\n",
      '',
      /^mine\.yaml:\d+:\d+: "auth\.prefix" is missing\.$/,
    ],
    [
      'a wrong kind',
      '429: refused',
      '429: retry',
      /^mine\.yaml:\d+:10: "dial\.answers\.429" is "retry"; .*"rejected"\|"refused"\|"unknown"\|"pause"\.$/,
    ],
    [
      'a success as refusal',
      '429: refused',
      '201: refused',
      /"dial\.answers\.201" is "refused"; it must be an HTTP status from 300 to 599\./,
    ],
    [
      'a path without the call id',
      'calls/{call_id}/analytics',
      'calls/analytics',
      /"analytics\.path" is "\/v1\/calls\/analytics"; it must contain \{call_id\}\./,
    ],
    [
      'a path that is none',
      'path: /v1/calls/outbound',
      'path: calls',
      /"dial\.path" is "calls"; it must begin with \//,
    ],
    [
      'a forbidden name',
      'duration_ms: ms',
      '__proto__.x: ms',
      /^mine\.yaml:\d+:5: "analytics\.duration.*its key must not contain __proto__\.$/,
    ],
    [
      'a name with a blank',
      '[summary,',
      '["call summary",',
      /"analytics\.summary\.0" is "call summary"; it must be a name/,
    ],
    [
      'nothing to send',
      'phone: phone_number',
      'phone: .',
      /"dial\.send\.phone" is "\."; it must name a field\./,
    ],
    [
      'a result that is ours',
      'busy: busy',
      'busy: suppressed',
      /"analytics\.outcome\.words\.busy" is "suppressed"/,
    ],
    [
      'an expression with a mistake',
      'summary: [summary,',
      "summary: ['= body.a +',",
      /^mine\.yaml:\d+:24: "analytics\.summary\.0" is "= body\.a \+"; it is not a usable expression at its character 11: Unexpected token: EOF\.$/,
    ],
    [
      'an expression that names something else',
      'duration_ms: ms',
      '"= call.end - body.start": ms',
      /^mine\.yaml:\d+:8: .*its key is not a usable expression at its character 3: Unknown variable: call\.$/,
    ],
    [
      'a pattern that could run for ever',
      'summary: [summary,',
      'summary: [\'= body.a.matches("(a+)+$")\',',
      /matches\(\) is not supported/,
    ],
    [
      'something to fill in that is not known',
      'send: { phone: phone_number, agent: agent_id }',
      "body: { to: '{{phone}}', who: { x: '{{agnt}}' } }",
      /^mine\.yaml:\d+:38: "dial\.body\.who\.x" is "\{\{agnt\}\}"; \{\{agnt\}\} is not known here; known: phone, agent, /,
    ],
    [
      'two bodies',
      'send: { phone: phone_number, agent: agent_id }',
      "send: { phone: a, agent: b }\n  body: { to: '{{phone}}' }",
      /"dial" is .*; it needs either send \(the short form\) or body\.$/,
    ],
    [
      'a duration that is none',
      'idempotencyKey: Idempotency-Key',
      'idempotencyKey: Idempotency-Key\n  idempotentFor: 1 day',
      /"dial\.idempotentFor" is "1 day"; it must be a duration such as 30s, 10m or 24h\.$/,
    ],
    [
      'a forbidden name in a delivery',
      '  attemptKey: [',
      '  attemptKey: [__proto__.x, ',
      /"webhooks\.attemptKey\.0" is "__proto__\.x"; it must not contain __proto__\.$/,
    ],
    ['no YAML', 'auth:', 'auth: {', /^mine\.yaml:\d+:\d+: /],
  ])('%s', (_what, from, to, message) => {
    expect(complaint(from, to)).toMatch(message);
  });

  test('all mistakes are named in the order of the file', () => {
    const text = PROFILE_TEXT.replace('callId: [call_id, callId, id,', "callId: ['a b', id,")
      .replace('prefix: ', 'prefx: ')
      .replace('duration_ms: ms', 'duration_ms: hours');
    const lines = complaintOf(text).split('\n');
    expect(lines[0]).toBe('mine.yaml has 3 problems:');
    expect(lines[1]).toMatch(/:\d+:3: "auth\.prefx" is not a known key/);
    expect(lines[2]).toMatch(/"dial\.callId\.0" is "a b"; it must be a name/);
    expect(lines[3]).toMatch(/"analytics\.duration\.duration_ms" is "hours"/);
    expect(lines).toHaveLength(4);
  });

  test.each(['', 'just text', '[]'])('%j is no profile', (text) => {
    expect(() => loadProfile(text, 'mine.yaml')).toThrow(/^mine\.yaml:1:1: /);
  });
});

test('a profile may speak with nested fields and other words', () => {
  const text = PROFILE_TEXT.replace('phone: phone_number', 'phone: customer.number').replace(
    / post_processing,/,
    ' Cooling-Down,',
  );
  const profile = loadProfile(text, 'mine.yaml');
  expect(profile.dial.body.fields).toContain('customer.number');
  expect(profile.analytics.status.processing.has('cooling_down')).toBe(true);
});
