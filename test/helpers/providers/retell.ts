// Retell. Source: RetellAI/retell-typescript-sdk v5.60.0 (b274013, 2026-07-31) src/resources/{call,agent,concurrency}.ts
// and src/lib/webhook_auth.ts; refusals from the OpenAPI on docs.retellai.com (spec revision 2026-08-01-ad84c11), but
// for the one of an unknown from_number, which many people report. What is sent and answered is held against schemas/retell.ts.
import { createHmac } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { endOf, hexId } from './book.ts';
import { fields, isE164, keyHook, pageAfter, query, shaped, size, text } from './http.ts';
import type { Phase, ProviderCall, ProviderOutcome, HttpClient } from './provider.ts';
import {
  AGENTS,
  CALL,
  CALLS,
  CREATE_PHONE_CALL,
  LIST_AGENTS,
  LIST_CALLS,
  NO_QUERY,
} from './schemas/retell.ts';

const KEY = 'key_retell';
const FROM = '+12125550199';
const REASON: Record<ProviderOutcome, string> = {
  answered: 'user_hangup',
  voicemail: 'voicemail_reached',
  no_answer: 'dial_no_answer',
  busy: 'dial_busy',
  failed: 'dial_failed',
};
const WITHOUT_RINGING = {
  ended_full: 'concurrency_limit_reached',
  ended_unpaid: 'no_valid_payment',
};
const REFUSALS = {
  400: 'Invalid request format, please check API reference.',
  401: 'API key is missing or invalid.',
  402: 'Trial has ended, please add payment method.',
  422: 'Cannot find requested asset under given api key.',
  429: 'Account rate limited, please throttle your requests.',
} as const;

/** Events are signed with the API key: `x-retell-signature: v=<ms>,d=<hex>` over body and timestamp. */
export function retell(): HttpClient {
  return {
    key: KEY,
    from: FROM,
    webhookSecret: KEY,
    outcomes: ['answered', 'voicemail', 'no_answer', 'busy', 'failed'],
    troubles: ['money', 'configuration', 'ended_full', 'ended_unpaid'],
    tells: { sentiment: true, transcript: true, summary: true, cost: 'answered' },
    agentId: (ordinal) => `agent_${hexId('retell agent', ordinal).slice(0, 26)}`,
    callId: (ordinal) => `call_${hexId('retell call', ordinal).slice(0, 26)}`,
    routes: (app, book) => {
      app.addHook(
        'onRequest',
        keyHook('authorization', [`Bearer ${KEY}`], (reply) => refuse(reply, 401)),
      );
      app.post('/v2/list-agents', { schema: LIST_AGENTS }, (request, reply) => {
        const { limit, pagination_key } = query(request);
        const wanted = fields(fields(fields(request.body)['filter_criteria'])['channel'])['value'];
        const agents = [
          { id: 'agent_chat', name: 'Chat agent', createdAt: 0, channel: 'chat' },
          ...book.agents.map((agent) => ({ ...agent, channel: 'voice' })),
        ].filter(({ channel }) => wanted === undefined || channel === wanted);
        const count = size(limit, { max: 1_000, normal: 50 });
        const { page, next } = pageAfter(agents, ({ id }) => id, pagination_key, count);
        const items = page.map(({ id, name, channel, createdAt }) => ({
          agent_id: id,
          agent_name: name,
          channel,
          tags: {},
          user_modified_timestamp: createdAt,
        }));
        return reply.send(shaped(request, AGENTS, { items, ...more(next) }));
      });
      app.post('/v2/create-phone-call', { schema: CREATE_PHONE_CALL }, async (request, reply) => {
        const body = fields(request.body);
        const phone = body['to_number'];
        if (!isE164(phone)) return refuse(reply, 400);
        if (body['from_number'] !== FROM) {
          const message = `Item ${text(body['from_number'])} not found from phone-number`;
          return refuse(reply, 404, message);
        }
        const agentId = body['override_agent_id'] ?? book.agents[0]?.id;
        if (!book.hasAgent(agentId)) return refuse(reply, 422);
        const trouble = book.troubleOf(phone);
        if (trouble === 'money') return refuse(reply, 402);
        if (trouble === 'configuration') return refuse(reply, 422);
        if (book.isFull) return refuse(reply, 429);
        const call = await book.place({
          phone,
          agentId: text(agentId),
          from: FROM,
          variables: fields(body['retell_llm_dynamic_variables']),
          metadata: fields(body['metadata']),
          trouble,
        });
        return reply.code(201).send(shaped(request, CALL, callOnWire(call, 'queued')));
      });
      app.get<{ Params: { id: string } }>(
        '/v2/get-call/:id',
        { schema: NO_QUERY },
        (request, reply) => {
          const call = book.call(request.params.id);
          if (call === undefined) return refuse(reply, 422);
          return reply.send(shaped(request, CALL, callOnWire(call, book.phaseOf(call))));
        },
      );
      app.post('/v3/list-calls', { schema: LIST_CALLS }, (request, reply) => {
        const body = fields(request.body);
        const { op, value } = fields(fields(body['filter_criteria'])['start_timestamp']);
        const since = (op === 'ge' || op === 'gt') && typeof value === 'number' ? value : 0;
        const calls = book.calls.filter((call) => call.placedAt >= since).toReversed();
        const count = size(body['limit'], { max: 1_000, normal: 50 });
        const { page, next } = pageAfter(calls, (c) => c.callId, body['pagination_key'], count);
        const items = page.map((call) => listed(call, book.phaseOf(call)));
        return reply.send(shaped(request, CALLS, { items, ...more(next) }));
      });
      app.get('/get-concurrency', { schema: NO_QUERY }, (_request, reply) => {
        const { capacity, inProgress } = book;
        // Two more are kept for calls that come in.
        return reply.send({
          current_concurrency: inProgress,
          concurrency_limit: capacity + 2,
          reserved_inbound_concurrency: 2,
        });
      });
    },
    events: (call) => [
      ...(call.answeredAt === null ? [] : [{ at: call.answeredAt, phase: 'in_progress' as const }]),
      { at: call.endedAt, phase: 'ended' },
      { at: call.settledAt, phase: 'settled' },
    ],
    message: (call, { phase }, { secret, now }) => {
      const event = EVENTS[phase] ?? 'call_ended';
      const body = JSON.stringify({ event, call: callOnWire(call, phase) });
      const digest = createHmac('sha256', secret).update(`${body}${now}`).digest('hex');
      const headers = {
        'content-type': 'application/json',
        'x-retell-signature': `v=${now},d=${digest}`,
      };
      return { body, headers };
    },
  };
}

