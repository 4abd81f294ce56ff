import type { FastifyReply } from 'fastify';
import { rateLimited, sendRefusal, WireError } from './auth.ts';
import type { DialFault, ReadFault } from './faults.ts';

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
