// Vogent. Sources: its pages as kept in crowe452/vogent-docs at d7fb808 (2025-12-14): create-a-new-dial, get-dial,
// list-agents, dial-statuses, webhooks, api-settings; read 2026-11-27. They leave open: the text of every refusal,
// which of 400 and 422 is whose, and what answers a wrong key, an unknown dial or one dial too many; in what order the
// answer of a read is filled. Here the transcript is there when its webhook says that it is final, after the end of
// the call. The 409 of its newer OpenAPI is not played: how the key that it speaks of is sent is not published.
import { createHmac } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { endOf, iso, uuid } from './book.ts';
import { fields, isE164, keyHook, pageAfter, query, shaped, size, text } from './http.ts';
import type { HttpClient, Phase, ProviderCall, ProviderOutcome } from './provider.ts';
import { AGENTS, CREATE_DIAL, DIAL, LIST_AGENTS } from './schemas/vogent.ts';

const KEY = 'vogent-key';
const FROM = uuid('vogent number', 0);
/** Statuses at the end, and by turns what the system says of it. */
const ENDS: Record<ProviderOutcome, readonly [status: string, ...types: (string | null)[]]> = {
  answered: [
    'completed',
    'COUNTERPARTY_HANGUP',
    'AGENT_HANGUP',
    null,
    'USER_HANGUP',
    'TIMEOUT',
    'LONG_SILENCE_HANGUP',
    'TRANSFERRED',
  ],
  voicemail: ['completed', 'VOICEMAIL_DETECTED_HANGUP'],
  no_answer: ['no-answer', 'NO_ANSWER', null],
  busy: ['busy', 'BUSY', null],
  failed: ['failed', 'FAILED', null],
};

/** Events are signed `X-Elto-Signature: <hex>`, SHA-256 over the body. */
export function vogent(): HttpClient {
  return {
    key: KEY,
    from: FROM,
    webhookSecret: 'vogent-signing-secret',
    outcomes: ['answered', 'voicemail', 'no_answer', 'busy', 'failed'],
    troubles: [],
    tells: { sentiment: false, transcript: true, summary: false, cost: 'never' },
    agentId: (ordinal) => uuid('vogent agent', ordinal),
    callId: (ordinal) => uuid('vogent dial', ordinal),
    routes: (app, book) => {
      app.addHook(
        'onRequest',
        keyHook('authorization', [`Bearer ${KEY}`], (reply) => refuse(reply, 401, 'Unauthorized')),
      );
      app.get('/agents', { schema: LIST_AGENTS }, (request, reply) => {
        const { limit, cursor } = query(request);
        const count = size(limit, { max: 100, normal: 100 });
        const { page, next } = pageAfter(book.agents, ({ id }) => id, cursor, count);
        const data = page.map(({ id, name }) => ({ id, name, language: 'en' }));
        return reply.send(shaped(request, AGENTS, { data, cursor: next }));
      });
      app.post('/dials', { schema: CREATE_DIAL }, async (request, reply) => {
        const body = fields(request.body);
        const { toNumber, callAgentId, fromNumberId } = body;
        if (!book.hasAgent(callAgentId)) return refuse(reply, 400, 'Invalid input');
        if (!isE164(toNumber) || fromNumberId !== FROM || body['browserCall'] === true)
          return refuse(reply, 422, 'Validation exception');
        if (book.isFull) return refuse(reply, 429, 'Concurrent dial limit reached');
        const call = await book.place({
          phone: toNumber,
          agentId: text(callAgentId),
          from: FROM,
          variables: fields(body['callAgentInput']),
          metadata: {},
        });
        const sessionId = uuid('vogent session', call.ordinal);
        return reply.send({ dialToken: 'token', sessionId, dialId: call.callId });
      });
      app.get<{ Params: { id: string } }>('/dials/:id', (request, reply) => {
        const call = book.call(request.params.id);
        if (call === undefined) return refuse(reply, 404, 'Not found');
        return reply.send(shaped(request, DIAL, dialOnWire(call, book.phaseOf(call))));
      });
    },
    events: (call) => [
      { at: call.placedAt, phase: 'ringing' },
      ...(call.answeredAt === null ? [] : [{ at: call.answeredAt, phase: 'in_progress' as const }]),
      { at: call.endedAt, phase: 'ended' },
      ...(call.turns.length === 0 ? [] : [{ at: call.settledAt, phase: 'settled' as const }]),
    ],
    message: (call, { phase }, { secret }) => {
      const { status, transcript } = dialOnWire(call, phase);
      const dial_id = call.callId;
      const dial_session_id = uuid('vogent session', call.ordinal);
      const body = JSON.stringify(
        phase === 'settled'
          ? { event: 'dial.transcript', payload: { dial_id, transcript } }
          : { event: 'dial.updated', payload: { dial_session_id, dial_id, status } },
      );
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'content-type': 'application/json', 'x-elto-signature': signature };
      return { body, headers };
    },
  };
}

function refuse(reply: FastifyReply, status: number, message: string) {
  return reply.code(status).send({ message });
}

const BEFORE: Partial<Record<Phase, string>> = {
  queued: 'queued',
  ringing: 'ringing',
  in_progress: 'in-progress',
};

function dialOnWire(call: ProviderCall, phase: Phase) {
  const [end, ...types] = ENDS[call.outcome];
  const base = {
    id: call.callId,
    toNumber: call.phone,
    agent: { id: call.agentId, name: 'Agent', language: 'en' },
    fromNumberId: call.from,
    inputs: call.variables,
    createdAt: iso(call.placedAt),
    status: BEFORE[phase] ?? end,
    transcript: phase === 'settled' ? transcriptOf(call) : [],
  };
  if (base.status !== end) return base;
  return {
    ...base,
    ...(call.answeredAt === null ? {} : { startedAt: iso(call.answeredAt) }),
    endedAt: iso(endOf(call)),
    durationSeconds: call.durationS,
    systemResultType: types[call.ordinal % types.length],
    recordings: call.answeredAt === null ? [] : [{ url: 'https://recordings.example.com/1' }],
    aiResult: {},
  };
}

/** What a function gave back stands between what was said, as words of the agent. */
function transcriptOf({ turns }: ProviderCall) {
  const said = turns.map(({ role, text: words }) => ({
    text: words,
    speaker: role === 'agent' ? 'AI' : 'HUMAN',
    detailType: null,
  }));
  const gaveBack = { text: '{"open":"9-17"}', speaker: 'AI', detailType: 'function' };
  return said.length > 2 ? [...said, gaveBack] : said;
}
