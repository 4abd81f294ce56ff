import type { FastifyReply } from 'fastify';
import { DIAL_FAULTS, READ_FAULTS, drawFault } from './faults.ts';
import type { DialFault, FaultDraw, ReadFault } from './faults.ts';
import type { Simulation } from '../simulation.ts';
import { sendRefusal } from './wire-error.ts';
import type { Refusal } from './wire-error.ts';

/** @param what the name of the read with its ordinal, so that each try draws its own fault */
export function readFaultOf({ options }: Simulation, what: string): ReadFault | undefined {
  return drawFault(READ_FAULTS, options.faults, options.seed, `read/${what}`)?.name;
}

/** @param what the name of the dial with its ordinal */
export function dialFaultOf(
  { options }: Simulation,
  what: string,
): FaultDraw<DialFault> | undefined {
  return drawFault(DIAL_FAULTS, options.faults, options.seed, `dial/${what}`);
}

const INTERNAL: Refusal = { status: 500, code: 'internal', message: 'Something went wrong here.' };

/** The answer of a fault that places no call; undefined: this fault places the call first. */
export function answerBefore(fault: DialFault, reply: FastifyReply): FastifyReply | undefined {
  switch (fault) {
    case 'drop-request':
      return drop(reply);
    case '429': {
      const message = 'Too many requests; wait as long as Retry-After says.';
      return sendRefusal(reply, { status: 429, code: 'rate_limited', message, retryAfterS: 1 });
    }
    case '500-before':
      return sendRefusal(reply, INTERNAL);
    case '503': {
      const message = 'The service is not available for the moment.';
      return sendRefusal(reply, { status: 503, code: 'unavailable', message });
    }
    case 'drop-response':
    case 'delay':
    case '500-after':
    case 'cut-body':
    case 'bad-json':
    case 'no-id':
      return undefined;
  }
}

/** The answer of a fault after the call was placed; undefined: the usual answer. */
export function answerAfter(
  fault: DialFault,
  reply: FastifyReply,
  answer: { call_id: string },
): FastifyReply | undefined {
  switch (fault) {
    case 'drop-response':
      return drop(reply);
    case '500-after':
      return sendRefusal(reply, INTERNAL);
    case 'cut-body':
      return cutBody(reply.code(201), JSON.stringify(answer));
    case 'bad-json':
      return sendText(reply.code(201), 'application/json', brokenJson(answer));
    case 'no-id': {
      const nameless = { ...answer, call_id: undefined };
      return reply.code(201).send(nameless);
    }
    case 'delay':
    case 'drop-request':
    case '429':
    case '500-before':
    case '503':
      return undefined;
  }
}

export function sendFaultyRead(
  reply: FastifyReply,
  fault: ReadFault,
  answer: unknown,
): FastifyReply {
  switch (fault) {
    case 'read-500':
      return sendRefusal(reply, INTERNAL);
    case 'read-drop':
      return drop(reply);
    case 'read-bad-json':
      return sendText(reply, 'application/json', brokenJson(answer));
    case 'read-html':
      return sendText(reply, 'text/html', '<html><body><h1>Bad gateway</h1></body></html>');
  }
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

function sendText(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.type(type).send(text);
}

/** All of the answer but its last brace. */
function brokenJson(answer: unknown): string {
  return JSON.stringify(answer).slice(0, -1);
}
