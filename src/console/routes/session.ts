import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { asksForNames } from '../../app/access/listening.ts';
import {
  checkLogin,
  createSession,
  endSession,
  SESSION_MS,
  useLink,
} from '../../app/access/sessions.ts';
import { changeOwnPassword } from '../../app/access/users.ts';
import { locateDatabase, nameOf } from '../../app/places/home.ts';
import { MINUTE_MS } from '../../domain/time-units.ts';
import { AppError } from '../../runtime/errors.ts';
import { accessName, session, signIn } from '../../views/access.ts';
import type { Desk } from '../desk.ts';
import { sessionCookie } from '../guards/identity.ts';
import { done } from '../../views/fields.ts';
import { routesOf, type Api } from './api.ts';

const password = z.string().min(1).max(1_000);
const login = z.object({ name: accessName, password });
const ownPassword = z.object({ old: password, password });

const route = routesOf('Session');
/** Guesses of one name from one address, and of all names from it. */
const MOST_FOR_NAME = 5;
const MOST_FOR_ADDRESS = 30;

/** Signing in and out: the one-time link, name and password, and who is signed in. */
export function sessionRoutes(api: Api, desk: Desk): void {
  const { secure } = desk;
  const keep = (reply: FastifyReply, cookie: string) =>
    reply.setCookie(sessionCookie(reply.request, desk), cookie, {
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
      secure,
      maxAge: SESSION_MS / 1_000,
    });
  const ofName = api.createRateLimit({
    max: MOST_FOR_NAME,
    timeWindow: MINUTE_MS,
    keyGenerator: ({ ip, body, identity }) => `${normalizeIP(ip)} ${nameIn(body) ?? identity.who}`,
  });
  const ofAddress = api.createRateLimit({ max: MOST_FOR_ADDRESS, timeWindow: MINUTE_MS });
  const refuseGuesses = async (request: FastifyRequest, limits: (typeof ofName)[]) => {
    for (const limit of limits) {
      const found = await limit(request);
      if (!found.isAllowed && found.isExceeded)
        throw new AppError('TOO_MANY_LOGINS', 'Too many attempts to sign in.', {
          hint: 'wait a minute and try again',
        });
    }
  };

  api.get(
    '/link/:secret',
    {
      schema: { hide: true, params: z.object({ secret: z.string().max(200) }) },
      config: { role: 'anyone' },
    },
    async (request, reply) => {
      await refuseGuesses(request, [ofAddress]);
      const link = { text: request.params.secret, from: request.ip };
      reply.header('cache-control', 'no-store');
      const begun = await useLink(desk.access, link, desk.world).catch((error: unknown) => {
        // The page says what to do, where a problem would be read as it is.
        const isRefused = error instanceof AppError && error.code === 'LINK_REFUSED';
        if (isRefused && request.headers.accept?.includes('text/html')) return null;
        throw error;
      });
      if (begun === null) return reply.redirect('/?link=refused', 303);
      // Not kept in the browser's history, nor sent to anybody: the secret is used up.
      return keep(reply, begun.cookie).redirect('/', 303);
    },
  );

  route.post(api, '/api/v1/session', {
    operationId: 'signIn',
    summary: 'Sign in with name and password; the answer sets the cookie',
    body: login,
    answers: { 200: done },
    security: [],
    role: 'anyone',
    handler: async (request, reply) => {
      await refuseGuesses(request, [ofAddress, ofName]);
      const found = await checkLogin(
        desk.access,
        { ...request.body, from: request.ip },
        desk.world,
      );
      const { cookie } = await createSession(desk.access, found, desk.world);
      keep(reply, cookie);
      return { messages: [] };
    },
  });

  route.get(api, '/api/v1/sign-in', {
    operationId: 'getSignIn',
    summary: 'How to sign in here: by name and password, or by a link',
    answers: { 200: signIn },
    security: [],
    role: 'anyone',
    handler: async () => ({ names: await asksForNames(desk.access) }),
  });

  route.get(api, '/api/v1/session', {
    operationId: 'getSession',
    summary: 'Who is signed in, and where',
    answers: { 200: session },
    handler: ({ identity }) => ({
      who: identity.who,
      role: identity.role,
      transcripts: identity.transcripts,
      how: identity.kind,
      timezone: desk.world.timezone,
      version: desk.version,
      database: nameOf(locateDatabase(desk.files, desk.world, false))
        .split('/')
        .slice(-2)
        .join('/'),
      dials: desk.dials,
    }),
  });

  route.delete(api, '/api/v1/session', {
    operationId: 'signOut',
    summary: 'Sign out',
    answers: { 200: done },
    role: 'viewer',
    handler: async (request, reply) => {
      const name = sessionCookie(request, desk);
      const cookie = request.cookies[name];
      if (cookie !== undefined) await endSession(desk.access, cookie);
      reply.clearCookie(name, { path: '/', secure });
      return { messages: [] };
    },
  });

  route.put(api, '/api/v1/session/password', {
    operationId: 'changeOwnPassword',
    summary: 'Change your own password; you stay signed in here, and nowhere else',
    body: ownPassword,
    answers: { 200: done },
    role: 'viewer',
    handler: async (request, reply) => {
      const { identity, body } = request;
      await refuseGuesses(request, [ofName]);
      const changed = await changeOwnPassword(desk.access, identity, body, desk.world);
      const { cookie } = await createSession(desk.access, changed, desk.world);
      keep(reply, cookie);
      return { messages: [] };
    },
  });
}

function nameIn(body: unknown): string | undefined {
  const { name } = body as { name?: string };
  return name?.toLowerCase();
}
