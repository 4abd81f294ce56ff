import type { FastifyRequest } from 'fastify';
import type { Fields } from './http.ts';

/**
 * An answer of a stand-in, held against what its provider publishes.
 *
 * @throws Error with what is wrong; the stand-in tells it under `invalid()`
 */
export function shaped<T>(request: FastifyRequest, schema: Fields, answer: T): T {
  const check = request.compileValidationSchema(schema);
  // What JSON leaves out is not there.
  if (check(JSON.parse(JSON.stringify(answer)) as unknown)) return answer;
  const wrong = (check.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
  throw new Error(`its own answer is not as published: ${wrong.join(', ')}`);
}
