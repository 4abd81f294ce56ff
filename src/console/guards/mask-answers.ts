import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { masking, type Masking } from '../../views/masking.ts';

/** Masked answers of a route by their status, e.g. `200`. */
type Answers = Readonly<Record<string, z.core.$ZodType>>;

/**
 * Masks each answer by the schema of its route, unless the one who asks may read what was said in calls. Handlers return
 * whole values. What cannot be masked is refused: a route when it is registered, an answer without a schema when it is
 * sent.
 */
export function maskAnswers(api: FastifyInstance): void {
  const masks = new WeakMap<object, ReadonlyMap<string, Masking | null>>();
  api.addHook('onRoute', ({ method, url, schema }) => {
    const response = schema?.response as Answers | undefined;
    if (response === undefined) return;
    const done = Object.entries(response).filter(([status]) => status < '4');
    masks.set(
      response,
      new Map(done.map(([status, one]) => [status, masking(one, `${String(method)} ${url}`)])),
    );
  });
  api.addHook('preSerialization', (request, reply, payload, next) => {
    const { routeOptions } = request;
    const may = (request as Partial<FastifyRequest>).identity?.transcripts === true;
    // Problems are masked where they are made; the description of the API holds nothing of a campaign.
    if (may || reply.statusCode >= 400 || routeOptions.schema?.hide === true) {
      next(null, payload);
      return;
    }
    const mask = masks.get(routeOptions.schema?.response as object)?.get(String(reply.statusCode));
    if (mask === undefined) next(new Error(`${routeOptions.url ?? ''} answers without a schema.`));
    else next(null, mask ? mask(payload) : payload);
  });
}
