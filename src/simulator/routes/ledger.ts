import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { LEDGER_PATH } from '../auth.ts';
import { ledgerJson } from '../ledger.ts';
import type { Simulation } from '../simulation.ts';

/** `GET /ledger`: what rang for this key, streamed. It counts toward no rate and meets no fault. */
export function ledgerRoutes(app: FastifyInstance, simulation: Simulation): void {
  app.get(LEDGER_PATH, (request, reply) => {
    const pieces = ledgerJson(request.account, simulation.options.clock.now());
    return reply.type('application/json; charset=utf-8').send(Readable.from(pieces));
  });
}
