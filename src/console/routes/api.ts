import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { problem } from '../contract/common.ts';

/** The server as routes see it: what they declare is what their handlers get. */
export type Api = Parameters<FastifyPluginAsyncZod>[0];

/** The schemas of a route's answers; whatever is refused is a problem. */
export function answers<T extends Record<number, unknown>>(schemas: T) {
  return { ...schemas, '4xx': problem, '5xx': problem } as const;
}
