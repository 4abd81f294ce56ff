// Telnyx AI assistants over TeXML. Source: Telnyx TeXML Calls API 2.0.0 (texml/calls.yml of telnyx-openapi-ng, as
// kept in paschun/VoIP d59cb60, 2026-07-14); telnyx-node 7.17.0 (b9b12ca) for assistants and the signature;
// developers.telnyx.com on error codes (2026-04-10).
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { endOf, iso, uuid } from './book.ts';
import type { Book, ProviderAgent } from './book.ts';
import { fields, isE164, keyHook, text } from './http.ts';
import type { Phase, ProviderCall, ProviderEvent, HttpClient } from './provider.ts';
import { INITIATE_AI_CALL } from './schemas/telnyx.ts';

const KEY = 'KEY0199-telnyx';
const FROM = '+12125550199';
const ACCOUNT = uuid('telnyx account', 0);
const APPLICATION = '1494404757140276705';
export const TELNYX_IDS = { account: ACCOUNT, application: APPLICATION };
const CALLS = `/v2/texml/Accounts/${ACCOUNT}/Calls`;
const STATUS = { answered: 'completed', no_answer: 'no-answer', busy: 'busy', failed: 'failed' };

/**
 * Callbacks are forms, signed `telnyx-signature-ed25519`: Base64 over `<seconds>|<body>`. Whoever listens knows
 * the public key; another secret than that signs with a key of its own.
 */
export function telnyx(): HttpClient {
  return {
    key: KEY,
    from: FROM,
    ids: TELNYX_IDS,
    webhookSecret: PUBLIC_KEY,
    outcomes: ['answered', 'voicemail', 'no_answer', 'busy', 'failed'],
    troubles: ['money', 'configuration'],
    tells: { sentiment: false, transcript: false, summary: false, cost: 'answered' },
    agentId: (ordinal) => `assistant-${uuid('telnyx assistant', ordinal)}`,
    callId: (ordinal) => `v3:${uuid('telnyx call', ordinal)}`,
    routes: (app, book) => {
      app.addHook(
        'onRequest',
        keyHook('authorization', [`Bearer ${KEY}`], (reply) =>
          refuse(reply, 401, {
            code: '10009',
            title: 'Authentication failed',
            detail: 'Could not understand the provided credentials.',
          }),
        ),
      );
      app.get('/v2/ai/assistants', (_request, reply) =>
        reply.send({
          data: [
            ...book.agents.map((agent) => assistant(agent, 'telephony')),
            assistant({ id: 'assistant-chat', name: 'Chat', createdAt: 0 }, 'messaging'),
          ],
        }),
      );
      const schema = { body: INITIATE_AI_CALL };
      app.post<{ Params: { connection: string } }>(
        '/v2/texml/ai_calls/:connection',
        { schema },
        async (request, reply) => {
          const body = fields(request.body);
          const fault = faultOf(body, request.params.connection, book);
          if (fault !== null) return refuse(reply, ...fault);
          const call = await book.place({
            phone: text(body['To']),
            agentId: text(body['AIAssistantId']),
            from: FROM,
            variables: fields(body['AIAssistantDynamicVariables']),
            metadata: { detects: body['MachineDetection'] === 'Enable' },
          });
          const { phone: to, from, callId } = call;
          return reply.send({ from, to, status: 'queued', call_sid: callId });
        },
      );
      app.get<{ Params: { id: string } }>(`${CALLS}/:id`, (request, reply) => {
        const call = book.call(request.params.id);
        if (call !== undefined) return reply.send(callOnWire(call, book.phaseOf(call)));
        return refuse(reply, 404, { detail: 'Resource not found' });
      });
    },
    events: (call) => [
      { at: call.placedAt, phase: 'ringing' },
      ...(call.answeredAt === null ? [] : [{ at: call.answeredAt, phase: 'in_progress' as const }]),
      { at: call.endedAt, phase: 'ended' },
    ],
    message: (call, event, { secret, now }) => {
      const body = new URLSearchParams(callback(call, event)).toString().replaceAll('%3A', ':');
      const timestamp = String(Math.floor(now / 1_000));
      const key = secret === PUBLIC_KEY ? PRIVATE_KEY : privateKeyOf(secret);
      return {
        body,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'telnyx-timestamp': timestamp,
          'telnyx-signature-ed25519': sign(null, Buffer.from(`${timestamp}|${body}`), key).toString(
            'base64',
          ),
        },
      };
    },
  };
}

function assistant({ id, name, createdAt }: ProviderAgent, feature: string) {
  return {
    id,
    name,
    created_at: iso(createdAt),
    model: 'a-model',
    instructions: 'Be kind.',
    enabled_features: [feature],
    telephony_settings: { default_texml_app_id: APPLICATION },
  };
}

