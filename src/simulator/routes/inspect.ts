import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { LEDGER_PATH, OPENAPI_PATH } from '../wire/auth.ts';
import { ledgerJson } from '../ledger.ts';
import type { Simulation } from '../simulation.ts';
import { OPENAPI } from '../wire/openapi.ts';

/**
 * `GET /ledger`: what rang for this key and which events there were, streamed; exempt from rate limit and faults.
 * `GET /openapi.json`: the description of the service, without a key.
 */
export function inspectRoutes(app: FastifyInstance, simulation: Simulation): void {
  app.get(LEDGER_PATH, (request, reply) => {
    const { outbox, options } = simulation;
    const pieces = ledgerJson(request.account, outbox.deliveries, options.clock.now());
    return reply.type('application/json; charset=utf-8').send(Readable.from(pieces));
  });
  app.get(OPENAPI_PATH, (_request, reply) => reply.send(OPENAPI));
}
