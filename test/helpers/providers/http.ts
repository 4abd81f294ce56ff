import type { FastifyReply, FastifyRequest } from 'fastify';

/** What the stand-ins of the providers read requests with. */
export type Fields = Record<string, unknown>;

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function isE164(value: unknown): value is string {
  return typeof value === 'string' && /^\+[1-9]\d{6,14}$/.test(value);
}

export function query(request: FastifyRequest): Record<string, string> {
  return request.query as Record<string, string>;
}

/** A whole number of a query or body, within its bounds. */
export function size(value: unknown, { max, normal }: { max: number; normal: number }): number {
  const number = Number(value ?? normal);
  return Number.isInteger(number) && number >= 1 ? Math.min(number, max) : normal;
}

/** Lets requests through whose header is this; the others get the provider's own words. */
export function keyHook(
  header: string,
  allowed: readonly string[],
  refuse: (reply: FastifyReply) => unknown,
) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const given = request.headers[header];
    if (typeof given === 'string' && allowed.includes(given)) done();
    else refuse(reply);
  };
}

/** The slice of items after a cursor that names the last one given. */
export function pageAfter<T>(
  items: readonly T[],
  idOf: (item: T) => string,
  cursor: unknown,
  limit: number,
): { page: T[]; next: string | null } {
  const start = items.findIndex((item) => idOf(item) === cursor) + 1;
  const page = items.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = start + limit < items.length;
  return { page, next: hasMore && last !== undefined ? idOf(last) : null };
}

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
