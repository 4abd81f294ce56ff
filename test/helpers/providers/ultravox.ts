// Ultravox. Sources: its OpenAPI (see schemas/ultravox.ts); docs.ultravox.ai/telephony/outbound-calls,
// /essentials/concurrency (429), /webhooks/available-webhooks and /webhooks/securing-webhooks; read 2026-11-27. They
// leave open: the text of every refusal and what refuses a number, an agent or a key; largest pages; when a summary is
// there; whether the time that a webhook is signed with has a zone: here one has, the next has not.
import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endOf, iso, uuid } from './book.ts';
import type { ProviderAgent } from './book.ts';
import { fields, isE164, keyHook, pageAfter, query, shaped, size, text } from './http.ts';
import type { HttpClient, Phase, ProviderCall, ProviderOutcome } from './provider.ts';
import * as SCHEMAS from './schemas/ultravox.ts';

const KEY = 'aBCDef.123456';
const FROM = '+12125550199';
/** Of a call that was joined, by turns: it says who or what ended it, not who answered. */
const JOINED = ['hangup', 'agent_hangup', 'timeout', 'connection_error', 'system_error'];
const REASONS: Record<ProviderOutcome, readonly string[]> = {
  answered: JOINED,
  voicemail: JOINED,
  no_answer: ['unjoined'],
  busy: ['unjoined'],
  failed: ['connection_error', 'system_error'],
};

/** Events are signed `X-Ultravox-Webhook-Signature: <hex>,<hex>`: SHA-256 over the body and its time, once a secret. */
export function ultravox(): HttpClient {
  return {
    key: KEY,
    from: FROM,
    webhookSecret: 'ultravox-webhook-secret',
    outcomes: ['answered', 'no_answer', 'failed'],
    troubles: [],
    tells: { sentiment: false, transcript: true, summary: true, cost: 'never' },
    agentId: (ordinal) => uuid('ultravox agent', ordinal),
    callId: (ordinal) => uuid('ultravox call', ordinal),
    routes: (app, book) => {
      app.addHook(
        'onRequest',
        keyHook('x-api-key', [KEY], (reply) => refuse(reply, 401, 'Invalid API key.')),
      );
      app.get('/api/agents', { schema: SCHEMAS.LIST_AGENTS }, (request, reply) => {
        const page = pageFor(request, book.agents, ({ id }) => id, agentOnWire);
        return reply.send(shaped(request, SCHEMAS.pageOf(SCHEMAS.AGENT), page));
      });
      app.post<{ Params: { id: string } }>(
        '/api/agents/:id/calls',
        { schema: SCHEMAS.START_AGENT_CALL },
        async (request, reply) => {
          const body = fields(request.body);
          const { to, from } = fields(fields(fields(body['medium'])['twilio'])['outgoing']);
          if (!book.hasAgent(request.params.id)) return refuse(reply, 404, 'Not found.');
          if (!isE164(to) || from !== FROM) return refuse(reply, 400, 'Invalid medium.');
          if (book.isFull) return refuse(reply, 429, 'Too many requests.');
          const call = await book.place({
            phone: to,
            agentId: request.params.id,
            from: FROM,
            variables: fields(body['templateContext']),
            metadata: fields(body['metadata']),
          });
          return reply.code(201).send(shaped(request, SCHEMAS.CALL, callOnWire(call, 'queued')));
        },
      );
      app.get('/api/calls', { schema: SCHEMAS.LIST_CALLS }, (request, reply) => {
        const { fromDate } = query(request);
        const since = fromDate === undefined ? 0 : Date.parse(fromDate);
        const calls = book.calls.filter((call) => call.placedAt >= since).toReversed();
        const onWire = (call: ProviderCall) => callOnWire(call, book.phaseOf(call));
        const page = pageFor(request, calls, ({ callId }) => callId, onWire);
        return reply.send(shaped(request, SCHEMAS.pageOf(SCHEMAS.CALL), page));
      });
      app.get<{ Params: { id: string } }>(
        '/api/calls/:id',
        { schema: SCHEMAS.NO_QUERY },
        (request, reply) => {
          const call = book.call(request.params.id);
          if (call === undefined) return refuse(reply, 404, 'Not found.');
          return reply.send(shaped(request, SCHEMAS.CALL, callOnWire(call, book.phaseOf(call))));
        },
      );
      app.get<{ Params: { id: string } }>(
        '/api/calls/:id/messages',
        { schema: SCHEMAS.LIST_MESSAGES },
        (request, reply) => {
          const call = book.call(request.params.id);
          if (call === undefined) return refuse(reply, 404, 'Not found.');
          const page = pageFor(request, messagesOf(call), ({ at }) => String(at), messageOnWire);
          return reply.send(shaped(request, SCHEMAS.pageOf(SCHEMAS.MESSAGE), page));
        },
      );
    },
    events: (call) => [
      ...(call.answeredAt === null ? [] : [{ at: call.answeredAt, phase: 'in_progress' as const }]),
      { at: call.endedAt, phase: 'ended' },
      { at: call.settledAt, phase: 'settled' },
    ],
    message: (call, { phase }, { secret, now }) => {
      const body = JSON.stringify({ event: EVENTS[phase], call: callOnWire(call, phase) });
      const time = call.ordinal % 2 === 0 ? iso(now) : iso(now).replace('Z', '');
      const signedBy = (key: string) =>
        createHmac('sha256', key)
          .update(body + time)
          .digest('hex');
      const headers = {
        'content-type': 'application/json',
        'x-ultravox-webhook-timestamp': time,
        // While a secret is replaced, one of each.
        'x-ultravox-webhook-signature': `${signedBy('an older secret')},${signedBy(secret)}`,
      };
      return { body, headers };
    },
  };
}

