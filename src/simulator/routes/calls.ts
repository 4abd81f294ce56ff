import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Account } from '../account.ts';
import { E164, objectBody, requiredText, wrongField } from '../wire/body.ts';
import { answerAfter, answerBefore, dialFaultOf } from '../wire/fault-answers.ts';
import type { FaultDraw } from '../wire/faults.ts';
import type { PlacedCall, Simulation } from '../simulation.ts';
import type { CallRecord } from '../calls/timeline.ts';
import { WireError } from '../wire/wire-error.ts';

/** `POST /v1/calls/outbound`. @param closing cuts short the answers that are being delayed */
export function callRoutes(
  app: FastifyInstance,
  simulation: Simulation,
  closing: AbortSignal,
): void {
  app.post('/v1/calls/outbound', async (request, reply) => {
    const dial = readDial(request);
    const line = request.account.phone(dial.phone);
    line.dials += 1;
    const fault = dialFaultOf(simulation, `${dial.phone}/${line.dials}`);
    const instead = fault && answerBefore(fault.name, reply);
    if (instead !== undefined) return instead;

    const { call, early } = placeOnce(simulation, request.account, dial);
    await simulation.outbox.tellNow(early);
    const answer = callOnWire(call);
    if (fault?.name === 'delay') {
      await simulation.options.clock.sleep(delayMs(fault, simulation), closing);
    }
    const spoilt = fault && answerAfter(fault.name, reply, answer);
    return spoilt ?? reply.code(201).send(answer);
  });
}

type Dial = Pick<CallRecord, 'agentId' | 'phone' | 'attemptKey'>;

function readDial(request: FastifyRequest): Dial {
  const body = objectBody(request.body);
  const phone = requiredText(body, 'phone_number');
  if (!E164.test(phone)) {
    throw wrongField('phone_number', 'phone_number has to be E.164, e.g. +12125550123.');
  }
  const agentId = requiredText(body, 'agent_id');
  if (request.account.agent(agentId) === undefined) {
    throw wrongField('agent_id', 'There is no such agent.', 'agent_not_found');
  }
  const attemptKey = request.headers['idempotency-key'];
  return { phone, agentId, attemptKey: typeof attemptKey === 'string' ? attemptKey : null };
}

/** Places the call, or finds the one that this idempotency key has placed already. */
function placeOnce(simulation: Simulation, account: Account, dial: Dial): PlacedCall {
  const earlier =
    simulation.options.idempotency && dial.attemptKey !== null
      ? account.callOfKey(dial.attemptKey)
      : undefined;
  if (earlier === undefined) {
    assertCapacity(simulation, account);
    return simulation.placeCall(account, dial);
  }
  if (earlier.phone === dial.phone && earlier.agentId === dial.agentId)
    return { call: earlier, early: [] };
  const message = 'This Idempotency-Key came with another body before.';
  throw new WireError({ status: 422, code: 'idempotency_mismatch', message });
}

const LONGEST_RETRY_AFTER_S = 5;

function assertCapacity({ options }: Simulation, account: Account): void {
  if (options.capacity === null) return;
  const now = options.clock.now();
  const { count, nextEndAt = now } = account.inProgressAt(now);
  if (count < options.capacity) return;
  const freeInS = Math.ceil((nextEndAt - now) / 1_000);
  throw new WireError({
    status: 429,
    code: 'capacity',
    message: `${count} calls are in progress; ${options.capacity} are allowed at once.`,
    retryAfterS: Math.min(Math.max(freeInS, 1), LONGEST_RETRY_AFTER_S),
  });
}

/** The same for every answer to one dial: what becomes of the call is read elsewhere. */
function callOnWire(call: CallRecord) {
  return {
    call_id: call.id,
    status: 'queued',
    agent_id: call.agentId,
    phone_number: call.phone,
    created_at: new Date(call.placedAt).toISOString(),
  };
}

/** 1 to 10 s of simulated time. */
function delayMs({ degree }: FaultDraw<string>, { options }: Simulation): number {
  return ((1 + degree * 9) * 1_000) / options.timeScale;
}
