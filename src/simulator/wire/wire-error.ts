import type { FastifyError, FastifyReply } from 'fastify';

/** An error answer; all have the shape `{error: {code, message, field?}}`. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
  /** The field of the request that is meant. */
  field?: string;
  /** Whole seconds, at least 1. */
  retryAfterS?: number;
}

/** A refusal, thrown by any check of a request. */
export class WireError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** @param beside more fields of the answer, next to `error` */
export function sendRefusal(
  reply: FastifyReply,
  refusal: Refusal,
  beside: Record<string, unknown> = {},
): FastifyReply {
  const { status, code, message, field, retryAfterS } = refusal;
  if (retryAfterS !== undefined) void reply.header('retry-after', String(retryAfterS));
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  const error = field === undefined ? { code, message } : { code, message, field };
  return reply.code(status).send({ error, ...beside });
}

/** The error answer for whatever was thrown. */
export function refusalOf(error: WireError | FastifyError | Error): Refusal {
  if (error instanceof WireError) return error.refusal;
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status === 413) return { status, code: 'body_too_large', message: error.message };
  if (status < 500) return { status: 400, code: 'invalid_json', message: error.message };
  return { status: 500, code: 'internal', message: error.message };
}
