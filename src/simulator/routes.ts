import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Account, AgentRecord } from './account.ts';
import { analyticsOf } from './calls/conversation.ts';
import { statusAt, type CallRecord, type CallStatus } from './calls/timeline.ts';
import type { Unanswered } from './options.ts';
import type { Dial, PlacedCall, Simulation } from './simulation.ts';
import {
  E164,
  FAULTY_DIALS,
  isObject,
  objectBody,
  requiredText,
  sendRead,
  sendRefusal,
  WireError,
  wrongField,
  wrongType,
} from './wire/answers.ts';
import { DIAL_FAULTS, drawFault, READ_FAULTS } from './wire/faults.ts';

const DEFAULT_PAGE = 20;
const LARGEST_PAGE = 100;

/** `GET /v1/agents?limit=&cursor=`, the oldest first, and `POST /v1/agents`. */
export function agentRoutes(app: FastifyInstance, simulation: Simulation): void {
  app.get<{ Querystring: { limit?: unknown; cursor?: unknown } }>(
    '/v1/agents',
    ({ account, query }, reply) => {
      const read = `read/agents/${account.countRead('agents')}`;
      const fault = drawFault(READ_FAULTS, simulation.options, read)?.name;
      const page = pageOf(account, readLimit(query.limit), readCursor(account, query.cursor));
      return sendRead(reply, fault, page);
    },
  );

  app.post('/v1/agents', (request, reply) => {
    const body = objectBody(request.body);
    const name = requiredText(body, 'name');
    const systemPrompt = requiredText(body, 'systemPrompt');
    const voice = body['voice'] ?? null;
    if (voice !== null && !isObject(voice)) throw wrongType('voice', 'an object');
    const agent = simulation.createAgent(request.account, { name, systemPrompt, voice });
    return reply.code(201).send(agentOnWire(agent));
  });
}

function pageOf({ agents }: Account, limit: number, start: number) {
  const page = [...agents.values()].slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = last !== undefined && start + limit < agents.size;
  return {
    data: page.map(agentOnWire),
    next_cursor: hasMore ? Buffer.from(last.id).toString('base64url') : null,
    has_more: hasMore,
  };
}

function agentOnWire({ createdAt, ...agent }: AgentRecord) {
  return { ...agent, created_at: new Date(createdAt).toISOString() };
}

function readLimit(limit: unknown): number {
  if (limit === undefined) return DEFAULT_PAGE;
  if (typeof limit !== 'string' || !/^\d+$/.test(limit)) throw wrongType('limit', 'a whole number');
  const size = Number(limit);
  if (size >= 1 && size <= LARGEST_PAGE) return size;
  throw wrongField('limit', `limit has to be 1 to ${LARGEST_PAGE}.`);
}

/** The index of the first agent after the cursor; the cursor is the id of the last agent on the previous page. */
function readCursor({ agents }: Account, cursor: unknown): number {
  if (cursor === undefined) return 0;
  const id = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  const next = [...agents.keys()].indexOf(id) + 1;
  if (next > 0) return next;
  const message = 'cursor has to be the next_cursor of an earlier page.';
  throw new WireError(400, 'invalid_cursor', message, { field: 'cursor' });
}

/**
 * `POST /v1/calls/outbound`, and `GET /v1/calls/{call_id}/analytics`: 404 for an unknown call, 409 with the call's
 * status until it is completed, then 200.
 *
 * @param closing when it aborts, delayed answers are sent at once
 */
