import type { FastifyInstance } from 'fastify';
import { analyticsOf } from '../calls/analytics.ts';
import { readFaultOf, sendFaultyRead } from '../wire/fault-answers.ts';
import type { Unanswered } from '../options.ts';
import type { Simulation } from '../simulation.ts';
import { statusAt } from '../calls/timeline.ts';
import type { CallRecord, CallStatus } from '../calls/timeline.ts';
import { WireError, sendRefusal } from '../wire/wire-error.ts';

/** `GET /v1/calls/{call_id}/analytics`: 404, 409 with the call's status until it is completed, then 200. */
export function analyticsRoutes(app: FastifyInstance, simulation: Simulation): void {
  const { clock, unanswered } = simulation.options;
  app.get<{ Params: { call_id: string } }>('/v1/calls/:call_id/analytics', (request, reply) => {
    const { account } = request;
    const call = account.call(request.params.call_id);
    if (call === undefined) throw notFound();
    const fault = readFaultOf(simulation, `${call.id}/${account.countRead(call.id)}`);
    const status = visibleStatus(call, unanswered, clock.now());
    if (status === 'completed') {
      const analytics = analyticsOf(call, account.agentOf(call), unanswered);
      return fault === undefined ? reply.send(analytics) : sendFaultyRead(reply, fault, analytics);
    }
    const beside = { call_id: call.id, status };
    return fault === undefined
      ? sendRefusal(reply, NOT_COMPLETED, beside)
      : sendFaultyRead(reply, fault, beside);
  });
}

const NOT_COMPLETED = {
  status: 409,
  code: 'call_not_completed',
  message: 'The call is not completed yet.',
};

/** A service that never reports unanswered calls leaves them at `ended`. */
function visibleStatus(call: CallRecord, unanswered: Unanswered, now: number): CallStatus {
  const status = statusAt(call, now);
  return status === 'completed' && unanswered === 'never' && call.answeredAt === null
    ? 'ended'
    : status;
}

function notFound(): WireError {
  return new WireError({ status: 404, code: 'call_not_found', message: 'There is no such call.' });
}
