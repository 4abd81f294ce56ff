// Bolna. Source: bolna-ai/skills references/{openapi.yml,execution-payload.md,call-statuses.md,hangup-codes.md,
// bolna-core.md}, make-call and debug-bolna-calls (28b24aa, 2026-05-27), read 2026-11-22.
import type { FastifyReply } from 'fastify';
import { iso, uuid } from './book.ts';
import { fields, isE164, keyHook, query, size, text } from './http.ts';
import type { Phase, ProviderCall, ProviderOutcome, HttpClient } from './provider.ts';
import { LIST_EXECUTIONS, MAKE_CALL, NO_QUERY, ONE_EXECUTION } from './schemas/bolna.ts';

const KEY = 'bn-key';
const FROM = '+12125550199';
const FINAL: Record<ProviderOutcome, string> = {
  answered: 'completed',
  voicemail: 'completed',
  no_answer: 'no-answer',
  busy: 'busy',
  failed: 'failed',
};

/** Events are the execution itself at every change of its status, and are not signed. */
export function bolna(): HttpClient {
  return {
    key: KEY,
    from: FROM,
    webhookSecret: null,
    outcomes: ['answered', 'voicemail', 'no_answer', 'busy', 'failed'],
    // An empty wallet does not refuse a dial: it ends every call as `balance-low`.
    troubles: ['configuration', 'ended_full', 'ended_unpaid'],
    tells: { sentiment: false, transcript: true, summary: false, cost: 'always' },
    agentId: (ordinal) => uuid('bolna agent', ordinal),
    callId: (ordinal) => uuid('bolna execution', ordinal),
    routes: (app, book) => {
      app.addHook(
        'onRequest',
        keyHook('authorization', [`Bearer ${KEY}`], (reply) => refuse(reply, 401, 'Access denied')),
      );
      app.get('/v2/agent/all', { schema: NO_QUERY }, (_request, reply) =>
        reply.send(
          book.agents.map(({ id, name, createdAt }) => ({
            id,
            agent_name: name,
            agent_type: 'other',
            agent_status: 'processed',
            created_at: iso(createdAt),
          })),
        ),
      );
      app.post('/call', { schema: MAKE_CALL }, async (request, reply) => {
        const body = fields(request.body);
        const to = body['recipient_phone_number'];
        if (!book.hasAgent(body['agent_id'])) return refuse(reply, 404, 'Agent not found');
        if (!isE164(to)) return refuse(reply, 422, 'invalid phone number format');
        const trouble = book.troubleOf(to);
        if (trouble === 'configuration') return refuse(reply, 422, NOT_OWNED);
        if (book.isFull) return refuse(reply, 429, 'Too many requests');
        const call = await book.place({
          ...(trouble === 'ended_full' || trouble === 'ended_unpaid' ? { trouble } : {}),
          phone: to,
          agentId: text(body['agent_id']),
          from: typeof body['from_phone_number'] === 'string' ? body['from_phone_number'] : FROM,
          variables: fields(body['user_data']),
          metadata: {},
        });
        return reply.send({ message: 'done', status: 'queued', execution_id: call.callId });
      });
      app.get<{ Params: { id: string } }>(
        '/executions/:id',
        { schema: ONE_EXECUTION },
        (request, reply) => {
          const call = book.call(request.params.id);
          if (call === undefined) return refuse(reply, 400, 'Execution not found');
          return reply.send(execution(call, book.phaseOf(call)));
        },
      );
      const list = { schema: LIST_EXECUTIONS };
      app.get<{ Params: { id: string } }>('/v2/agent/:id/executions', list, (request, reply) => {
        const { page_number, page_size, from } = query(request);
        const since = from === undefined ? 0 : Date.parse(from);
        const calls = book.calls
          .filter((call) => call.agentId === request.params.id && call.placedAt >= since)
          .toReversed();
        const number = size(page_number, { max: 100_000, normal: 1 });
        const count = size(page_size, { max: 50, normal: 20 });
        const page = calls.slice((number - 1) * count, number * count);
        return reply.send({
          page_number: number,
          page_size: count,
          total: calls.length,
          has_more: number * count < calls.length,
          data: page.map((call) => execution(call, book.phaseOf(call))),
        });
      });
      app.get('/user/me', { schema: NO_QUERY }, (_request, reply) => {
        const { capacity: max, inProgress: current } = book;
        return reply.send({ id: uuid('bolna user', 0), concurrency: { max, current } });
      });
    },
    events: (call) => [
      { at: call.placedAt, phase: 'ringing' },
      ...(call.answeredAt === null ? [] : [{ at: call.answeredAt, phase: 'in_progress' as const }]),
      { at: call.endedAt, phase: 'ended' },
      { at: call.settledAt, phase: 'settled' },
    ],
    message: (call, { phase }) => ({
      body: JSON.stringify(execution(call, phase)),
      headers: { 'content-type': 'application/json' },
    }),
  };
}

