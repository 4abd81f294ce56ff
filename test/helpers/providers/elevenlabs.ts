// ElevenLabs agents. Sources: elevenlabs/elevenlabs-python 2.59.0 (54e5899, 2026-07-23) src/elevenlabs/types and
// conversational_ai/{twilio,agents,conversations}, webhooks_custom.py; `metadata.phone_call.call_result` from 2.73.0;
// elevenlabs.io/docs on post-call webhooks (eleven-agents/workflows/post-call-webhooks) and on errors
// (eleven-api/resources/errors), read 2026-11-22. A call that nobody answered stays an `initiated` conversation: the
// webhook `call_initiation_failure` and `call_result` alone tell what became of it.
import { createHmac } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { hexId } from './book.ts';
import { fields, isE164, keyHook, pageAfter, query, size, text } from './http.ts';
import { conversation, initiationFailure, isReached, listed, sidOf } from './elevenlabs-answers.ts';
import type { HttpClient } from './provider.ts';
import {
  LIST_AGENTS,
  LIST_CONVERSATIONS,
  ONE_CONVERSATION,
  OUTBOUND_CALL,
} from './schemas/elevenlabs.ts';

const KEY = 'sk_elevenlabs';
const FROM = 'phnum_4001kelevenlabs';

/** A sentiment stands in lists only. Events are signed `ElevenLabs-Signature: t=<s>,v0=<hex>`, SHA-256 over `t.body`. */
export function elevenlabs(): HttpClient {
  return {
    key: KEY,
    from: FROM,
    webhookSecret: 'wsec_elevenlabs',
    outcomes: ['answered', 'voicemail', 'no_answer', 'busy', 'failed'],
    // That a call is taken and then not made for want of a line or of money is not documented.
    troubles: ['money', 'configuration'],
    tells: { sentiment: false, transcript: true, summary: true, cost: 'answered' },
    agentId: (ordinal) => `agent_${hexId('elevenlabs agent', ordinal).slice(0, 28)}`,
    callId: (ordinal) => `conv_${hexId('elevenlabs conversation', ordinal).slice(0, 28)}`,
    routes: (app, book) => {
      app.addHook(
        'onRequest',
        keyHook('xi-api-key', [KEY], (reply) => refuse(reply, 401, REFUSALS.key)),
      );
      app.get('/v1/convai/agents', { schema: LIST_AGENTS }, (request, reply) => {
        const { page_size, cursor } = query(request);
        const count = size(page_size, { max: 100, normal: 30 });
        const { page, next } = pageAfter(book.agents, ({ id }) => id, cursor, count);
        const agents = page.map(({ id, name, createdAt }) => ({
          agent_id: id,
          name,
          tags: [],
          created_at_unix_secs: Math.floor(createdAt / 1_000),
          access_info: { is_creator: true, creator_name: 'A', creator_email: '', role: 'admin' },
        }));
        return reply.send({ agents, next_cursor: next, has_more: next !== null });
      });
      app.post(
        '/v1/convai/twilio/outbound-call',
        { schema: OUTBOUND_CALL },
        async (request, reply) => {
          const body = fields(request.body);
          const to = body['to_number'];
          if (!book.hasAgent(body['agent_id'])) return refuse(reply, 404, REFUSALS.agent);
          if (body['agent_phone_number_id'] !== FROM) return refuse(reply, 404, REFUSALS.number);
          if (!isE164(to)) return refuse(reply, 400, REFUSALS.recipient);
          const trouble = book.troubleOf(to);
          if (trouble === 'money') return refuse(reply, 402, REFUSALS.money);
          if (trouble === 'configuration') return refuse(reply, 404, REFUSALS.number);
          if (book.isFull) return refuse(reply, 429, REFUSALS.full);
          const data = fields(body['conversation_initiation_client_data']);
          const call = await book.place({
            phone: to,
            agentId: text(body['agent_id']),
            from: FROM,
            variables: fields(data['dynamic_variables']),
            metadata: data['user_id'] === undefined ? {} : { user_id: data['user_id'] },
          });
          return reply.send({
            success: true,
            message: 'Success',
            conversation_id: call.callId,
            callSid: sidOf(call),
          });
        },
      );
      app.get<{ Params: { id: string } }>(
        '/v1/convai/conversations/:id',
        { schema: ONE_CONVERSATION },
        (request, reply) => {
          const call = book.call(request.params.id);
          if (call !== undefined) return reply.send(conversation(call, book.phaseOf(call)));
          return refuse(reply, 404, REFUSALS.conversation);
        },
      );
      app.get('/v1/convai/conversations', { schema: LIST_CONVERSATIONS }, (request, reply) => {
        const { page_size, cursor, call_start_after_unix, agent_id } = query(request);
        const since = Number(call_start_after_unix ?? 0) * 1_000;
        const calls = book.calls
          .filter((call) => call.placedAt >= since)
          .filter((call) => agent_id === undefined || call.agentId === agent_id)
          .toReversed();
        const count = size(page_size, { max: 100, normal: 30 });
        const { page, next } = pageAfter(calls, (call) => call.callId, cursor, count);
        const conversations = page.map((call) => listed(call, book.phaseOf(call)));
        return reply.send({ conversations, next_cursor: next, has_more: next !== null });
      });
    },
    events: (call) => [{ at: call.settledAt, phase: 'settled' }],
    message: (call, { phase }, { secret, now }) => {
      const seconds = Math.floor(now / 1_000);
      const body = JSON.stringify({
        type: isReached(call) ? 'post_call_transcription' : 'call_initiation_failure',
        event_timestamp: seconds,
        data: isReached(call) ? conversation(call, phase) : initiationFailure(call),
      });
      const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
      const headers = {
        'content-type': 'application/json',
        'elevenlabs-signature': `t=${seconds},v0=${digest}`,
      };
      return { body, headers };
    },
  };
}

type Refusal = readonly [type: string, code: string, message: string, legacy?: string];

/** What stands in `detail`; `status` is the older name of the code and may differ from it. */
const REFUSALS = {
  key: ['authentication_error', 'invalid_api_key', 'Invalid API key'],
  money: [
    'payment_required',
    'insufficient_credits',
    'Your account does not have enough credits for this operation.',
    'quota_exceeded',
  ],
  agent: ['not_found', 'agent_not_found', 'Agent not found.'],
  number: ['not_found', 'phone_number_not_found', 'Phone number not found.'],
  conversation: ['not_found', 'conversation_not_found', 'Conversation not found.'],
  recipient: ['validation_error', 'invalid_parameters', 'Invalid phone number.'],
  full: [
    'rate_limit_error',
    'concurrent_limit_exceeded',
    'Too many concurrent requests.',
    'too_many_concurrent_requests',
  ],
} satisfies Record<string, Refusal>;

function refuse(reply: FastifyReply, status: number, [type, code, message, legacy]: Refusal) {
  const detail = {
    type,
    code,
    message,
    status: legacy ?? code,
    request_id: hexId(message, status),
  };
  return reply.code(status).send({ detail });
}
