import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  HTTPMethods,
  RouteShorthandOptions,
} from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';

import { z } from 'zod';
import { marked, problem } from '../../views/fields.ts';

/** The server as routes see it: what they declare is what their handlers get. */
export type Api = Parameters<FastifyPluginAsyncZod>[0];

type Declared = Omit<FastifySchema, 'params' | 'querystring' | 'body' | 'tags' | 'response'> &
  FastifyContextConfig;

/** What a handler gets of what its route declares. */
type Asked<P, Q, B> = Omit<FastifyRequest, 'params' | 'query' | 'body'> & {
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
};

interface Route<P, Q, B, A extends Record<number, z.ZodType>> extends Declared {
  params?: P;
  querystring?: Q;
  body?: B;
  /** What Fastify itself is told. */
  options?: Pick<RouteShorthandOptions, 'bodyLimit' | 'helmet'>;
  /** By status; whatever is refused is a problem. */
  answers: A;
  handler: (
    request: Asked<P, Q, B>,
    reply: FastifyReply,
  ) => z.input<A[keyof A]> | FastifyReply | Promise<z.input<A[keyof A]> | FastifyReply>;
}

/** Declares the routes of one part of the API. @param role the smallest role for those that name none */
export function routesOf(tag: string, role?: FastifyContextConfig['role']) {
  const on =
    (method: HTTPMethods) =>
    <
      P extends z.ZodType,
      Q extends z.ZodType,
      B extends z.ZodType,
      A extends Record<number, z.ZodType>,
    >(
      api: Api,
      url: string,
      {
        answers,
        role: own = role,
        does,
        takesFile,
        options,
        handler,
        ...schema
      }: Route<P, Q, B, A>,
    ): void => {
      api.route({
        ...options,
        method,
        url,
        schema: {
          ...schema,
          tags: [tag],
          response: { ...answers, '4xx': problem, '5xx': problem },
        },
        config: {
          ...(own && { role: own }),
          ...(does && { does }),
          ...(takesFile && { takesFile }),
        },
        preHandler: async (_, reply) => {
          reply.code(Number(Object.keys(answers)[0]));
        },
        handler: handler as never,
      });
    };
  return {
    get: on('GET'),
    post: on('POST'),
    put: on('PUT'),
    patch: on('PATCH'),
    delete: on('DELETE'),
  };
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