function refuse(reply: FastifyReply, error: number, message: string) {
  return reply.code(error).send({ error, message });
}

/** debug-bolna-calls/SKILL.md, "Status: failed / error". */
const NOT_OWNED = 'from_phone_number not owned by account';

function statusOf(call: ProviderCall, phase: Phase): string {
  // Its reason is there with it.
  if (call.trouble !== null) return phase === 'settled' ? ENDED[call.trouble] : 'queued';
  if (phase === 'queued' || phase === 'ringing') return phase;
  if (phase === 'in_progress') return 'in-progress';
  return phase === 'ended' ? 'call-disconnected' : FINAL[call.outcome];
}

const ENDED = { ended_unpaid: 'balance-low', ended_full: 'failed' };

function errorOf({ trouble, outcome }: ProviderCall): string | null {
  if (trouble === 'ended_full') return 'concurrency limit reached';
  return trouble === null && outcome === 'failed' ? 'Call could not be connected' : null;
}

/** hangup-codes.md, "Carrier-side hangup reasons". */
const HANGUP: Record<ProviderOutcome, string> = {
  answered: 'Call recipient hung up',
  voicemail: 'Call completed',
  no_answer: 'Call unanswered',
  busy: 'Call recipient was busy',
  failed: 'Carrier declined',
};

/** `conversation_duration` is a number, the telephony's own duration a text; costs are in cents. */
function execution(call: ProviderCall, phase: Phase) {
  const isSettled = phase === 'settled';
  const isOver = isSettled || phase === 'ended';
  return {
    id: call.callId,
    agent_id: call.agentId,
    batch_id: null,
    status: statusOf(call, phase),
    error_message: isSettled ? errorOf(call) : null,
    conversation_duration: isSettled ? call.durationS : 0,
    total_cost: isSettled ? (call.costUsd ?? 0) * 100 : 0,
    answered_by_voice_mail: isSettled && call.outcome === 'voicemail',
    transcript: isSettled
      ? call.turns
          .map((turn) => `${turn.role === 'agent' ? 'assistant' : 'user'}: ${turn.text}\n`)
          .join('')
      : '',
    created_at: iso(call.placedAt),
    updated_at: iso(isOver ? call.endedAt : call.placedAt),
    telephony_data: {
      duration: isOver ? String(call.durationS) : '0',
      to_number: call.phone,
      from_number: call.from,
      recording_url:
        isSettled && call.durationS > 0 ? `https://rec.example.com/${call.callId}` : null,
      hosted_telephony: true,
      call_type: 'outbound',
      provider: 'twilio',
      ...(isOver && call.trouble === null
        ? { hangup_by: 'Carrier', hangup_reason: HANGUP[call.outcome] }
        : {}),
    },
    extracted_data: null,
    context_details: { recipient_data: call.variables },
  };
}
