import { createHmac, createPublicKey, verify } from 'node:crypto';
import type { Provider, ProviderName } from './provider.ts';
import { TELNYX_IDS } from './telnyx.ts';
import { TWILIO_SID } from './twilio.ts';

export type Json = Record<string, unknown>;

/** How a reader of each provider's documentation would speak to it. */
interface Speech {
  /** The header of a signature. */
  signature: string;
  auth: (key: string) => Record<string, string>;
  dial: (phone: string, agent: string, from: string) => { path: string; body: Json; form?: true };
  idOf: (answer: Json) => unknown;
  read: (id: string) => string;
  /** What was said, where another read has it. */
  more?: (id: string) => string;
  isSettled: (call: Json) => boolean;
  seconds: (call: Json) => number;
  said: (call: Json) => string;
  refusedKey: Json;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], value);

const between = (from: unknown, to: unknown) =>
  (Date.parse(String(to)) - Date.parse(String(from))) / 1_000;
const texts = (turns: unknown) => (turns as Json[]).map((turn) => turn['text']).join('\n');

export const SPEECH: Record<ProviderName, Speech> = {
  vapi: {
    signature: 'x-signature',
    auth: bearer,
    dial: (number, assistantId, phoneNumberId) => ({
      path: '/call',
      body: { assistantId, phoneNumberId, customer: { number } },
    }),
    idOf: (answer) => answer['id'],
    read: (id) => `/call/${id}`,
    isSettled: (call) => call['analysis'] !== undefined,
    seconds: (call) => between(call['startedAt'], call['endedAt']),
    said: (call) => String(at(call, 'artifact', 'transcript')),
    refusedKey: { error: 'Unauthorized', statusCode: 401 },
  },
  retell: {
    signature: 'x-retell-signature',
    auth: bearer,
    dial: (to_number, override_agent_id, from_number) => ({
      path: '/v2/create-phone-call',
      body: { to_number, from_number, override_agent_id },
    }),
    idOf: (answer) => answer['call_id'],
    read: (id) => `/v2/get-call/${id}`,
    isSettled: (call) => call['call_analysis'] !== undefined,
    seconds: (call) => Number(call['duration_ms'] ?? 0) / 1_000,
    said: (call) => String(call['transcript']),
    refusedKey: { status: 'error' },
  },
  elevenlabs: {
    signature: 'elevenlabs-signature',
    auth: (key) => ({ 'xi-api-key': key }),
    dial: (to_number, agent_id, agent_phone_number_id) => ({
      path: '/v1/convai/twilio/outbound-call',
      body: { agent_id, agent_phone_number_id, to_number },
    }),
    idOf: (answer) => answer['conversation_id'],
    read: (id) => `/v1/convai/conversations/${id}`,
    // A call that nobody answered stays an `initiated` conversation.
    isSettled: (call) =>
      ['done', 'failed'].includes(String(call['status'])) ||
      (call['status'] === 'initiated' &&
        at(call, 'metadata', 'phone_call', 'call_result') !== undefined),
    seconds: (call) => Number(at(call, 'metadata', 'call_duration_secs')),
    said: (call) => JSON.stringify((call['transcript'] as Json[]).map((turn) => turn['message'])),
    refusedKey: { detail: { status: 'invalid_api_key' } },
  },
  bland: {
    signature: 'x-webhook-signature',
    auth: (key) => ({ authorization: key }),
    dial: (phone_number, persona_id) => ({ path: '/v1/calls', body: { phone_number, persona_id } }),
    idOf: (answer) => answer['call_id'],
    read: (id) => `/v1/calls/${id}`,
    isSettled: (call) => call['completed'] === true,
    seconds: (call) => Number(call['call_length']) * 60,
    said: (call) => String(call['concatenated_transcript']),
    refusedKey: { data: null, errors: [{ error: 'AUTH_FAILURE' }] },
  },
  bolna: {
    signature: 'x-signature',
    auth: bearer,
    dial: (recipient_phone_number, agent_id) => ({
      path: '/call',
      body: { agent_id, recipient_phone_number },
    }),
    idOf: (answer) => answer['execution_id'],
    read: (id) => `/executions/${id}`,
    isSettled: (call) =>
      ['completed', 'no-answer', 'busy', 'failed'].includes(String(call['status'])),
    seconds: (call) => Number(call['conversation_duration']),
    said: (call) => String(call['transcript']),
    refusedKey: { error: 401 },
  },
  twilio: {
    signature: 'x-twilio-signature',
    auth: (key) => ({ authorization: `Basic ${Buffer.from(key).toString('base64')}` }),
    dial: (To, ApplicationSid, From) => ({
      path: `/2010-04-01/Accounts/${TWILIO_SID}/Calls.json`,
      body: { To, From, ApplicationSid },
      form: true,
    }),
    idOf: (answer) => answer['sid'],
    read: (id) => `/2010-04-01/Accounts/${TWILIO_SID}/Calls/${id}.json`,
    isSettled: (call) =>
      ['completed', 'no-answer', 'busy', 'failed'].includes(String(call['status'])),
    seconds: (call) => Number(call['duration']),
    said: () => '',
    refusedKey: { code: 20003, status: 401 },
  },
  synthflow: {
    signature: 'http_synthflow_signature',
    auth: bearer,
    dial: (phone, model_id) => ({ path: '/v2/calls', body: { model_id, phone, name: 'Ana' } }),
    idOf: (answer) => at(answer, 'response', 'call_id'),
    read: (id) => `/v2/calls/${id}`,
    isSettled: (answer) =>
      !['pending', 'ringing', 'in-progress'].includes(
        String(at(answer, 'response', 'calls', '0', 'status')),
      ),
    seconds: (answer) => Number(at(answer, 'response', 'calls', '0', 'duration')),
    said: (answer) => String(at(answer, 'response', 'calls', '0', 'transcript')),
    refusedKey: {},
  },
  telnyx: {
    signature: 'telnyx-signature-ed25519',
    auth: bearer,
    dial: (To, AIAssistantId, From) => ({
      path: `/v2/texml/ai_calls/${TELNYX_IDS.application}`,
      body: { To, From, AIAssistantId },
    }),
    idOf: (answer) => answer['call_sid'],
    read: (id) => `/v2/texml/Accounts/${TELNYX_IDS.account}/Calls/${id}`,
    isSettled: (call) =>
      ['completed', 'no-answer', 'busy', 'failed', 'canceled'].includes(String(call['status'])),
    seconds: (call) => Number(call['duration']),
    said: () => '',
    refusedKey: { errors: [{ code: '10009' }] },
  },
  ultravox: {
    signature: 'x-ultravox-webhook-signature',
    auth: (key) => ({ 'x-api-key': key }),
    dial: (to, agent, from) => ({
      path: `/api/agents/${agent}/calls`,
      body: { medium: { twilio: { outgoing: { to, from } } } },
    }),
    idOf: (answer) => answer['callId'],
    read: (id) => `/api/calls/${id}`,
    more: (id) => `/api/calls/${id}/messages?mode=in_call`,
    isSettled: (call) => call['ended'] !== null,
    seconds: (call) => between(call['joined'], call['ended']),
    said: (call) => texts(call['results']),
    refusedKey: {},
  },
  vogent: {
    signature: 'x-elto-signature',
    auth: bearer,
    dial: (toNumber, callAgentId, fromNumberId) => ({
      path: '/dials',
      body: { callAgentId, toNumber, fromNumberId },
    }),
    idOf: (answer) => answer['dialId'],
    read: (id) => `/dials/${id}`,
    isSettled: (call) => !['queued', 'ringing', 'in-progress'].includes(String(call['status'])),
    seconds: (call) => Number(call['durationSeconds']),
    said: (call) => texts(call['transcript']),
    refusedKey: {},
  },
  cartesia: {
    signature: 'x-webhook-secret',
    auth: (key) => ({ 'x-api-key': key, 'cartesia-version': '2026-03-01' }),
    dial: (to_number, agent_id, from_number_id) => ({
      path: '/agents/calls',
      body: { agent_id, from_number_id, outbound_calls: [{ to_number }] },
    }),
    idOf: (answer) => at(answer, 'calls', '0', 'agent_call_id'),
    read: (id) => `/agents/calls/${id}`,
    isSettled: (call) => ['completed', 'failed'].includes(String(call['status'])),
    seconds: (call) => between(call['start_time'], call['end_time']),
    said: (call) => texts(call['transcript']),
    refusedKey: { error_code: null },
  },
};

