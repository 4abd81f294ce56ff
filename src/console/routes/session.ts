import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { checkLogin } from '../../app/access/login.ts';
import { createSession, endSession, SESSION_MS, useLink } from '../../app/access/sessions.ts';
import { locateDatabase } from '../../app/places/database-place.ts';
import { AppError } from '../../runtime/errors.ts';
import { done } from '../contract/common.ts';
import { login, session } from '../contract/session.ts';
import type { Desk } from '../desk.ts';
import { COOKIE } from '../guards/identity.ts';
import { answers, type Api } from './api.ts';

const tags = ['Session'];
const A_MINUTE_MS = 60_000;
/** Guesses of one name from one address, and of all names from it. */
const MOST_FOR_NAME = 5;
const MOST_FOR_ADDRESS = 30;

/** Signing in and out: the one-time link, name and password, and who is signed in. */
export function sessionRoutes(api: Api, desk: Desk, { secure }: { secure: boolean }): void {
  const keep = (reply: FastifyReply, cookie: string) =>
    reply.setCookie(COOKIE, cookie, {
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
      secure,
      maxAge: SESSION_MS / 1_000,
    });
  const ofName = api.createRateLimit({
    max: MOST_FOR_NAME,
    timeWindow: A_MINUTE_MS,
    keyGenerator: ({ ip, body }) =>
      `${normalizeIP(ip)} ${(body as { name: string }).name.toLowerCase()}`,
  });
  const ofAddress = api.createRateLimit({ max: MOST_FOR_ADDRESS, timeWindow: A_MINUTE_MS });

  api.get(
    '/link/:secret',
    {
      schema: { hide: true, params: z.object({ secret: z.string().max(200) }) },
      config: { role: 'anyone' },
    },
    async ({ params }, reply) => {
      const { cookie } = await useLink(desk.access, params.secret, desk.world);
      // Not kept in the browser's history, nor sent to anybody: the secret is used up.
      return keep(reply, cookie).header('cache-control', 'no-store').redirect('/', 303);
    },
  );

  api.post(
    '/api/v1/session',
    {
      schema: {
        tags,
        operationId: 'signIn',
        summary: 'Sign in with name and password; the answer sets the cookie',
        body: login,
        response: answers({ 200: done }),
        security: [],
      },
      config: { role: 'anyone' },
    },
    async (request, reply) => {
      for (const limit of [ofAddress, ofName]) {
        const found = await limit(request);
        if (found.isAllowed || !found.isExceeded) continue;
        throw new AppError('TOO_MANY_LOGINS', 'Too many attempts to sign in.', {
          hint: 'wait a minute and try again',
        });
      }
      const found = await checkLogin(
        desk.access,
        { ...request.body, from: request.ip },
        desk.world,
      );
      const { cookie } = await createSession(desk.access, found, desk.world);
      keep(reply, cookie);
      return { messages: [] };
    },
  );

  api.get(
    '/api/v1/session',
    {
      schema: {
        tags,
        operationId: 'getSession',
        summary: 'Who is signed in, and where',
        response: answers({ 200: session }),
      },
    },
    ({ identity }) => ({
      who: identity.who,
      role: identity.role,
      transcripts: identity.transcripts,
      how: identity.kind,
      timezone: desk.world.timezone,
      version: desk.version,
      database: locateDatabase(desk.files, desk.world, false).path,
      dials: desk.dials,
    }),
  );

  api.delete(
    '/api/v1/session',
    {
      schema: {
        tags,
        operationId: 'signOut',
        summary: 'Sign out',
        response: answers({ 200: done }),
      },
      config: { role: 'viewer' },
    },
    async ({ cookies }, reply) => {
      const cookie = cookies[COOKIE];
      if (cookie !== undefined) await endSession(desk.access, cookie);
      reply.clearCookie(COOKIE, { path: '/' });
      return { messages: [] };
    },
  );
}
