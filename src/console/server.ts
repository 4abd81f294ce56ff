import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import files from '@fastify/static';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';

import { packageRoot } from '../config/profiles.ts';
import { AppError, messageOf, usageError } from '../runtime/errors.ts';
import { shownTo } from './routes/api.ts';
import type { Desk } from './desk.ts';
import { addressesOf, guardHost, guardRoutes, type Addresses } from './guards/identity.ts';
import { endSlowBodies, limitConnections } from './guards/connections.ts';
import { keepNowhere, refuseAddress, sendSafeHeaders, tagAnswers } from './guards/headers.ts';
import { keepLog } from './guards/keep-log.ts';
import { maskAnswers } from './guards/mask-answers.ts';
import { describeApi } from './openapi.ts';
import { isDefect, problemOf, shownProblem } from './problems.ts';
import { apiRoutes } from './routes/routes.ts';

const A_YEAR_MS = 365 * 86_400_000;

/**
 * Sends the pages that `npm ci` has built, each file in the compressed form that the browser takes. Names of files change
 * with their content, so they are kept for a year; the page that names them is asked for each time. They hold nothing of
 * a campaign, so anyone may have them: what they show comes through the API.
 *
 * @returns answers an address that is no file: with the page, which finds out by itself what to show there
 */
async function sendPages(
  app: FastifyInstance,
): Promise<(request: FastifyRequest, reply: FastifyReply) => FastifyReply> {
  const root = join(packageRoot(), 'dist/console/pages');
  const isBuilt = existsSync(root);
  if (isBuilt) {
    await app.register(files, {
      root: join(root, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: A_YEAR_MS,
      index: false,
    });
  }
  return ({ method, url, headers }, reply) => {
    const isPage =
      method === 'GET' &&
      !/^\/(api|assets)\//.test(url) &&
      headers.accept?.includes('text/html') === true;
    if (!isPage) {
      throw new AppError('NO_SUCH_ADDRESS', `There is nothing at ${url.slice(0, 200)}.`, {
        hint: 'see /api/v1/openapi.json',
      });
    }
    if (!isBuilt) {
      throw new AppError('PAGES_MISSING', 'The pages of this console were not built.', {
        hint: 'run `npm run build` in the folder of callsheet',
      });
    }
    return reply.code(200).sendFile('index.html', root, { maxAge: 0, immutable: false });
  };
}

export interface ConsoleAt {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Further names under which browsers ask, e.g. behind a proxy. */
  names: readonly string[];
  /** A proxy in front speaks https; cookies are then for https alone. */
  behindProxy: boolean;
  /** Paths of certificate and key, PEM; null: plain http. */
  tls: { cert: string; key: string } | null;
  /** How the flags of all of this begin, for hints: `--` or `--console-`. */
  flags: string;
}

/** No request line or header of a page is longer. */
const REQUEST_WITHIN_MS = 60_000;

/**
 * Listens for browsers and for programs with tokens.
 *
 * @returns its base address without a trailing slash
 * @throws AppError `CONSOLE_PORT_UNAVAILABLE`, `TLS_UNUSABLE` (exit 2)
 */
export async function startServer(at: ConsoleAt, desk: Desk) {
  const scheme = at.tls === null ? 'http' : 'https';
  let addresses: Addresses = { hosts: new Set(), origins: new Set() };
  const app = await buildServer(at, desk, () => addresses);
  const { host } = at;
  await app.listen({ host, port: at.port }).catch((error: unknown) => {
    throw usageError(
      'CONSOLE_PORT_UNAVAILABLE',
      `The console cannot listen on ${host}:${at.port} (${messageOf(error)}); allowed is a free port.`,
      `give another one with ${at.flags}port`,
      error,
    );
  });
  const { port } = app.server.address() as AddressInfo;
  addresses = addressesOf({ host, port }, scheme, at.names);
  return {
    url: `${scheme}://${shownHost(host)}:${port}`,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

/** As it can be opened on this machine, also where the console listens on all its addresses. */
function shownHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** The server without a port, also for its OpenAPI document. */
async function buildServer(
  at: ConsoleAt,
  desk: Desk,
  addresses: () => Addresses,
): Promise<FastifyInstance> {
  const app = fastify({
    ...(at.tls !== null && { https: readTls(at.tls, at.flags) }),
    logger: false,
    bodyLimit: 1_024 * 1_024,
    requestTimeout: 0,
    connectionTimeout: 0,
    keepAliveTimeout: REQUEST_WITHIN_MS,
    // The proxy itself, and nobody before it: whatever else stands in X-Forwarded-For, its sender may have made up.
    trustProxy: at.behindProxy && ((_address, hop) => hop === 0),
    // Names of campaigns may be long; they are checked by their schema.
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: (error, _request, reply) => {
      refuseAddress(error, reply);
    },
  }) as unknown as FastifyInstance;
  app.server.headersTimeout = REQUEST_WITHIN_MS;
  limitConnections(app.server, { log: desk.log, clock: desk.world.clock });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, request, reply) => {
    if (isDefect(error)) desk.world.keepStack(error);
    const known = (request as Partial<FastifyRequest>).identity;
    const problem = shownProblem(
      problemOf(error),
      shownTo({ transcripts: known?.transcripts ?? false }),
    );
    void reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem));
  });
  await sendSafeHeaders(app, desk.secure);
  endSlowBodies(app, desk.world.clock);
  guardHost(app, addresses, at.flags);
  await app.register(cookie);
  await app.register(rateLimit, { global: false });
  await describeApi(app, desk.version);
  await app.register((api, _options, next) => {
    keepNowhere(api);
    tagAnswers(api, desk.world.clock);
    guardRoutes(api, desk, addresses);
    keepLog(api, desk);
    maskAnswers(api);
    apiRoutes(api, desk);
    next();
  });
  app.setNotFoundHandler(await sendPages(app));
  return app;
}

/** @throws AppError `TLS_UNUSABLE` (exit 2) */
function readTls({ cert, key }: { cert: string; key: string }, flags: string) {
  try {
    return { cert: readFileSync(cert), key: readFileSync(key) };
  } catch (error) {
    throw new AppError(
      'TLS_UNUSABLE',
      `${messageOf(error)}; allowed are a certificate and its key in PEM.`,
      {
        hint: `check the paths of ${flags}tls-cert and ${flags}tls-key`,
        exitCode: 2,
        cause: error,
      },
    );
  }
}
