import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';
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