export function callRoutes(
  app: FastifyInstance,
  simulation: Simulation,
  closing: AbortSignal,
): void {
  const { options, outbox } = simulation;
  const { clock, unanswered } = options;

  app.post('/v1/calls/outbound', async (request, reply) => {
    const dial = readDial(request);
    const line = request.account.phone(dial.phone);
    line.dials += 1;
    const fault = drawFault(DIAL_FAULTS, options, `dial/${dial.phone}/${line.dials}`);
    const faulty = fault && FAULTY_DIALS[fault.name];
    if (faulty?.before) return faulty.before(reply);

    const { call, early } = placeOnce(simulation, request.account, dial);
    await outbox.tellNow(early);
    // Every answer to the same dial is identical; the call's progress is read from its analytics.
    const answer = {
      call_id: call.id,
      status: 'queued',
      agent_id: call.agentId,
      phone_number: call.phone,
      created_at: new Date(call.placedAt).toISOString(),
    };
    if (fault?.name === 'delay') {
      // The delay is 1 to 10 s of simulated time.
      await clock.sleep(((1 + fault.degree * 9) * 1_000) / options.timeScale, closing);
    }
    return faulty?.after?.(reply, answer) ?? reply.code(201).send(answer);
  });

  app.get<{ Params: { call_id: string } }>('/v1/calls/:call_id/analytics', (request, reply) => {
    const { account } = request;
    const call = account.calls.get(request.params.call_id);
    if (call === undefined) throw new WireError(404, 'call_not_found', 'There is no such call.');
    const read = `read/${call.id}/${account.countRead(call.id)}`;
    const fault = drawFault(READ_FAULTS, options, read)?.name;
    const status = visibleStatus(call, unanswered, clock.now());
    if (status === 'completed') {
      return sendRead(reply, fault, analyticsOf(call, account.agentOf(call), options));
    }
    const beside = { call_id: call.id, status };
    return sendRead(reply, fault, beside, () => sendRefusal(reply, NOT_COMPLETED, beside));
  });
}

const NOT_COMPLETED = new WireError(409, 'call_not_completed', 'The call is not completed yet.');

function readDial(request: FastifyRequest): Dial {
  const body = objectBody(request.body);
  const phone = requiredText(body, 'phone_number');
  if (!E164.test(phone)) {
    throw wrongField('phone_number', 'phone_number has to be E.164, e.g. +12125550123.');
  }
  const agentId = requiredText(body, 'agent_id');
  if (!request.account.agents.has(agentId)) {
    throw wrongField('agent_id', 'There is no such agent.', 'agent_not_found');
  }
  const attemptKey = request.headers['idempotency-key'];
  return { phone, agentId, attemptKey: typeof attemptKey === 'string' ? attemptKey : null };
}

/** Places the call, or returns the call that this idempotency key has already placed. */
function placeOnce(simulation: Simulation, account: Account, dial: Dial): PlacedCall {
  const key = simulation.options.idempotency ? dial.attemptKey : null;
  const earlier = key === null ? undefined : account.callsByKey.get(key);
  if (earlier === undefined) {
    assertCapacity(simulation, account);
    return simulation.placeCall(account, dial);
  }
  if (earlier.phone === dial.phone && earlier.agentId === dial.agentId)
    return { call: earlier, early: [] };
  const message = 'This Idempotency-Key came with another body before.';
  throw new WireError(422, 'idempotency_mismatch', message);
}

const LONGEST_RETRY_AFTER_S = 5;

function assertCapacity({ options: { capacity, clock } }: Simulation, account: Account): void {
  if (capacity === null) return;
  const now = clock.now();
  const { count, nextEndAt = now } = account.inProgressAt(now);
  if (count < capacity) return;
  const freeInS = Math.ceil((nextEndAt - now) / 1_000);
  const message = `${count} calls are in progress; ${capacity} are allowed at once.`;
  const retryAfterS = Math.min(Math.max(freeInS, 1), LONGEST_RETRY_AFTER_S);
  throw new WireError(429, 'capacity', message, { retryAfterS });
}

/** The status that the client sees: a service that never reports unanswered calls leaves them at `ended`. */
function visibleStatus(call: CallRecord, unanswered: Unanswered, now: number): CallStatus {
  const status = statusAt(call, now);
  return status === 'completed' && unanswered === 'never' && call.answeredAt === null
    ? 'ended'
    : status;
}