/** Written down a second time, from the providers' own descriptions. */
export function expected(
  { name, webhookSecret }: Provider,
  headers: Record<string, string>,
  body: string,
  url: string,
): string | undefined {
  const hex = (signed: string) =>
    createHmac('sha256', webhookSecret ?? '')
      .update(signed)
      .digest('hex');
  switch (name) {
    case 'vapi':
      return hex(`${headers['x-timestamp'] ?? ''}.${body}`);
    case 'retell': {
      const stamp = /v=(\d+)/.exec(headers['x-retell-signature'] ?? '')?.[1] ?? '';
      return `v=${stamp},d=${hex(body + stamp)}`;
    }
    case 'elevenlabs': {
      const stamp = /t=(\d+)/.exec(headers['elevenlabs-signature'] ?? '')?.[1] ?? '';
      return `t=${stamp},v0=${hex(`${stamp}.${body}`)}`;
    }
    case 'bland':
    case 'vogent':
      return hex(body);
    case 'cartesia':
      return webhookSecret ?? '';
    case 'ultravox': {
      // Each secret that counts has a signature of its own.
      const given = headers['x-ultravox-webhook-signature'] ?? '';
      const own = hex(`${body}${headers['x-ultravox-webhook-timestamp'] ?? ''}`);
      return given.split(',').includes(own) ? given : own;
    }
    case 'bolna':
      return undefined;
    case 'synthflow':
      return createHmac('sha256', webhookSecret ?? '')
        .update((JSON.parse(body) as { call: { call_id: string } }).call.call_id)
        .digest('base64');
    case 'twilio': {
      const sorted = [...new URLSearchParams(body)].toSorted(([a], [b]) => (a < b ? -1 : 1));
      return createHmac('sha1', webhookSecret ?? '')
        .update(url + sorted.flat().join(''))
        .digest('base64');
    }
    case 'telnyx': {
      // Only the owner of the private half can make one: it is checked with the public half instead.
      const given = headers['telnyx-signature-ed25519'] ?? '';
      const x = Buffer.from(webhookSecret ?? '', 'base64').toString('base64url');
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      const signed = Buffer.from(`${headers['telnyx-timestamp'] ?? ''}|${body}`);
      return verify(null, signed, key, Buffer.from(given, 'base64')) ? given : 'another';
    }
  }
}
