import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Answers whether this process works: null if it does, else a word for programs. `stuck`: its main loop hangs.
 * `store`: the last write to the database failed, or would have failed.
 */
export type Health = () => 'stuck' | 'store' | null;

/** True for requests to `/healthz`, which need no token. */
export function asksForHealth(request: FastifyRequest): boolean {
  return request.routeOptions.config.asksForHealth === true;
}

/**
 * Answers monitors at `/healthz`: 200 `{"status":"ok"}`, or 503 with the reason as a word. To the receiver a monitor is
 * a stranger: the limits for strangers hold, the request is not counted as one of a service, and the connection is
 * closed with the answer. The answer comes from memory, so that asking costs nothing.
 */
export function addHealthRoute(app: FastifyInstance, health: Health | undefined): void {
  if (health === undefined) return;
  app.get('/healthz', { config: { asksForHealth: true } }, (_request, reply) => {
    const reason = health();
    return reply
      .header('cache-control', 'no-store')
      .code(reason === null ? 200 : 503)
      .send(reason === null ? { status: 'ok' } : { status: 'unwell', reason });
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    asksForHealth?: boolean;
  }
}