const EVENTS: Partial<Record<Phase, string>> = {
  in_progress: 'call_started',
  ended: 'call_ended',
  settled: 'call_analyzed',
};

function refuse(
  reply: FastifyReply,
  status: keyof typeof REFUSALS | 404,
  message: string = REFUSALS[status === 404 ? 422 : status],
) {
  return reply.code(status).send({ status: 'error', message });
}

function more(next: string | null) {
  return { has_more: next !== null, ...(next === null ? {} : { pagination_key: next }) };
}

function statusOf(call: ProviderCall, phase: Phase): string {
  if (phase === 'queued' || phase === 'ringing') return 'registered';
  if (phase === 'in_progress') return 'ongoing';
  if (call.trouble !== null) return 'error';
  return call.answeredAt === null ? 'not_connected' : 'ended';
}

const LABEL = { positive: 'Positive', neutral: 'Neutral', negative: 'Negative' } as const;

/** What a list says of a call: everything but what was said. */
function listed(call: ProviderCall, phase: Phase) {
  const said = ['transcript', 'transcript_object'];
  const known = Object.entries(callOnWire(call, phase));
  return Object.fromEntries(known.filter(([name]) => !said.includes(name)));
}

function callOnWire(call: ProviderCall, phase: Phase) {
  const base = {
    call_type: 'phone_call',
    call_id: call.callId,
    agent_id: call.agentId,
    agent_version: 1,
    call_status: statusOf(call, phase),
    direction: 'outbound',
    from_number: call.from,
    to_number: call.phone,
    metadata: call.metadata,
    retell_llm_dynamic_variables: call.variables,
    opt_in_signed_url: false,
  };
  if (phase !== 'ended' && phase !== 'settled') return base;
  const over = {
    ...base,
    disconnection_reason:
      call.trouble === null ? REASON[call.outcome] : WITHOUT_RINGING[call.trouble],
    end_timestamp: endOf(call),
    ...(call.answeredAt === null
      ? {}
      : {
          start_timestamp: call.answeredAt,
          duration_ms: call.durationS * 1_000,
          transcript: call.turns
            .map((turn) => `${turn.role === 'agent' ? 'Agent' : 'User'}: ${turn.text}\n`)
            .join(''),
          transcript_object: call.turns.map((turn) => ({
            role: turn.role === 'agent' ? 'agent' : 'user',
            content: turn.text,
            words: [],
          })),
          recording_url: `https://recordings.example.com/${call.callId}/recording.wav`,
        }),
  };
  if (phase === 'ended') return over;
  return {
    ...over,
    ...(call.costUsd === null ? {} : { call_cost: costOf(call, call.costUsd) }),
    call_analysis: {
      call_successful: call.outcome === 'answered',
      in_voicemail: call.outcome === 'voicemail',
      user_sentiment: call.sentiment === null ? 'Unknown' : LABEL[call.sentiment],
      ...(call.summary === null ? {} : { call_summary: call.summary }),
      custom_analysis_data: {},
    },
  };
}

/** In cents. */
function costOf({ durationS }: ProviderCall, costUsd: number) {
  return {
    combined_cost: Math.round(costUsd * 10_000) / 100,
    product_costs: [],
    total_duration_seconds: durationS,
    total_duration_unit_price: 0.2,
  };
}
