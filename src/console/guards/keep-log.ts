import type { FastifyInstance } from 'fastify';
import type { Desk } from '../desk.ts';

/** Keeps who changed what, and what was refused, in the log of the console; never bodies, passwords or tokens. */
export function keepLog(app: FastifyInstance, desk: Desk): void {
  app.addHook('onResponse', async (request, reply) => {
    const { does, role } = request.routeOptions.config;
    const { statusCode } = reply;
    const isRefusal = statusCode === 401 || statusCode === 403 || statusCode === 429;
    if (does === undefined && !isRefusal) return;
    // Only who signs in is asked for again and again by programs; a page that has lost its session is no news.
    if (statusCode === 401 && role !== 'anyone') return;
    const params = request.params as Partial<Record<string, string>>;
    await desk.access.appendLog({
      at: desk.world.clock.now(),
      who: (request.identity as { who: string } | undefined)?.who ?? 'nobody',
      what: does ?? `${request.method} ${request.routeOptions.url ?? ''}`,
      target: params['campaign'] ?? params['id'] ?? params['name'] ?? null,
      outcome: statusCode < 400 ? 'done' : `refused (${statusCode})`,
      detail: {},
    });
  });
}
