import type { FastifyError, FastifyReply } from 'fastify';

/** An error answer, thrown by any check of a request; all have the shape `{error: {code, message, field?}}`. */
export class WireError extends Error {
  readonly status: number;
  readonly code: string;
  /** `field`: the field of the request that the error is about; `retryAfterS`: whole seconds, at least 1. */
  readonly more: { field?: string; retryAfterS?: number };

  constructor(status: number, code: string, message: string, more: WireError['more'] = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

/**
 * Sends the error answer for anything that was thrown.
 *
 * @param beside more fields of the answer, next to `error`
 */
export function sendRefusal(
  reply: FastifyReply,
  error: WireError | FastifyError,
  beside: Record<string, unknown> = {},
): FastifyReply {
  const { message } = error;
  const { status, code, more } = error instanceof WireError ? error : ofFastify(error);
  if (more.retryAfterS !== undefined) void reply.header('retry-after', String(more.retryAfterS));
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  // JSON leaves out a field that is undefined.
  return reply.code(status).send({ error: { code, message, field: more.field }, ...beside });
}

function ofFastify({ statusCode = 500, message }: FastifyError): WireError {
  if (statusCode === 413) return new WireError(413, 'body_too_large', message);
  if (statusCode < 500) return new WireError(400, 'invalid_json', message);
  return new WireError(500, 'internal', message);
}
