import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';

import { z } from 'zod';
import { marked, problem } from '../../views/fields.ts';

/** The server as routes see it: what they declare is what their handlers get. */
export type Api = Parameters<FastifyPluginAsyncZod>[0];

/** The schemas of a route's answers; whatever is refused is a problem. */
export function answers<T extends Record<number, unknown>>(schemas: T) {
  return { ...schemas, '4xx': problem, '5xx': problem } as const;
}

interface Declared extends Omit<FastifySchema, 'tags' | 'response'>, FastifyContextConfig {
  answers: Record<number, unknown>;
}

/** How the routes of one part of the API are declared. @param role the smallest role for those that name none */
export function routesOf(tag: string, role?: FastifyContextConfig['role']) {
  return <S extends Declared>({
    answers: ok,
    role: own = role,
    does,
    takesFile,
    ...schema
  }: S) => ({
    schema: { ...schema, tags: [tag], response: answers(ok) },
    config: { ...(own && { role: own }), ...(does && { does }), ...(takesFile && { takesFile }) },
    preHandler: async (_: FastifyRequest, reply: FastifyReply) => {
      reply.code(Number(Object.keys(ok)[0]));
    },
  });
}

/** The answer of a route that sends a file. */
export const file = (what: string) => marked('file', z.unknown()).describe(what);

export const campaignParams = z.object({ campaign: z.string().min(1).max(200) });
export const idParams = z.object({ id: z.string().min(1).max(200) });

export const pageQuery = z.object({
  after: z.string().max(200).optional().describe('The `next` of the page before'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** Asked of every change: the version that the person looked at; a later one is refused with 409. */
export const ifVersion = z
  .int()
  .min(1)
  .optional()
  .describe('The version that was looked at; 409 if it is older');
