// Synthflow. Source: its OpenAPI ("Synthflow APIs" 1.0.0, docs.synthflow.ai/openapi.yml of 2026-10-04) as archived in
// api-evangelist/synthflow at 35f9886, docs.synthflow.ai/webhooks, /webhooks-security, /cuncurrency-calling-limits,
// helpcenter.synthflow.ai "Call Hangup Reasons" (2025-08-08); read 2026-11-22. What a 401 or a 429 holds is not
// published, and a 400 of a dial is an empty object.
import { createHmac } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { endOf, iso, uuid } from './book.ts';
import { fields, isE164, keyHook, query, size, text } from './http.ts';
import type { Phase, ProviderCall, ProviderOutcome, HttpClient } from './provider.ts';
import { LIST_ASSISTANTS, VOICE_CALL } from './schemas/synthflow.ts';

const KEY = 'synthflow-key';
const FROM = '+12125550199';

/** Events are signed `HTTP_SYNTHFLOW_SIGNATURE: <base64>`, SHA-256 over the call's id alone. */
export function synthflow(): HttpClient {
  return {
    key: KEY,
    from: FROM,
    webhookSecret: 'synthflow-secret',
    outcomes: ['answered', 'voicemail', 'no_answer', 'busy', 'failed'],
    troubles: ['ended_full', 'ended_unpaid'],
    tells: { sentiment: false, transcript: true, summary: false, cost: 'never' },
    agentId: (ordinal) => uuid('synthflow agent', ordinal),
    callId: (ordinal) => uuid('synthflow call', ordinal),
    routes: (app, book) => {
      app.addHook(
        'onRequest',
        keyHook('authorization', [`Bearer ${KEY}`], (reply) =>
          reply.code(401).send({ detail: 'Unauthorized' }),
        ),
      );
      app.get('/v2/assistants/', { schema: { querystring: LIST_ASSISTANTS } }, (request, reply) => {
        const { limit, offset } = query(request);
        const count = size(limit, { max: 100, normal: 20 });
        const start = Number(offset ?? 0);
        const pagination = { total_records: book.agents.length, limit: count, offset: start };
        const assistants = book.agents.slice(start, start + count).map(({ id, name }) => ({
          type: 'outbound',
          name,
          model_id: id,
          agent: { prompt: `You are ${name}.` },
        }));
        return reply.send({ status: 'ok', response: { pagination, assistants } });
      });
      app.post('/v2/calls', { schema: { body: VOICE_CALL } }, async (request, reply) => {
        const { phone, model_id, name, from_phone_number, custom_variables } = fields(request.body);
        if (!isE164(phone) || !book.hasAgent(model_id)) return reply.code(400).send({});
        if (from_phone_number !== undefined && from_phone_number !== FROM) {
          return reply.code(400).send({});
        }
        const trouble = book.troubleOf(phone);
        if (book.isFull) return reply.code(429).send({});
        const call = await book.place({
          phone,
          agentId: text(model_id),
          from: FROM,
          variables: variablesOf(custom_variables),
          metadata: { name },
          trouble: trouble === 'ended_full' || trouble === 'ended_unpaid' ? trouble : null,
        });
        const response = { answer: 'ok', call_id: call.callId };
        return reply.send({ status: 'success', response });
      });
      app.get<{ Params: { id: string } }>('/v2/calls/:id', (request, reply) => {
        const call = book.call(request.params.id);
        if (call === undefined) return notFound(reply);
        const pagination = { total_records: 1, limit: 20, offset: 0 };
        const calls = [callOnWire(call, book.phaseOf(call))];
        return reply.send({ status: 'ok', response: { pagination, calls } });
      });
    },
    events: (call) => [{ at: call.settledAt, phase: 'settled' }],
    message: (call, { phase }, { secret }) => {
      const told = callOnWire(call, phase);
      const body = JSON.stringify({
        status: told.status,
        error_message: told.error_message,
        lead: { name: told.name, phone_number: call.phone },
        call: { ...told, start_time: iso(call.placedAt) },
        executed_actions: {},
        analysis: {},
      });
      const signature = createHmac('sha256', secret).update(call.callId).digest('base64');
      const headers = {
        'content-type': 'application/json',
        HTTP_SYNTHFLOW_SIGNATURE: signature,
      };
      return { body, headers };
    },
  };
}

function variablesOf(pairs: unknown): Record<string, unknown> {
  const list = Array.isArray(pairs) ? (pairs as unknown[]).map(fields) : [];
  return Object.fromEntries(list.map(({ key, value }) => [text(key), value]));
}

function notFound(reply: FastifyReply) {
  const detail = { status: 'error', description: 'Call not found.', category: 'not_found' };
  return reply.code(404).send({ detail: { ...detail, request_id: 'req_1' } });
}

const RUNNING: Record<Exclude<Phase, 'settled'>, string> = {
  queued: 'pending',
  ringing: 'ringing',
  in_progress: 'in-progress',
  ended: 'in-progress',
};

/** `status` and `end_call_reason` of a call that is over; a mailbox may have been spoken to or not. */
const ENDED: Record<ProviderOutcome, readonly [status: string, reason: string][]> = {
  answered: [
    ['completed', 'human_ended_call'],
    ['completed', 'agent_ended_call'],
    ['completed', 'custom_end_call'],
  ],
  voicemail: [
    ['hangup_on_voicemail', 'voicemail'],
    ['left_voicemail', 'voicemail_message_left'],
    ['completed', 'voicemail_cut_off'],
  ],
  no_answer: [['no-answer', 'error']],
  busy: [['busy', 'error']],
  failed: [['failed', 'error']],
};

const ERRORS = {
  ended_full:
    '429: Rate limit exceeded. Your rate limit per minute is 60. Contact Sales to increase the rate limit.',
  ended_unpaid: 'Insufficient Minutes',
};

function callOnWire(call: ProviderCall, phase: Phase) {
  const ends = ENDED[call.outcome];
  const [status, reason] = ends[call.ordinal % ends.length] ?? ['failed', 'error'];
  const isOver = phase === 'settled';
  const said = call.turns.map(({ role, text: line }) =>
    role === 'agent' ? `bot: ${line}` : `human: ${line}`,
  );
  return {
    call_id: call.callId,
    model_id: call.agentId,
    campaign_type: 'live',
    phone_number_from: call.from,
    phone_number_to: call.phone,
    name: call.metadata['name'],
    transcript: isOver ? said.join('\n') : '',
    duration: isOver ? call.durationS : 0,
    recording_url: null,
    end_call_reason: isOver ? reason : null,
    custom_end_call_reason: null,
    error_message: isOver && call.trouble !== null ? ERRORS[call.trouble] : '',
    executed_actions: {},
    prompt_variables: call.variables,
    type_of_call: 'outbound',
    start_time: String(call.placedAt),
    timezone: 'America/New_York',
    telephony_hangup: isOver && call.durationS > 0 ? 'callee' : null,
    telephony_disconnect_reason: isOver ? 'callee_hangup' : null,
    telephony_duration: isOver ? call.durationS * 1_000 : 0,
    telephony_start: iso(call.placedAt),
    telephony_end: isOver ? iso(endOf(call)) : null,
    status: phase === 'settled' ? status : RUNNING[phase],
    collected_variables: null,
  };
}
