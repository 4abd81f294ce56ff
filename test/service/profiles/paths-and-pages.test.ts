// Ultravox, Vogent and Cartesia, held against their published documents (sources and dates stand in their profiles and
// in the schemas of their stand-ins, whose lists of words the compiler holds these tables against).
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import * as CARTESIA from '../../helpers/providers/schemas/cartesia.ts';
import type { END_REASONS } from '../../helpers/providers/schemas/ultravox.ts';
import type { RESULT_TYPES, STATUSES } from '../../helpers/providers/schemas/vogent.ts';
import { connect, DIAL, fakeService, yes } from '../helpers.ts';
import { builtIn, dialAnswered, meaningOf, wordFor } from './table.ts';

const ENDED = '2026-11-20T15:00:00Z';
const NOW = Date.parse(ENDED) + 1_000;

describe('Ultravox: who joined has answered, whatever ended the call', () => {
  const MEANS: Record<(typeof END_REASONS)[number], [joined: string, not: string]> = {
    unjoined: ['answered', 'no_answer'],
    hangup: ['answered', 'no_answer'],
    agent_hangup: ['answered', 'no_answer'],
    timeout: ['answered', 'no_answer'],
    connection_error: ['answered', 'failed'],
    system_error: ['answered', 'failed'],
  };
  test.each(Object.entries(MEANS))('%s: %j', (endReason, means) => {
    const of = (joined: string | null) =>
      meaningOf(builtIn('ultravox'), { joined, ended: ENDED, endReason, messages: [] });
    expect([of(ENDED), of(null)]).toEqual(means);
  });

  test('a call without an end goes on', () => {
    const call = { callId: 'c1', joined: ENDED, ended: null, endReason: null };
    expect(meaningOf(builtIn('ultravox'), call)).toBe('pending');
  });

  test('a call of a list that is over is looked at, for a list has no messages', async () => {
    const call = { callId: 'c1', created: ENDED, joined: ENDED, ended: ENDED, endReason: 'hangup' };
    const server = await fakeService(() => ({ body: { results: [call], next: null } }));
    onTestFinished(() => server.stop());
    const service = connect(server.url, { profile: builtIn('ultravox') });
    onTestFinished(() => service.close());
    expect(await service.callList?.read({ since: 0 })).toMatchObject({
      calls: [{ callId: 'c1', startedAt: Date.parse(ENDED), found: null }],
    });
  });
});

describe('Vogent: completed means that it was picked up, every other end that it was not', () => {
  const OF_STATUS: Record<(typeof STATUSES)[number], string> = {
    queued: 'not_begun',
    ringing: 'pending',
    'in-progress': 'pending',
    completed: 'answered',
    failed: 'failed',
    canceled: 'failed',
    busy: 'busy',
    'no-answer': 'no_answer',
  };
  const said = [{ speaker: 'AI', text: 'Hello?' }];
  test.each(Object.entries(OF_STATUS))('the status %s: %s', (status, means) => {
    const call = { id: 'd1', status, systemResultType: null, transcript: said };
    expect(meaningOf(builtIn('vogent'), call)).toBe(means);
  });

  const OF_COMPLETED: Record<(typeof RESULT_TYPES)[number], string> = {
    USER_HANGUP: 'answered',
    COUNTERPARTY_HANGUP: 'answered',
    AGENT_HANGUP: 'answered',
    TIMEOUT: 'answered',
    LONG_SILENCE_HANGUP: 'answered',
    TRANSFERRED: 'answered',
    VOICEMAIL_DETECTED_HANGUP: 'voicemail',
    BUSY: 'busy',
    NO_ANSWER: 'no_answer',
    FAILED: 'failed',
    CANCELLED: 'failed',
    RATE_LIMITED: 'failed',
  };
  test.each(Object.entries(OF_COMPLETED))('completed with %s: %s', (systemResultType, means) => {
    const call = { id: 'd1', status: 'completed', systemResultType, transcript: said };
    expect(meaningOf(builtIn('vogent'), call)).toBe(means);
  });

  test('its transcript is waited for, ten minutes at most', () => {
    const { read } = createAnalyticsReader(builtIn('vogent').analytics);
    const call = { id: 'd1', status: 'completed', endedAt: ENDED, transcript: [] };
    expect(read(call, NOW).kind).toBe('ended');
    expect(read(call, NOW + 600_000)).toMatchObject({ kind: 'settled' });
  });

  test('a 409 says that a dial may be there: it stays in doubt, and nobody is dialled again', async () => {
    expect(wordFor(await dialAnswered(builtIn('vogent'), 409, { dialId: 'd1' }))).toBe('unknown');
  });
});

