// Vapi. Source: VapiAI/docs fern/apis/api/openapi.json (2026-08-20), docs on server events, server
// authentication and call concurrency (read 2026-11). Error bodies are those of its framework, from examples.
import { createHmac } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { endOf, iso, uuid } from './book.ts';
import { fields, isE164, keyHook, query, size, text } from './http.ts';
import type { Fields } from './http.ts';
import type { Phase, ProviderCall, ProviderOutcome, Wire } from './provider.ts';

const KEY = 'vapi-private-key';
const ORG = uuid('vapi org', 0);
const FROM = uuid('vapi phone number', 0);
const ENDED_REASON: Record<ProviderOutcome, string> = {
  answered: 'customer-ended-call',
  voicemail: 'voicemail',
  no_answer: 'customer-did-not-answer',
  busy: 'customer-busy',
  failed: 'twilio-failed-to-connect-call',
};

/** Events are signed with its HMAC defaults: `x-signature` over `{timestamp}.{body}`, hex SHA-256. */
export function vapi(): Wire {
  return {
    key: KEY,
    from: FROM,
    webhookSecret: 'vapi-webhook-secret',
    outcomes: ['answered', 'voicemail', 'no_answer', 'busy', 'failed'],
    troubles: [],
    tells: { sentiment: false, transcript: true, summary: true, cost: 'answered' },
    agentId: (ordinal) => uuid('vapi assistant', ordinal),
    callId: (ordinal) => uuid('vapi call', ordinal),
    routes: (app, book) => {
      app.addHook(
        'onRequest',
        keyHook('authorization', [`Bearer ${KEY}`], (reply) =>
          refuse(
            reply,
            401,
            'Unauthorized',
            'Invalid Key. Hot tip, you may be using the wrong key.',
          ),
        ),
      );
      app.get('/assistant', (request, reply) => {
        const { limit, createdAtLt } = query(request);
        const before = createdAtLt === undefined ? Infinity : Date.parse(createdAtLt);
        const page = book.agents
          .filter((agent) => agent.createdAt < before)
          .slice(0, size(limit, { max: 1_000, normal: 100 }));
        return reply.send(page.map(assistant));
      });
      app.post('/call', async (request, reply) => {
        const body = fields(request.body);
        const customer = fields(body['customer']);
        const wrong = [
          ...(isE164(customer['number'])
            ? []
            : ['customer.number must be a valid phone number in the E.164 format.']),
          ...(body['phoneNumberId'] === FROM ? [] : ["Couldn't find phone number."]),
          ...(book.hasAgent(body['assistantId']) ? [] : ["Couldn't find assistant."]),
        ];
        if (wrong.length > 0) return refuse(reply, 400, 'Bad Request', wrong);
        if (book.isFull) return refuse(reply, 400, 'Bad Request', 'Over Concurrency Limit.');
        const overrides = fields(body['assistantOverrides']);
        const call = await book.place({
          phone: text(customer['number']),
          agentId: text(body['assistantId']),
          from: FROM,
          variables: fields(overrides['variableValues']),
          metadata: { ...fields(overrides['metadata']), ...nameOf(customer, body) },
        });
        const subscriptionLimits = {
          concurrencyBlocked: false,
          concurrencyLimit: 10,
          remainingConcurrentCalls: 9,
        };
        return reply.code(201).send({ ...callOnWire(call, 'queued'), subscriptionLimits });
      });
      app.get<{ Params: { id: string } }>('/call/:id', (request, reply) => {
        const call = book.call(request.params.id);
        if (call === undefined) return refuse(reply, 404, 'Not Found', "Couldn't find call.");
        return reply.send(callOnWire(call, book.phaseOf(call)));
      });
      app.get('/call', (request, reply) => {
        const { limit, createdAtGe, createdAtLt } = query(request);
        const from = createdAtGe === undefined ? 0 : Date.parse(createdAtGe);
        const to = createdAtLt === undefined ? Infinity : Date.parse(createdAtLt);
        const page = book.calls
          .filter((call) => call.placedAt >= from && call.placedAt < to)
          .toReversed()
          .slice(0, size(limit, { max: 1_000, normal: 100 }));
        return reply.send(page.map((call) => callOnWire(call, book.phaseOf(call))));
      });
    },
    events: (call) => [
      { at: call.endedAt, phase: 'ended' },
      { at: call.settledAt, phase: 'settled' },
    ],
    message: (call, { phase }, { secret, now }) => {
      const { artifact, analysis, ...whole } = callOnWire(call, phase);
      const { status, endedReason, startedAt, endedAt, cost } = whole;
      const message =
        phase === 'settled'
          ? {
              type: 'end-of-call-report',
              endedReason,
              startedAt,
              endedAt,
              cost,
              artifact,
              analysis,
            }
          : { type: 'status-update', status, endedReason };
      const body = JSON.stringify({ message: { timestamp: now, ...message, call: whole } });
      const signature = createHmac('sha256', secret).update(`${now}.${body}`).digest('hex');
      const headers = {
        'content-type': 'application/json',
        'x-timestamp': String(now),
        'x-signature': signature,
      };
      return { body, headers };
    },
  };
}

