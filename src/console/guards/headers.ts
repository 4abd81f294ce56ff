import { createHash } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../../runtime/clock.ts';
import { problemOf } from '../problems.ts';

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
