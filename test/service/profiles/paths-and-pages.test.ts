// Ultravox, Vogent and Cartesia, held against their published documents (sources and dates stand in their profiles).
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { outcomeOf } from '../../../src/domain/outcome.ts';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { connect, DIAL, fakeService, yes } from '../helpers.ts';

function profileOf(name: string) {
  const path = `campaigns/profiles/${name}.yaml`;
  return loadProfile(readFileSync(path, 'utf8'), path);
}

function resultOf(name: string, call: object): string {
  const reading = createAnalyticsReader(profileOf(name).analytics).read(call);
  if (reading.kind !== 'settled') return reading.kind;
  return outcomeOf(reading.analytics, reading.result).result;
}

const ENDED = '2026-11-20T15:00:00Z';
/** What a call that is over has beside its words, when nobody spoke. */
const SILENT = {
  // Of the second read.
  ultravox: { joined: ENDED, messages: [] },
  vogent: { transcript: [], durationSeconds: 0 },
  cartesia: { transcript: [], start_time: ENDED, end_time: ENDED },
};
const SAID = {
  ultravox: { messages: [{ role: 'MESSAGE_ROLE_USER', text: 'Hello?' }] },
  vogent: { transcript: [{ speaker: 'HUMAN', text: 'Hello?' }] },
  cartesia: { transcript: [{ role: 'user', text: 'Hello?' }] },
};

test.each([
  ['ultravox', { callId: 'c1', ended: null, endReason: null }, 'pending', 'pending'],
  ['ultravox', { callId: 'c1', ended: ENDED, endReason: 'unjoined' }, 'no_answer', 'no_answer'],
  ['ultravox', { callId: 'c1', ended: ENDED, endReason: 'hangup' }, 'no_answer', 'answered'],
  ['ultravox', { callId: 'c1', ended: ENDED, endReason: 'timeout' }, 'no_answer', 'answered'],
  ['ultravox', { callId: 'c1', ended: ENDED, endReason: 'system_error' }, 'failed', 'answered'],
  ['vogent', { id: 'c1', status: 'queued' }, 'pending', 'pending'],
  ['vogent', { id: 'c1', status: 'in-progress' }, 'pending', 'pending'],
  ['vogent', { id: 'c1', status: 'busy', systemResultType: 'BUSY' }, 'busy', 'busy'],
  ['vogent', { id: 'c1', status: 'no-answer', systemResultType: null }, 'no_answer', 'no_answer'],
  [
    'vogent',
    { id: 'c1', status: 'completed', systemResultType: 'VOICEMAIL_DETECTED_HANGUP' },
    'voicemail',
    'voicemail',
  ],
  [
    'vogent',
    { id: 'c1', status: 'completed', systemResultType: 'AGENT_HANGUP' },
    'no_answer',
    'answered',
  ],
  ['cartesia', { id: 'c1', status: 'active' }, 'pending', 'pending'],
  ['cartesia', { id: 'c1', status: 'completed' }, 'no_answer', 'answered'],
  ['cartesia', { id: 'c1', status: 'failed' }, 'failed', 'answered'],
] as const)('%s: %o is %s, and %s where a person spoke', (name, call, silent, talked) => {
  expect(resultOf(name, { ...SILENT[name], ...call })).toBe(silent);
  expect(resultOf(name, { ...SILENT[name], ...call, ...SAID[name] })).toBe(talked);
});

test.each([
  ['ultravox', { callId: 'c1' }, `/api/agents/${DIAL.agent}/calls`],
  ['vogent', { dialToken: 't', sessionId: 's1', dialId: 'c1' }, '/dials'],
  ['cartesia', { calls: [{ number: DIAL.phone, agent_call_id: 'c1' }] }, '/agents/calls'],
])('%s: a dial goes to the documented address and finds its id', async (name, body, url) => {
  const server = await fakeService(() => ({ status: 200, body }));
  onTestFinished(() => server.stop());
  const service = connect(server.url, { profile: profileOf(name), from: 'pn_1' });
  onTestFinished(() => service.close());
  expect(await service.startCall(DIAL, yes)).toMatchObject({ kind: 'placed', callId: 'c1' });
  expect(server.requests[0]?.url).toBe(url);
  expect(server.requests[0]?.body).toContain(DIAL.phone);
  const version = server.requests[0]?.headers['cartesia-version'];
  expect(version).toBe(name === 'cartesia' ? '2026-03-01' : undefined);
});

test.each(['<html>busy</html>', ''])(
  'a second answer that is no JSON (%j) is no transcript: the call is polled again',
  async (body) => {
    const first = { callId: 'c1', ended: ENDED, endReason: 'hangup', joined: ENDED };
    const server = await fakeService(({ url }) => ({
      body: url.includes('/messages') ? body : first,
    }));
    onTestFinished(() => server.stop());
    const text = readFileSync('campaigns/profiles/ultravox.yaml', 'utf8');
    const profile = loadProfile(
      text.replace('    items: [results]\n    next:', '    next:'),
      'own.yaml',
    );
    const service = connect(server.url, { profile });
    onTestFinished(() => service.close());
    expect(await service.readAnalytics('c1', undefined, DIAL)).toMatchObject({
      kind: 'unreadable',
    });
  },
);
