import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { LEDGER_PATH } from '../wire/auth.ts';
import { ledgerJson } from '../ledger.ts';
import type { Simulation } from '../simulation.ts';

/** `GET /ledger`: what rang for this key and what was told of it, streamed. It counts toward no rate and meets no fault. */
export function ledgerRoutes(app: FastifyInstance, simulation: Simulation): void {
  app.get(LEDGER_PATH, (request, reply) => {
    const { outbox, options } = simulation;
    const pieces = ledgerJson(request.account, outbox.deliveries, options.clock.now());
    return reply.type('application/json; charset=utf-8').send(Readable.from(pieces));
  });
}
