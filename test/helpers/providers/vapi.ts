// Vapi. Source: VapiAI/docs at eabfa53 (2026-08-20): fern/apis/api/openapi.json, pages on server events, server
// authentication and call concurrency (read 2026-11-22). Of refusals it publishes the status only; their bodies are
// those that users quote. For want of money it publishes what ends a call, not what refuses a dial.
import { createHmac } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { iso, uuid } from './book.ts';
import { fields, isE164, keyHook, query, size, text } from './http.ts';
import type { HttpClient } from './provider.ts';
import { CREATE_ASSISTANT, CREATE_CALL, LIST_ASSISTANTS, LIST_CALLS } from './schemas/vapi.ts';
import { callOnWire, ORG } from './vapi-call.ts';

const KEY = 'vapi-private-key';
const FROM = uuid('vapi phone number', 0);
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Events are signed with its HMAC defaults: `x-signature` over `{timestamp}.{body}`, hex SHA-256. */
export function vapi(): HttpClient {
  return {
    key: KEY,
    from: FROM,
    webhookSecret: 'vapi-webhook-secret',
    outcomes: ['answered', 'voicemail', 'no_answer', 'busy', 'failed'],
    troubles: ['configuration', 'ended_full', 'ended_unpaid'],
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
            'Invalid Key. Hot tip, you may be using the private key instead of the public key, or vice versa.',
          ),
        ),
      );
      app.get('/assistant', { schema: { querystring: LIST_ASSISTANTS } }, (request, reply) => {
        const { limit, createdAtLt } = query(request);
        const before = createdAtLt === undefined ? Infinity : Date.parse(createdAtLt);
        const page = book.agents
          .filter((agent) => agent.createdAt < before)
          .slice(0, size(limit, { max: 1_000, normal: 100 }));
        return reply.send(page.map(assistant));
      });
      app.post('/assistant', { schema: { body: CREATE_ASSISTANT } }, (request, reply) => {
        const name = text(fields(request.body)['name']);
        const id = uuid('vapi assistant', book.agents.length);
        const made = { id, name, createdAt: book.clock.now() };
        book.agents.unshift(made);
        return reply.code(201).send(assistant(made));
      });
      app.post('/call', { schema: { body: CREATE_CALL } }, async (request, reply) => {
        const body = fields(request.body);
        const customer = fields(body['customer']);
        const invalid = [
          ...(UUID.test(text(body['assistantId'])) ? [] : ['assistantId must be a UUID']),
          ...(UUID.test(text(body['phoneNumberId'])) ? [] : ['phoneNumberId must be a UUID']),
          ...(isE164(customer['number']) ? [] : [NO_NUMBER]),
        ];
        if (invalid.length > 0) return refuse(reply, 400, 'Bad Request', invalid);
        const trouble = book.troubleOf(text(customer['number']));
        if (trouble === 'configuration') return refuse(reply, 400, 'Bad Request', DAILY_LIMIT);
        if (!book.hasAgent(body['assistantId'])) {
          const missing = `Couldn't Get Assistant. \`assistantId\` ${text(body['assistantId'])} Does Not Exist.`;
          return refuse(reply, 400, 'Bad Request', missing);
        }
        if (body['phoneNumberId'] !== FROM) {
          return refuse(reply, 400, 'Bad Request', "Couldn't Get Phone Number.");
        }
        if (book.isFull) return refuse(reply, 400, 'Bad Request', 'Over Concurrency Limit.');
        const overrides = fields(body['assistantOverrides']);
        const call = await book.place({
          phone: text(customer['number']),
          agentId: text(body['assistantId']),
          from: FROM,
          variables: fields(overrides['variableValues']),
          metadata: { ...fields(overrides['metadata']), ...nameOf(customer, body) },
          trouble: trouble === 'money' ? null : trouble,
        });
        const subscriptionLimits = {
          concurrencyBlocked: trouble === 'ended_full',
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
      app.get('/call', { schema: { querystring: LIST_CALLS } }, (request, reply) => {
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
      // A report has both, even of a call that never began.
      const { artifact = { messages: [] }, analysis = {}, ...whole } = callOnWire(call, phase);
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

const NO_NUMBER =
  'customer.number must be a valid phone number in the E.164 format. Hot tip, you may be missing the country code (Eg. US: +1).';
const DAILY_LIMIT =
  "Couldn't Start Call. Numbers Bought On Vapi Have A Daily Outbound Call Limit. Import Your Own Twilio Numbers To Scale Without Limits.";

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