describe('Cartesia: a call that was connected reached somebody, whatever ended it', () => {
  const MEANS: Record<(typeof CARTESIA.END_REASONS)[number], [silent: string, connected: string]> =
    {
      agent_hangup: ['answered', 'answered'],
      client_hangup: ['answered', 'answered'],
      client_disconnected: ['answered', 'answered'],
      max_duration: ['answered', 'answered'],
      inactivity: ['answered', 'answered'],
      api_cancelled: ['failed', 'answered'],
      error: ['failed', 'answered'],
      dial_busy: ['busy', 'answered'],
      dial_failed: ['failed', 'answered'],
      dial_no_answer: ['no_answer', 'answered'],
    };
  const said = [{ role: 'assistant', text: 'Hello?' }];
  test.each(Object.entries(MEANS))('%s: %j', (end_reason, means) => {
    const of = (status: string, transcript: unknown) =>
      meaningOf(builtIn('cartesia'), { id: 'c1', status, end_reason, transcript, summary: 'x' });
    expect([of('failed', null), of('completed', said)]).toEqual(means);
    expect([of('completed', []), of('failed', said)]).toEqual(means);
  });

  test('its statuses are known, those of older versions, too', () => {
    const { read } = createAnalyticsReader(builtIn('cartesia').analytics);
    const kinds = [...CARTESIA.STATUSES, ...CARTESIA.OLDER_STATUSES].map((status) => [
      status,
      read({ id: 'c1', status, transcript: null }, NOW),
    ]);
    expect(kinds).toMatchObject([
      ['created', { kind: 'pending' }],
      ['started', { kind: 'pending' }],
      ...['completed', 'failed'].map((status) => [status, { kind: 'settled' }]),
      ['active', { kind: 'pending' }],
      ...['completed', 'failed', 'cancelled'].map((status) => [status, { kind: 'settled' }]),
    ]);
    expect(JSON.stringify(kinds)).not.toContain('unknown":[{');
  });

  test('a call without a connection has no length, and a summary is waited for, five minutes at most', () => {
    const { read } = createAnalyticsReader(builtIn('cartesia').analytics);
    const call = { id: 'c1', start_time: '2026-11-20T14:59:30Z', end_time: ENDED };
    const silent = { ...call, status: 'failed', end_reason: 'dial_busy', transcript: [] };
    expect(read(silent, NOW)).toMatchObject({ analytics: { durationMs: 0 } });
    const over = { ...call, status: 'completed', end_reason: 'client_hangup', transcript: said };
    expect(read(over, NOW).kind).toBe('ended');
    expect(read(over, NOW + 300_000)).toMatchObject({ analytics: { durationMs: 30_000 } });
  });

  test.each([
    [200, { calls: [{ number: DIAL.phone, agent_call_id: 'c1', error: null }] }, 'placed'],
    // Destinations fail one by one; whose fault it is, is not said: equal ones in a row pause the campaign.
    [200, { calls: [{ number: DIAL.phone, error: { message: 'No.' } }] }, 'rejected_by_status'],
    [200, { calls: [{ error: { error_code: 'concurrency_limited' } }] }, 'refused'],
    [200, { calls: [{ number: DIAL.phone }] }, 'unknown'],
    [400, { error_code: null, title: 'Bad Request', message: 'Invalid metadata' }, 'pause'],
    [404, { error_code: null, title: 'Not Found', message: 'No such agent' }, 'pause'],
    [429, { error_code: 'concurrency_limited' }, 'refused'],
    [500, { error_code: null }, 'unknown'],
  ])('a dial that is answered %i %j: %s', async (status, body, means) => {
    expect(wordFor(await dialAnswered(builtIn('cartesia'), status, body))).toBe(means);
  });
});

test.each([
  ['ultravox', { callId: 'c1' }, `/api/agents/${DIAL.agent}/calls`],
  ['vogent', { dialToken: 't', sessionId: 's1', dialId: 'c1' }, '/dials'],
  ['cartesia', { calls: [{ number: DIAL.phone, agent_call_id: 'c1' }] }, '/agents/calls'],
])('%s: a dial goes to the documented address and finds its id', async (name, body, url) => {
  const server = await fakeService(() => ({ status: 200, body }));
  onTestFinished(() => server.stop());
  const service = connect(server.url, { profile: builtIn(name), from: 'pn_1' });
  onTestFinished(() => service.close());
  expect(await service.startCall(DIAL, yes)).toMatchObject({ kind: 'placed', callId: 'c1' });
  expect(server.requests[0]?.url).toBe(url);
  expect(server.requests[0]?.body).toContain(DIAL.phone);
  const version = server.requests[0]?.headers['cartesia-version'];
  expect(version).toBe(name === 'cartesia' ? '2026-03-01' : undefined);
});