function refuse(reply: FastifyReply, statusCode: number, error: string, message: unknown) {
  return reply.code(statusCode).send({ message, error, statusCode });
}

function assistant({ id, name, createdAt }: { id: string; name: string; createdAt: number }) {
  return { id, orgId: ORG, name, createdAt: iso(createdAt), updatedAt: iso(createdAt) };
}

/** Its own reference of a call and of a customer comes back with the call. */
function nameOf(customer: Record<string, unknown>, body: Record<string, unknown>) {
  const { externalId } = customer;
  const { name } = body;
  return {
    ...(externalId === undefined ? {} : { externalId }),
    ...(name === undefined ? {} : { name }),
  };
}

const STATUS: Record<Phase, string> = {
  queued: 'queued',
  ringing: 'ringing',
  in_progress: 'in-progress',
  ended: 'ended',
  settled: 'ended',
};

function callOnWire(call: ProviderCall, phase: Phase): Fields {
  const { externalId, name, ...metadata } = call.metadata;
  const isOver = phase === 'ended' || phase === 'settled';
  const base = {
    id: call.callId,
    orgId: ORG,
    type: 'outboundPhoneCall',
    createdAt: iso(call.placedAt),
    updatedAt: iso(isOver ? call.endedAt : call.placedAt),
    status: STATUS[phase],
    assistantId: call.agentId,
    phoneNumberId: call.from,
    customer: { number: call.phone, ...(externalId === undefined ? {} : { externalId }) },
    ...(name === undefined ? {} : { name }),
    assistantOverrides: { variableValues: call.variables, metadata },
    phoneCallProvider: 'twilio',
    phoneCallTransport: 'pstn',
  };
  if (!isOver) return base;
  // The duration is to be had from these two only.
  const talked = call.answeredAt === null ? {} : { startedAt: iso(call.answeredAt) };
  const over = { ...base, endedReason: ENDED_REASON[call.outcome], ...talked };
  const ended = { ...over, endedAt: iso(endOf(call)) };
  if (phase === 'ended') return ended;
  const messages = call.turns.map(({ role, text: message }, index) => ({
    role: role === 'agent' ? 'bot' : 'user',
    message,
    secondsFromStart: index * 3,
  }));
  return {
    ...ended,
    ...(call.costUsd === null
      ? {}
      : { cost: call.costUsd, costBreakdown: { total: call.costUsd } }),
    artifact: {
      messages,
      transcript: call.turns
        .map(({ role, text: said }) => `${role === 'agent' ? 'AI' : 'User'}: ${said}\n`)
        .join(''),
      recordingUrl: `https://storage.example.com/${call.callId}-mono.wav`,
    },
    analysis:
      call.summary === null
        ? { successEvaluation: 'false' }
        : { summary: call.summary, successEvaluation: 'true' },
  };
}
