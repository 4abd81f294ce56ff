// Bland. Source: docs.bland.ai api-v1 (calls-id, calls, post-calls), tutorials on post-call webhooks and webhook
// signing, CINTELLILABS/bland-plugins skills/calls/SKILL.md (18d353a); read 2026-11. No OpenAPI is published.
import { createHmac } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { endOf, iso, uuid } from './book.ts';
import { fields, isE164, keyHook, query, size, text } from './http.ts';
import type { Phase, ProviderCall, ProviderOutcome, Wire } from './provider.ts';

const KEY = 'sk-bland';
const FROM = '+12125550199';
const STATUS: Record<ProviderOutcome, string> = {
  answered: 'completed',
  voicemail: 'completed',
  no_answer: 'no-answer',
  busy: 'busy',
  failed: 'failed',
};

/** Events are signed `X-Webhook-Signature: <hex>`, SHA-256 over the body alone. */
export function bland(): Wire {
  return {
    key: KEY,
    from: FROM,
    webhookSecret: 'bland-signing-secret',
    outcomes: ['answered', 'voicemail', 'no_answer', 'busy', 'failed'],
    troubles: [],
    tells: { sentiment: false, transcript: true, summary: true, cost: 'answered' },
    agentId: (ordinal) => uuid('bland persona', ordinal),
    callId: (ordinal) => uuid('bland call', ordinal),
    routes: (app, book) => {
      app.addHook(
        'onRequest',
        keyHook('authorization', [KEY, `Bearer ${KEY}`], (reply) =>
          refuse(reply, 401, 'AUTH_INVALID', 'Invalid authorization header.'),
        ),
      );
      app.get('/v1/personas', (request, reply) => {
        const { page, limit } = query(request);
        const count = size(limit, { max: 100, normal: 20 });
        const start = (size(page, { max: Infinity, normal: 1 }) - 1) * count;
        const shown = book.agents.slice(start, start + count);
        const data = shown.map(({ id, name }) => ({ id, name, deleted_at: null }));
        return reply.send({ data, errors: null });
      });
      app.post('/v1/calls', async (request, reply) => {
        const body = fields(request.body);
        if (!isE164(body['phone_number'])) {
          return refuse(reply, 400, 'INVALID_PARAMETER', 'phone_number is not a valid number.');
        }
        const isPersona = book.hasAgent(body['persona_id']);
        if (!isPersona && body['task'] === undefined && body['pathway_id'] === undefined) {
          return refuse(reply, 400, 'INVALID_PARAMETER', 'Missing task, pathway_id or persona_id.');
        }
        if (book.isFull) {
          return refuse(reply, 429, 'CALL_RL_PLAN_CONCURRENCY', 'A call is already running.');
        }
        const call = await book.place({
          phone: body['phone_number'],
          agentId: text(body['persona_id']),
          from: typeof body['from'] === 'string' ? body['from'] : FROM,
          variables: fields(body['request_data']),
          metadata: fields(body['metadata']),
        });
        return reply.send({
          status: 'success',
          message: 'Call successfully queued.',
          call_id: call.callId,
          batch_id: null,
        });
      });
      app.get<{ Params: { id: string } }>('/v1/calls/:id', (request, reply) => {
        const call = book.call(request.params.id);
        if (call !== undefined) return reply.send(callOnWire(call, book.phaseOf(call)));
        return refuse(reply, 404, 'CALL_NOT_FOUND', 'Call not found.');
      });
      app.get('/v1/calls', (request, reply) => {
        const { from, limit, start_date, to_number } = query(request);
        const since = start_date === undefined ? 0 : Date.parse(start_date);
        const calls = book.calls
          .filter((call) => call.placedAt >= since)
          .filter((call) => to_number === undefined || call.phone === to_number)
          .toReversed();
        const start = Number(from ?? 0);
        const page = calls.slice(start, start + size(limit, { max: 1_000, normal: 1_000 }));
        return reply.send({
          total_count: calls.length,
          count: page.length,
          calls: page.map((call) => listed(call, book.phaseOf(call))),
        });
      });
    },
    events: (call) => [{ at: call.settledAt, phase: 'settled' }],
    message: (call, { phase }, { secret }) => {
      const body = JSON.stringify(callOnWire(call, phase));
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'content-type': 'application/json', 'x-webhook-signature': signature };
      return { body, headers };
    },
  };
}

function refuse(reply: FastifyReply, status: number, error: string, message: string) {
  return reply.code(status).send({ data: null, errors: [{ error, message }] });
}

const QUEUE: Record<Phase, string> = {
  queued: 'queued',
  ringing: 'started',
  in_progress: 'started',
  ended: 'started',
  settled: 'complete',
};

/** What a list says of a call: not what was said. */
function listed(call: ProviderCall, phase: Phase) {
  const whole = callOnWire(call, phase);
  const { call_id, created_at, call_length, to, from, completed, queue_status, error_message } =
    whole;
  const { answered_by, batch_id } = whole;
  const rest = { completed, queue_status, error_message, answered_by, batch_id };
  return { call_id, created_at, call_length, to, from, ...rest };
}

/** The length is in minutes; `completed` is what counts, and the status is `unknown` before. */
function callOnWire(call: ProviderCall, phase: Phase) {
  const isOver = phase === 'settled';
  const transcripts = call.turns.map(({ role, text: said }, index) => ({
    id: index + 1,
    created_at: iso(call.placedAt + index),
    text: said,
    user: role === 'agent' ? 'assistant' : 'user',
  }));
  return {
    call_id: call.callId,
    c_id: call.callId,
    batch_id: null,
    to: call.phone,
    from: call.from,
    inbound: false,
    created_at: iso(call.placedAt),
    started_at: call.answeredAt === null ? null : iso(call.answeredAt),
    end_at: isOver ? iso(endOf(call)) : null,
    completed: isOver,
    status: isOver ? STATUS[call.outcome] : 'unknown',
    queue_status: isOver && call.outcome === 'failed' ? 'call_error' : QUEUE[phase],
    error_message: isOver && call.outcome === 'failed' ? 'The call could not be connected.' : null,
    call_length: isOver ? call.durationS / 60 : 0,
    corrected_duration: isOver ? String(call.durationS) : null,
    answered_by: isOver ? answeredBy(call) : null,
    call_ended_by: isOver && call.outcome === 'answered' ? 'USER' : null,
    request_data: call.variables,
    variables: { phone_number: call.phone, ...call.variables },
    metadata: call.metadata,
    persona_id: call.agentId,
    record: false,
    recording_url: null,
    summary: isOver ? call.summary : null,
    price: isOver ? call.costUsd : null,
    analysis: null,
    transcripts: isOver ? transcripts : [],
    concatenated_transcript: isOver
      ? transcripts.map(({ user, text: said }) => ` ${user}: ${said} \n`).join('')
      : '',
  };
}

function answeredBy({ outcome }: ProviderCall): string | null {
  if (outcome === 'answered') return 'human';
  if (outcome === 'voicemail') return 'voicemail';
  return outcome === 'no_answer' ? 'no-answer' : null;
}
