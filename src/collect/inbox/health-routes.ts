import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Condition, HealthAnswers } from '../../domain/monitoring/health.ts';

/** Whether a request asks how callsheet does; such a one needs no token. */
export function asksForHealth(request: FastifyRequest): boolean {
  return request.routeOptions.config.asksForHealth === true;
}

/**
 * Answers monitors. Whoever asks stays a stranger to the receiver: the limits for strangers hold, the request counts
 * as nothing that a service sent, and the connection is closed with the answer like that of every stranger. Answers come
 * from memory, so that asking makes nobody work.
 */
export function addHealthRoutes(app: FastifyInstance, health: HealthAnswers | undefined): void {
  if (health === undefined) return;
  for (const [path, ask] of Object.entries(health)) {
    app.get(`/${path}`, { config: { asksForHealth: true } }, (_request, reply) => {
      const { status, body } = healthAnswer((ask as HealthAnswers[keyof HealthAnswers])());
      return reply.header('cache-control', 'no-store').code(status).send(body);
    });
  }
}

/** 200 `{"status":"ok"}`, or 503 with the reason as a word. */
export function healthAnswer({ unwell }: Condition) {
  return unwell === null
    ? { status: 200, body: { status: 'ok' } }
    : { status: 503, body: { status: 'unwell', reason: unwell } };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    asksForHealth?: boolean;
  }
}
