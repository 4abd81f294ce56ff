// Cartesia, Line agents. Sources: docs.cartesia.ai, version 2026-03-01: create-outbound-call, get-call, list-calls,
// api-errors, line/integrations/telephony/outbound-dialing, line/infrastructure/{scaling,observability},
// agents/{webhooks,transcripts-and-recordings}; its OpenAPI (see schemas/cartesia.ts); read 2026-11-27. They leave
// open: what an `error` of a destination holds, what answers a dial above the limit of calls or a wrong key, which
// status goes with which end reason, and when a summary is there. Here it comes after the end, with its webhook.
import type { FastifyReply } from 'fastify';
import { endOf, iso, uuid } from './book.ts';
import type { ProviderAgent } from './book.ts';
import { fields, isE164, keyHook, shaped, text } from './http.ts';
import type { HttpClient, Phase, ProviderCall, ProviderOutcome } from './provider.ts';
import { AGENTS, CALL, CREATE_OUTBOUND_CALL, ERROR, NO_QUERY } from './schemas/cartesia.ts';

const KEY = 'sk_car_key';
const FROM = 'ap_Q8PRh7lXyZsawXJmN2KcT5';
/** By turns; of those that say nothing of who answered, the transcript shows that the call was connected. */
const REASONS: Record<ProviderOutcome, readonly string[]> = {
  answered: [
    'client_hangup',
    'agent_hangup',
    'max_duration',
    'inactivity',
    'client_disconnected',
    'api_cancelled',
    'error',
  ],
  voicemail: ['agent_hangup'],
  no_answer: ['dial_no_answer'],
  busy: ['dial_busy'],
  failed: ['dial_failed', 'error', 'api_cancelled'],
};

/** Events carry the secret itself, in `X-Webhook-Secret`. */
export function cartesia(): HttpClient {
  return {
    key: KEY,
    from: FROM,
    webhookSecret: 'cartesia-webhook-secret',
    outcomes: ['no_answer', 'answered', 'busy', 'failed'],
    troubles: ['configuration'],
    tells: { sentiment: false, transcript: true, summary: true, cost: 'never' },
    agentId: (ordinal) => `agent_${uuid('cartesia agent', ordinal)}`,
    callId: (ordinal) => `call_${uuid('cartesia call', ordinal)}`,
    routes: (app, book) => {
      app.addHook(
        'onRequest',
        keyHook('x-api-key', [KEY], (reply) => refuse(reply, 401, null, 'Unauthorized')),
      );
      app.get('/agents', { schema: NO_QUERY }, (request, reply) =>
        reply.send(shaped(request, AGENTS, { summaries: book.agents.map(agentOnWire) })),
      );
      app.post('/agents/calls', { schema: CREATE_OUTBOUND_CALL }, async (request, reply) => {
        const body = fields(request.body);
        const [item] = (body['outbound_calls'] as unknown[]).map(fields);
        const number = item?.['to_number'];
        if (!isE164(number)) return refuse(reply, 400, null, 'Invalid request body');
        if (!book.hasAgent(body['agent_id'])) return refuse(reply, 404, null, 'Agent not found');
        const isWrong = body['from_number_id'] !== FROM;
        if (isWrong || book.troubleOf(number) === 'configuration')
          return refuse(reply, 400, null, 'The phone number cannot place outbound calls');
        if (book.isFull) return refuse(reply, 429, 'concurrency_limited', FULL);
        const call = await book.place({
          phone: number,
          agentId: text(body['agent_id']),
          from: '+12125550199',
          variables: fields(item?.['metadata']),
          metadata: {},
        });
        return reply.send({ calls: [{ number, agent_call_id: call.callId }] });
      });
      app.get<{ Params: { id: string } }>(
        '/agents/calls/:id',
        { schema: NO_QUERY },
        (request, reply) => {
          const call = book.call(request.params.id);
          if (call === undefined) return refuse(reply, 404, null, 'Call not found');
          return reply.send(shaped(request, CALL, callOnWire(call, book.phaseOf(call))));
        },
      );
    },
    events: (call) => [
      ...(call.answeredAt === null ? [] : [{ at: call.answeredAt, phase: 'in_progress' as const }]),
      { at: call.endedAt, phase: 'ended' },
      ...(call.summary === null ? [] : [{ at: call.settledAt, phase: 'settled' as const }]),
    ],
    message: (call, { phase }, { secret }) => {
      const { callId: call_id, agentId: agent_id, summary } = call;
      const whole = callOnWire(call, phase);
      const over = whole.status === 'failed' ? 'call_failed' : 'call_completed';
      const detail =
        phase === 'settled'
          ? { type: 'post_call_analysis', analysis: { summary } }
          : { type: phase === 'ended' ? over : 'call_started', call: whole };
      const body = JSON.stringify({ ...detail, call_id, agent_id });
      return { body, headers: { 'content-type': 'application/json', 'x-webhook-secret': secret } };
    },
  };
}

const FULL = "You have exceeded your plan's concurrency limit.";

function refuse(reply: FastifyReply, status: number, error_code: string | null, message: string) {
  const request_id = uuid('cartesia request', 0);
  const error = { error_code, title: 'Refused', message, request_id };
  return reply.code(status).send(shaped(reply.request, ERROR, error));
}

function agentOnWire({ id, name, createdAt }: ProviderAgent) {
  return {
    id,
    name,
    created_at: iso(createdAt),
    updated_at: iso(createdAt),
    tts_voice: 'voice_1',
    tts_language: 'en',
    has_text_to_agent_run: false,
    deployment_count: 1,
    deleted_at: null,
  };
}

const BEFORE: Partial<Record<Phase, string>> = {
  queued: 'created',
  ringing: 'created',
  in_progress: 'started',
};

function callOnWire(call: ProviderCall, phase: Phase) {
  const isOver = phase === 'ended' || phase === 'settled';
  const isConnected = call.answeredAt !== null;
  const reasons = REASONS[call.outcome];
  const reason = reasons[call.ordinal % reasons.length] ?? '';
  const hasFailed = !isConnected || reason === 'error';
  return {
    id: call.callId,
    agent_id: call.agentId,
    status: BEFORE[phase] ?? (hasFailed ? 'failed' : 'completed'),
    start_time: iso(call.answeredAt ?? call.placedAt),
    end_time: isOver ? iso(endOf(call)) : null,
    end_reason: isOver ? reason : null,
    // A call that fails before it is connected has neither transcript nor recording.
    transcript: isOver && isConnected ? transcriptOf(call) : null,
    telephony_params: { to: call.phone, from: call.from },
    summary: phase === 'settled' ? call.summary : null,
    metadata: call.variables,
  };
}

/** A log of the agent's code stands between what was said. */
function transcriptOf({ turns }: ProviderCall) {
  const at = (second: number) => ({ start_timestamp: second, end_timestamp: second + 1 });
  const said = turns.map(({ role, text: words }, n) => ({
    role: role === 'agent' ? 'assistant' : 'user',
    text: words,
    ...at(n * 2),
  }));
  return [{ role: 'system', text: null, ...at(0) }, ...said];
}
