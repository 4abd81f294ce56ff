import type { FastifyInstance } from 'fastify';
import { OPENAPI_PATH } from '../wire/auth.ts';
import { OPENAPI } from '../wire/openapi.ts';

/** `GET /openapi.json`: how the service speaks; read without a key. */
export function openapiRoutes(app: FastifyInstance): void {
  app.get(OPENAPI_PATH, (_request, reply) => reply.send(OPENAPI));
}