interface Fault {
  code?: string;
  title?: string;
  detail: string;
  source?: { pointer: string };
}

function refuse(reply: FastifyReply, status: number, error: Fault, more: object = {}) {
  return reply.code(status).send({ errors: [error], ...more });
}

type Refusal = [status: number, error: Fault, more?: object];

const UNPAID: Refusal = [
  402,
  {
    code: '20100',
    title: 'Insufficient Funds',
    detail: 'You do not have enough funds to perform this action.',
  },
];

const NO_PROFILE: Refusal = [
  403,
  {
    code: '10010',
    title: 'Authorization failed',
    detail: 'Connection has no Outbound Profile assigned D38.',
  },
  { telnyx_error: { error_code: 'D38' } },
];

/** What is wrong with a dial, as Telnyx says it; null: nothing. */
function faultOf(body: Record<string, unknown>, connection: string, book: Book): Refusal | null {
  const about = (field: string) => ({ source: { pointer: `/${field}` } });
  const notE164 = {
    code: '10016',
    title: 'Phone number must be in +E.164 format',
    detail: 'The specified phone number parameter must be in +E.164 format.',
  };
  const absent = {
    code: '10017',
    title: 'Associated resource does not exist',
    detail: 'The requested parameter is invalid as the associated resource does not exist.',
  };
  const { To: to } = body;
  if (connection !== APPLICATION) {
    return [404, { code: '10005', title: 'Resource not found', detail: 'Resource not found' }];
  }
  if (!isE164(to)) return [422, { ...notE164, ...about('To') }];
  if (body['From'] !== FROM) return [422, { ...absent, ...about('From') }];
  if (!book.hasAgent(body['AIAssistantId'])) return [422, { ...absent, ...about('AIAssistantId') }];
  const trouble = book.troubleOf(to);
  if (trouble === 'money') return UNPAID;
  if (trouble === 'configuration') return NO_PROFILE;
  if (!book.isFull) return null;
  const full = 'The limit of simultaneous termination channels configured to your user has been';
  const title = 'User termination channels limit exceeded';
  return [429, { code: '90041', title, detail: `${full} reached.` }];
}

/** Duration and price are texts; times are RFC 2822. */
function callOnWire(call: ProviderCall, phase: Phase) {
  const isOver = phase === 'ended' || phase === 'settled';
  const isAnswered = call.answeredAt !== null;
  const price = { price: String(call.costUsd ?? 0), price_unit: 'USD' };
  return {
    account_sid: ACCOUNT,
    ...(isAnswered && isOver && call.metadata['detects'] === true
      ? { answered_by: call.outcome === 'voicemail' ? 'machine' : 'human' }
      : {}),
    date_created: rfc2822(call.placedAt),
    date_updated: rfc2822(isOver ? call.endedAt : call.placedAt),
    direction: 'outbound',
    ...(isOver ? { duration: String(call.durationS), end_time: rfc2822(endOf(call)) } : {}),
    from: call.from,
    ...(isOver && isAnswered ? price : {}),
    sid: call.callId,
    start_time: rfc2822(call.answeredAt ?? call.placedAt),
    status: statusOf(call, phase),
    to: call.phone,
    uri: `${CALLS}/${call.callId}.json`,
  };
}

function statusOf(call: ProviderCall, phase: Phase): string {
  if (phase === 'queued' || phase === 'ringing') return 'ringing';
  if (phase === 'in_progress') return 'in-progress';
  return STATUS[call.outcome === 'voicemail' ? 'answered' : call.outcome];
}

function callback(call: ProviderCall, { phase, at }: ProviderEvent): Record<string, string> {
  const isOver = phase === 'ended';
  return {
    AccountSid: ACCOUNT,
    CallInitiatedAt: iso(call.placedAt),
    CallSid: call.callId,
    CallSidLegacy: call.callId,
    CallStatus: statusOf(call, phase),
    CallbackSource: 'call-progress-events',
    ConnectionId: APPLICATION,
    From: call.from,
    To: call.phone,
    Timestamp: iso(at),
    SequenceNumber: phase === 'ringing' ? '1' : phase === 'in_progress' ? '2' : '3',
    ...(isOver ? { CallDuration: String(call.durationS), HangupSource: 'callee' } : {}),
  };
}

function rfc2822(at: number): string {
  return new Date(at).toUTCString().replace('GMT', '+0000');
}

/** RFC 8410: what stands before the 32 bytes of an Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

function privateKeyOf(secret: string): KeyObject {
  const seed = createHash('sha256').update(secret).digest();
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

const PRIVATE_KEY = privateKeyOf('telnyx');
const PUBLIC_KEY = Buffer.from(
  createPublicKey(PRIVATE_KEY).export({ format: 'jwk' }).x ?? '',
  'base64url',
).toString('base64');