const EVENTS: Partial<Record<Phase, string>> = {
  in_progress: 'call.joined',
  ended: 'call.ended',
  settled: 'call.billed',
};

function refuse(reply: FastifyReply, status: number, detail: string) {
  return reply.code(status).send({ detail });
}

/** The next page is a link. */
function pageFor<T>(
  request: FastifyRequest,
  items: readonly T[],
  idOf: (item: T) => string,
  onWire: (item: T) => object,
) {
  const { cursor, pageSize } = query(request);
  const { page, next } = pageAfter(items, idOf, cursor, size(pageSize, { max: 100, normal: 10 }));
  const link = new URL(request.url, `http://${request.host}`);
  if (next !== null) link.searchParams.set('cursor', next);
  return {
    next: next === null ? null : link.href,
    previous: null,
    results: page.map(onWire),
    total: items.length,
  };
}

function agentOnWire({ id, name, createdAt }: ProviderAgent) {
  return {
    agentId: id,
    publishedRevisionId: null,
    name,
    created: iso(createdAt),
    callTemplate: { systemPrompt: `You are ${name}.` },
    statistics: { calls: 0 },
  };
}

function callOnWire(call: ProviderCall, phase: Phase) {
  const isOver = phase === 'ended' || phase === 'settled';
  const joined = call.answeredAt !== null && (isOver || phase === 'in_progress');
  const reasons = REASONS[call.outcome];
  return {
    callId: call.callId,
    clientVersion: null,
    created: iso(call.placedAt),
    joined: joined ? iso(call.answeredAt ?? 0) : null,
    ended: isOver ? iso(endOf(call)) : null,
    endReason: isOver ? reasons[call.ordinal % reasons.length] : null,
    billedDuration: phase === 'settled' ? `${call.durationS}s` : null,
    billedSideInputTokens: null,
    billedSideOutputTokens: null,
    billingStatus: phase === 'settled' ? 'BILLING_STATUS_BILLED' : 'BILLING_STATUS_PENDING',
    firstSpeaker: 'FIRST_SPEAKER_USER',
    firstSpeakerSettings: { user: {} },
    initialOutputMedium: 'MESSAGE_MEDIUM_VOICE',
    joinUrl: null,
    medium: { twilio: { outgoing: { to: call.phone, from: call.from } } },
    summary: isOver ? call.summary : null,
    shortSummary: isOver ? call.summary : null,
    agent: { agentId: call.agentId, name: 'Agent' },
    agentId: call.agentId,
    experimentalSettings: null,
    metadata: call.metadata,
    initialState: {},
    requestContext: null,
    sipDetails: null,
  };
}

/** What the agent looked up stands between what was said. */
function messagesOf({ turns }: ProviderCall) {
  const said = turns.map(({ role, text: words }) => ({
    role: `MESSAGE_ROLE_${ROLES[role]}`,
    words,
  }));
  const lookedUp = { role: 'MESSAGE_ROLE_TOOL_CALL', words: '{}' };
  return (said.length > 2 ? [...said, lookedUp] : said).map((each, at) => ({ ...each, at }));
}

const ROLES = { agent: 'AGENT', person: 'USER' };

function messageOnWire({ role, words, at }: ReturnType<typeof messagesOf>[number]) {
  return { role, text: text(words), callStageMessageIndex: at };
}
