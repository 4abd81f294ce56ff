import { timingSafeEqual } from 'node:crypto';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import type { Account } from '../account.ts';
import { LONGEST_KEY } from '../options.ts';
import type { Simulation } from '../simulation.ts';
import type { DialFault, ReadFault } from './faults.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The account of the request's API key; set before any route runs. */
    account: Account;
  }
}

/** Tests read here which phones really rang, so this path is exempt from the rate limit. */
export const LEDGER_PATH = '/ledger';

/** Authenticates a request and applies the rate limit. @throws WireError 401, 429 */
export function gatekeeper({ accounts }: Simulation): (request: FastifyRequest) => void {
  const keyring = [...accounts].map(([key, account]) => ({ padded: padded(key), account }));

  /** Compares the key with every known key in constant time. */
  function accountOf(key: string): Account {
    const given = padded(key);
    const matches = keyring.filter((known) => timingSafeEqual(known.padded, given));
    const account = key.length > LONGEST_KEY ? undefined : matches[0]?.account;
    if (account !== undefined) return account;
    throw new WireError(401, 'unauthorized', 'This API key is not known.');
  }

  return (request) => {
    const key = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined) {
      const message = 'Send your API key as "Authorization: Bearer <API_KEY>".';
      throw new WireError(401, 'unauthorized', message);
    }
    request.account = accountOf(key);
    if (request.routeOptions.url === LEDGER_PATH) return;
    const waitMs = request.account.takeRequest();
    if (waitMs > 0) throw rateLimited(Math.ceil(waitMs / 1_000));
  };
}

function rateLimited(retryAfterS: number): WireError {
  const message = 'Too many requests; wait as long as Retry-After says.';
  return new WireError(429, 'rate_limited', message, { retryAfterS });
}

/** Pads a key with zero bytes to a fixed length. Keys contain no zero byte, so two different keys stay different. */
function padded(key: string): Buffer {
  const bytes = Buffer.alloc(LONGEST_KEY);
  bytes.write(key, 'latin1');
  return bytes;
}

export const E164 = /^\+[1-9][0-9]{6,14}$/;

/** The body as an object. @throws WireError 400 */
export function objectBody(body: unknown): Record<string, unknown> {
  if (isObject(body)) return body;
  throw new WireError(400, 'invalid_type', 'The body has to be a JSON object.');
}

/** The text of a required field. @throws WireError 400 for another type, 422 if absent or blank */
export function requiredText(body: Record<string, unknown>, field: string): string {
  const value = body[field] ?? '';
  if (typeof value !== 'string') throw wrongType(field, 'a string');
  if (value.trim() === '') throw wrongField(field, `${field} is required.`);
  return value;
}

export function wrongType(field: string, allowed: string): WireError {
  return new WireError(400, 'invalid_type', `${field} has to be ${allowed}.`, { field });
}

export function wrongField(field: string, message: string, code = 'invalid_field'): WireError {
  return new WireError(422, code, message, { field });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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

/** Sends the error answer for anything that was thrown. @param beside more fields of the answer, next to `error` */
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

const INTERNAL = new WireError(500, 'internal', 'Something went wrong here.');
const UNAVAILABLE = new WireError(
  503,
  'unavailable',
  'The service is not available for the moment.',
);

interface FaultyDial {
  /** Answers the dial, or cuts its connection, and no call is placed. */
  before?: (reply: FastifyReply) => FastifyReply;
  /** Answers the dial, or cuts its connection, after the call was placed. */
  after?: (reply: FastifyReply, answer: { call_id: string }) => FastifyReply;
}

export const FAULTY_DIALS: Readonly<Record<DialFault, FaultyDial>> = {
  'drop-request': { before: drop },
  'drop-response': { after: drop },
  /** The usual answer; the route sends it later. */
  delay: {},
  '429': { before: (reply) => sendRefusal(reply, rateLimited(1)) },
  '500-before': { before: (reply) => sendRefusal(reply, INTERNAL) },
  '500-after': { after: (reply) => sendRefusal(reply, INTERNAL) },
  '503': { before: (reply) => sendRefusal(reply, UNAVAILABLE) },
  'cut-body': { after: (reply, answer) => cutBody(reply.code(201), JSON.stringify(answer)) },
  'bad-json': { after: (reply, answer) => sendBrokenJson(reply.code(201), answer) },
  'no-id': { after: (reply, answer) => reply.code(201).send({ ...answer, call_id: undefined }) },
};

const FAULTY_READS: Record<ReadFault, (reply: FastifyReply, answer: unknown) => FastifyReply> = {
  'read-500': (reply) => sendRefusal(reply, INTERNAL),
  'read-drop': drop,
  'read-bad-json': sendBrokenJson,
  'read-html': (reply) =>
    reply.type('text/html').send('<html><body><h1>Bad gateway</h1></body></html>'),
};

/** Sends the answer to a read, changed by the fault if the read has one. */
export function sendRead(
  reply: FastifyReply,
  fault: ReadFault | undefined,
  answer: unknown,
  send = () => reply.send(answer),
): FastifyReply {
  return fault === undefined ? send() : FAULTY_READS[fault](reply, answer);
}

/** Ends the connection without an answer. */
function drop(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

/** Announces the whole answer, sends half of it and ends the connection. */
function cutBody(reply: FastifyReply, body: string): FastifyReply {
  reply.hijack();
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  reply.raw.writeHead(reply.statusCode, headers);
  reply.raw.write(body.slice(0, body.length / 2), () => reply.raw.socket?.end());
  return reply;
}

/** Sends the answer without its last brace. */
function sendBrokenJson(reply: FastifyReply, answer: unknown): FastifyReply {
  return reply.type('application/json').send(JSON.stringify(answer).slice(0, -1));
}
