import { createHash } from 'node:crypto';
import type { Server } from 'node:net';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';

import { afterThisTurn, type Clock } from '../../runtime/clock.ts';
import { Folding, type Log } from '../../runtime/log.ts';
import { openFileLimit } from '../../runtime/process.ts';
import { problemOf } from '../problems.ts';

/** A browser holds six at most, for all its tabs together (Chromium, Firefox). */
const MOST_CONNECTIONS = 12_000;

/**
 * Closes new connections while too many are open. This process calls people, too: a quarter of the files that it may have
 * open is kept for the database and the service, however many connections are opened.
 *
 * @param most default: by the limit of the system
 */
export function limitConnections(
  server: Server,
  { log, clock }: { log: Log; clock: Clock },
  most = mostOf(openFileLimit()),
): void {
  const dropped = new Folding(clock);
  server.maxConnections = most;
  server.on('drop', () => {
    dropped.add('dropped', (times = 1) => log.warn('console.connectionsDropped', { times, most }));
  });
  server.on('close', () => dropped.flush());
}

function mostOf(files: number | null): number {
  return files === null ? MOST_CONNECTIONS : Math.min(MOST_CONNECTIONS, Math.floor(files * 0.75));
}

/** How long a body may take, and what is sent after the answer. */
const BODY_WITHIN_MS = 60_000;

/**
 * Closes connections whose request does not come to its end, so that nobody holds them for nothing: those whose body
 * takes longer than a minute, and those that go on sending for a minute after they were answered. A file may take as long
 * as it needs until its route has answered.
 */
export function endSlowBodies(app: FastifyInstance, clock: Clock): void {
  app.addHook('onRequest', ({ raw, headers, routeOptions }, reply, next) => {
    const hasBody =
      headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
    // A stream that is given up has no socket any more.
    const { socket } = raw;
    let stop: () => void = () => undefined;
    const wait = () => {
      if (raw.readableEnded || socket.destroyed) return;
      stop();
      stop = clock.after(BODY_WITHIN_MS, () => {
        socket.destroy();
      });
    };
    const over = () => {
      stop();
      raw.off('end', over);
      socket.off('close', over);
    };
    if (hasBody) {
      raw.once('end', over);
      socket.once('close', over);
      reply.raw.once('finish', wait);
      if (routeOptions.config.takesFile !== true) wait();
    }
    next();
  });
}

/** Security headers of every answer: nothing from elsewhere, nothing inline, in no frame. */
export async function sendSafeHeaders(app: FastifyInstance, isHttps: boolean): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        // The report is a page of its own within ours.
        frameSrc: ["'self'"],
        // Recordings are where the service keeps them, which no list of hosts can know. Their addresses are sent only to
        // signed-in users who may read what was said, and one is asked only when the user presses play, without a referrer.
        mediaSrc: ['https:'],
      },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
  });
}

/** What the API answers holds people's numbers and what they said: no browser and no proxy keeps it. */
export function keepNowhere(api: FastifyInstance): void {
  api.addHook('onRequest', (_request, reply, next) => {
    void reply.header('cache-control', 'no-store');
    next();
  });
}

/**
 * Tags what is read by its content: who asks again with the tag and would be sent the same gets 304 without a body (RFC
 * 9110, sections 8.8.3, 13.1.2 and 15.4.5). Pages ask every second, and mostly nothing has changed. `Date` is by our
 * clock, as the times in the bodies are.
 */
export function tagAnswers(api: FastifyInstance, clock: Clock): void {
  api.addHook('onSend', (request, reply, payload, next) => {
    void reply.header('date', new Date(clock.now()).toUTCString());
    if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') {
      next(null, payload);
      return;
    }
    const tag = `"${createHash('sha256').update(payload).digest('base64url')}"`;
    void reply.header('etag', tag);
    const known = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim());
    const isKnown = known.some((one) => one === '*' || one.replace(/^W\//, '') === tag);
    if (isKnown) void reply.code(304).removeHeader('content-type');
    next(null, isKnown ? null : payload);
  });
}

/**
 * Gives each request a turn of the event loop of its own: pages ask at the same moment, and an answer takes milliseconds
 * in which no call is begun or polled.
 */
export function takeTurns(api: FastifyInstance): void {
  let over = Promise.resolve();
  api.addHook('preHandler', async () => {
    const before = over;
    over = before.then(nextTurn);
    await before;
  });
}

/** What is run after a turn may still be in the same one: timers and sockets come before the second. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    afterThisTurn(() => afterThisTurn(resolve));
  });
}

/** Answers an address that cannot be read: it comes to no route, so that no hook has set headers. */
export function refuseAddress(error: unknown, reply: FastifyReply): void {
  const problem = problemOf(error);
  void reply
    .code(problem.status)
    .headers({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .type('application/problem+json')
    .send(JSON.stringify(problem));
}
