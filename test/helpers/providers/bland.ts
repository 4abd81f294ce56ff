// Bland. Source: repository CINTELLILABS/docs at 91809e1 (2026-08-09): api-v1/post/calls, get/calls-id, get/calls,
// get/personas, tutorials/post-call-webhooks and webhook-signing; read 2026-11-22. No OpenAPI is published.
import { createHmac } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { endOf, iso, uuid } from './book.ts';
import type { ProviderAgent } from './book.ts';
import { fields, isE164, keyHook, query, size, text } from './http.ts';
import type { Phase, ProviderCall, ProviderOutcome, HttpClient } from './provider.ts';
import { LIST_CALLS, LIST_PERSONAS, SEND_CALL } from './schemas/bland.ts';

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
export function bland(): HttpClient {
  return {
    key: KEY,
    from: FROM,
    webhookSecret: 'bland-signing-secret',
    outcomes: ['answered', 'voicemail', 'no_answer', 'busy', 'failed'],
    troubles: ['money', 'configuration'],
    tells: { sentiment: false, transcript: true, summary: true, cost: 'answered' },
    agentId: (ordinal) => uuid('bland persona', ordinal),
    callId: (ordinal) => uuid('bland call', ordinal),
    routes: (app, book) => {
      app.addHook(
        'onRequest',
        keyHook('authorization', [KEY, `Bearer ${KEY}`], (reply) =>
          coded(reply, 401, 'AUTH_FAILURE', 'Unauthorized'),
        ),
      );
      app.get('/v1/personas', { schema: { querystring: LIST_PERSONAS } }, (request, reply) => {
        const { page, limit } = query(request);
        const count = size(limit, { max: 100, normal: 20 });
        const start = (Number(page ?? 1) - 1) * count;
        const data = book.agents.slice(start, start + count).map(personaOnWire);
        return reply.send({ data, errors: null });
      });
      app.post('/v1/calls', { schema: { body: SEND_CALL } }, async (request, reply) => {
        const body = fields(request.body);
        if (!isE164(body['phone_number'])) {
          return refuse(reply, 400, BAD_NUMBER);
        }
        // What a dial with an unknown persona is answered with is not documented.
        if (body['persona_id'] !== undefined && !book.hasAgent(body['persona_id'])) {
          return refuse(reply, 400, 'Invalid parameters');
        }
        const trouble = book.troubleOf(body['phone_number']);
        if (trouble === 'money') return refuse(reply, 402, 'Insufficient balance.');
        if (trouble === 'configuration') return refuse(reply, 400, BAD_FROM);
        if (book.isFull) return refuse(reply, 429, 'Rate limit exceeded');
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
        // What an unknown call is answered with is not documented.
        return coded(reply, 404, 'CALL_NOT_FOUND', 'Call not found.');
      });
      app.get('/v1/calls', { schema: { querystring: LIST_CALLS } }, (request, reply) => {
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

const BAD_NUMBER = 'Invalid phone number. Please include a country code if outside the US.';
const BAD_FROM = "Invalid 'from' - must be a phone number string with 10 or 12 digits.";

function refuse(reply: FastifyReply, status: number, message: string) {
  return reply.code(status).send({ status: 'error', message });
}

function coded(reply: FastifyReply, status: number, error: string, message: string) {
  return reply.code(status).send({ data: null, errors: [{ error, message }] });
}

function personaOnWire({ id, name, createdAt }: ProviderAgent) {
  const at = iso(createdAt);
  const prompts = { orchestration_prompt: null, personality_prompt: `You are ${name}.` };
  return {
    id,
    name,
    role: null,
    description: null,
    tags: [],
    image_url: null,
    created_at: at,
    updated_at: at,
    deleted_at: null,
    inbound_numbers: [],
    current_production_version: { persona_id: id, version_type: 'production', ...prompts },
    current_draft_version: { persona_id: id, version_type: 'draft', ...prompts },
  };
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
  const whole: Partial<ReturnType<typeof callOnWire>> = callOnWire(call, phase);
  delete whole.transcripts;
  delete whole.concatenated_transcript;
  return whole;
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
  const error = isOver ? errorOf(call) : null;
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
    queue_status: error?.queue_status ?? QUEUE[phase],
    error_message: error?.error_message ?? null,
    call_length: isOver ? call.durationS / 60 : 0,
    corrected_duration: isOver ? String(call.durationS) : null,
    answered_by: isOver ? answeredBy(call) : null,
    call_ended_by: isOver && call.outcome === 'answered' ? 'USER' : null,
    request_data: { phone_number: call.phone, persona_id: call.agentId, ...call.variables },
    variables: { phone_number: call.phone, call_id: call.callId, ...call.variables },
    metadata: call.metadata,
    persona_id: call.agentId,
    record: false,
    recording_url: null,
    summary: isOver ? call.summary : null,
    price: isOver ? call.costUsd : null,
    analysis: null,
    disposition_tag: null,
    transcripts: isOver ? transcripts : [],
    concatenated_transcript: isOver
      ? transcripts.map(({ user, text: said }) => ` ${user}: ${said} \n`).join('')
      : '',
  };
}

/** A failed dial; and now and then something that failed after a call that was well. */
function errorOf(call: ProviderCall) {
  if (call.outcome === 'failed') {
    const error_message = 'Call failed. The number you dialed is temporarily unavailable.';
    return { queue_status: 'call_error', error_message };
  }
  if (call.outcome !== 'answered' || call.ordinal % 3 !== 0) return null;
  return { queue_status: 'complete_error', error_message: 'A post-call webhook failed.' };
}

/** Where it is not enabled, or was too short to tell, nobody says that a person answered. */
function answeredBy({ outcome, ordinal }: ProviderCall): string | null {
  if (outcome === 'answered') return ['unknown', 'human'][ordinal % 2] ?? null;
  if (outcome === 'voicemail') return 'voicemail';
  return outcome === 'no_answer' ? 'no-answer' : null;
}
