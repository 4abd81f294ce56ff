// ElevenLabs agents. Source: elevenlabs/elevenlabs-python src/elevenlabs/types and
// conversational_ai/{twilio,agents,conversations} (2026-07), webhooks_custom.py; elevenlabs-docs on post-call
// webhooks and error messages (read 2026-11). That a call which nobody answered ends as a `failed` conversation
// with the reason in its metadata is a reading of these, not a quotation.
import { createHmac } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { hexId } from './book.ts';
import { fields, isE164, keyHook, pageAfter, query, size, text } from './http.ts';
import type { Phase, ProviderCall, Wire } from './provider.ts';

const KEY = 'sk_elevenlabs';
const FROM = 'phnum_4001kelevenlabs';

/** A sentiment stands in lists only. Events are signed `ElevenLabs-Signature: t=<s>,v0=<hex>`, SHA-256 over `t.body`. */
export function elevenlabs(): Wire {
  return {
    key: KEY,
    from: FROM,
    webhookSecret: 'wsec_elevenlabs',
    outcomes: ['answered', 'voicemail', 'failed'],
    troubles: [],
    tells: { sentiment: false, transcript: true, summary: true, cost: 'answered' },
    agentId: (ordinal) => `agent_${hexId('elevenlabs agent', ordinal).slice(0, 28)}`,
    callId: (ordinal) => `conv_${hexId('elevenlabs conversation', ordinal).slice(0, 28)}`,
    routes: (app, book) => {
      app.addHook(
        'onRequest',
        keyHook('xi-api-key', [KEY], (reply) =>
          refuse(reply, 401, 'invalid_api_key', 'Invalid API key'),
        ),
      );
      app.get('/v1/convai/agents', (request, reply) => {
        const { page_size, cursor } = query(request);
        const count = size(page_size, { max: 100, normal: 30 });
        const { page, next } = pageAfter(book.agents, ({ id }) => id, cursor, count);
        const agents = page.map(({ id, name, createdAt }) => ({
          agent_id: id,
          name,
          created_at_unix_secs: Math.floor(createdAt / 1_000),
        }));
        return reply.send({ agents, next_cursor: next, has_more: next !== null });
      });
      app.post('/v1/convai/twilio/outbound-call', async (request, reply) => {
        const body = fields(request.body);
        for (const field of ['agent_id', 'agent_phone_number_id', 'to_number']) {
          if (typeof body[field] === 'string') continue;
          const detail = [{ type: 'missing', loc: ['body', field], msg: 'Field required' }];
          return reply.code(422).send({ detail });
        }
        if (!book.hasAgent(body['agent_id'])) {
          return refuse(reply, 404, 'agent_not_found', 'Agent not found.');
        }
        if (body['agent_phone_number_id'] !== FROM) {
          return refuse(reply, 404, 'phone_number_not_found', 'Phone number not found.');
        }
        if (!isE164(body['to_number'])) {
          return refuse(reply, 400, 'invalid_phone_number', 'Invalid phone number.');
        }
        if (book.isFull) {
          const message = 'Too many concurrent requests.';
          return refuse(reply, 429, 'too_many_concurrent_requests', message);
        }
        const data = fields(body['conversation_initiation_client_data']);
        const call = await book.place({
          phone: body['to_number'],
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
      });
      app.get<{ Params: { id: string } }>('/v1/convai/conversations/:id', (request, reply) => {
        const call = book.call(request.params.id);
        if (call !== undefined) return reply.send(conversation(call, book.phaseOf(call)));
        return refuse(reply, 404, 'conversation_not_found', 'Conversation not found.');
      });
      app.get('/v1/convai/conversations', (request, reply) => {
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
        type: 'post_call_transcription',
        event_timestamp: seconds,
        data: conversation(call, phase),
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

function refuse(reply: FastifyReply, code: number, status: string, message: string) {
  return reply.code(code).send({ detail: { status, message } });
}

function statusOf(call: ProviderCall, phase: Phase): string {
  if (phase === 'queued' || phase === 'ringing') return 'initiated';
  if (phase === 'in_progress') return 'in-progress';
  if (phase === 'ended') return 'processing';
  return call.outcome === 'failed' ? 'failed' : 'done';
}

function sidOf(call: ProviderCall): string {
  return `CA${hexId('elevenlabs sid', call.ordinal)}`;
}

function startOf(call: ProviderCall): number {
  return Math.floor((call.answeredAt ?? call.placedAt) / 1_000);
}

function successOf(call: ProviderCall): string {
  return call.outcome === 'answered' ? 'success' : 'failure';
}

const LABELS = ['positive', 'neutral', 'negative'];

/** A sentiment stands here only, and not in what a conversation is read as. */
function listed(call: ProviderCall, phase: Phase) {
  const isSettled = phase === 'settled';
  const analysed = isSettled && call.answeredAt !== null;
  const label = LABELS[call.ordinal % LABELS.length];
  return {
    agent_id: call.agentId,
    conversation_id: call.callId,
    start_time_unix_secs: startOf(call),
    call_duration_secs: isSettled ? call.durationS : 0,
    message_count: isSettled ? call.turns.length : 0,
    status: statusOf(call, phase),
    call_successful: isSettled ? successOf(call) : 'unknown',
    direction: 'outbound',
    transcript_summary: isSettled ? call.summary : null,
    sentiment_analysis: analysed ? { overall_label: label, scores: {} } : null,
  };
}

function conversation(call: ProviderCall, phase: Phase) {
  const isSettled = phase === 'settled';
  const transcript = call.turns.map(({ role, text: message }, index) => ({
    role: role === 'agent' ? 'agent' : 'user',
    message,
    time_in_call_secs: index * 3,
    tool_calls: [],
  }));
  return {
    agent_id: call.agentId,
    conversation_id: call.callId,
    status: statusOf(call, phase),
    user_id: call.metadata['user_id'] ?? null,
    transcript: isSettled ? transcript : [],
    metadata: {
      start_time_unix_secs: startOf(call),
      call_duration_secs: isSettled ? call.durationS : 0,
      cost: isSettled && call.costUsd !== null ? Math.round(call.costUsd * 5_000) : null,
      cost_fiat: isSettled ? call.costUsd : null,
      termination_reason: isSettled ? reasonOf(call) : '',
      error: null,
      phone_call: {
        type: 'twilio',
        direction: 'outbound',
        phone_number_id: call.from,
        agent_number: '+12125550199',
        external_number: call.phone,
        call_sid: sidOf(call),
      },
    },
    analysis: isSettled
      ? {
          call_successful: successOf(call),
          transcript_summary: call.summary ?? '',
          data_collection_results: {},
          evaluation_criteria_results: {},
        }
      : null,
    conversation_initiation_client_data: { dynamic_variables: call.variables },
    has_audio: isSettled && call.durationS > 0,
    has_user_audio: isSettled && call.outcome === 'answered',
  };
}

function reasonOf({ outcome }: ProviderCall): string {
  if (outcome === 'voicemail') return 'voicemail_detection tool was called.';
  return outcome === 'answered' ? 'Client disconnected: 1000' : 'Call was not answered.';
}
