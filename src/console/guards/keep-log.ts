import type { FastifyInstance } from 'fastify';
import { NOBODY } from '../../app/access/log-words.ts';
import type { Desk } from '../desk.ts';

/** Keeps who changed what, and what was refused, in the log of the console; never bodies, passwords or tokens. */
export function keepLog(app: FastifyInstance, desk: Desk): void {
  app.addHook('onResponse', async (request, reply) => {
    const { does } = request.routeOptions.config;
    const { statusCode } = reply;
    // Whoever signs in is told of by what checks them; a page that has lost its session is no news.
    if (statusCode === 401) return;
    const isRefusal = statusCode === 403 || statusCode === 429;
    if (does === undefined && !isRefusal) return;
    const params = request.params as Partial<Record<string, string>>;
    const named = params['campaign'] ?? params['service'] ?? params['name'] ?? params['id'];
    await desk.access.appendLog({
      at: desk.world.clock.now(),
      who: (request.identity as { who: string } | undefined)?.who ?? NOBODY,
      what: does ?? `${request.method} ${request.routeOptions.url ?? ''}`,
      target: request.about ?? named ?? null,
      outcome: statusCode < 400 ? 'done' : `refused (${statusCode})`,
      detail: {},
    });
  });
}
