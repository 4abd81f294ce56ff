import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createSecureContext } from 'node:tls';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import files from '@fastify/static';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';

import {
  announceConsole,
  asksForNames,
  consolePath,
  openConsoleStore,
  runningConsole,
  signInAt,
  type SignIn,
} from '../app/access/listening.ts';
import { sweepUploads, uploadFolder } from '../app/lists/uploads.ts';
import type { StopSignals } from '../app/run/run-events.ts';
import { tellUncalled } from '../app/watch/campaigns.ts';
import type { World } from '../app/world.ts';
import { packageRoot } from '../runtime/files.ts';
import { MINUTE_MS } from '../domain/time-units.ts';
import { AppError, messageOf, usageError } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import { isLoopback } from '../runtime/process.ts';
import { CallRates, type Desk } from './desk.ts';
import {
  endSlowBodies,
  keepNowhere,
  limitConnections,
  refuseAddress,
  sendSafeHeaders,
  tagAnswers,
  takeTurns,
} from './guards/connections.ts';
import {
  addressesOf,
  guardHost,
  guardRoutes,
  keepLog,
  maskAnswers,
  type Addresses,
} from './guards/identity.ts';
import { createJobs } from './jobs/jobs.ts';
import { isDefect, maskedProblem, problemOf } from './problems.ts';
import { apiRoutes, describeApi } from './routes/routes.ts';

export interface ConsoleRequest {
  at: ConsoleAt;
  db: string | undefined;
  services: string | undefined;
  /** Who calls a campaign that is started here. */
  dials: Desk['dials'];
  /** The largest upload, bytes. */
  mostUploadBytes: number;
  version: string;
}

/** A console that listens, and how to get into it. */
export interface RunningConsole extends SignIn {
  /** Waits for calls and imports that were begun here; their stop is the caller's. A second time does nothing more. */
  close(): Promise<void>;
}

/**
 * Starts the console: the API and the pages.
 *
 * @param stop ends the calls that were begun here, as Ctrl-C ends those of `run`
 * @throws AppError `CONSOLE_UNSAFE` (exit 2) for an address that others reach without users or without https, and
 *   those of `startServer`
 */
export async function startConsole(
  { at, db, services, dials, mostUploadBytes, version }: ConsoleRequest,
  { log, stop }: { log: Log; stop: StopSignals },
  world: World,
): Promise<RunningConsole> {
  const files = { db, services };
  const access = await openConsoleStore(files, world);
  let server: Awaited<ReturnType<typeof startServer>> | undefined;
  try {
    refuseUnsafe(at, await asksForNames(access));
    const rates = new CallRates(world.clock);
    const jobs = createJobs(world, stop);
    const name = consolePath(files, world);
    const folder = uploadFolder({ name, folder: dirname(name) });
    const uploads = { folder, mostBytes: mostUploadBytes };
    const secure = at.tls !== null || at.behindProxy;
    const desk: Desk = { world, files, access, jobs, rates, log, dials, uploads, secure, version };
    const { url, close } = (server = await startServer(at, desk).catch(async (error: unknown) => {
      throw withRunning(error, at, await runningConsole(access, world));
    }));
    // Beside `serve`, that one tells.
    if (dials === 'here') await tellUncalled(files, false, world).catch(world.keepStack);
    const signIn = await signInAt(access, url, world);
    const ended = await announceConsole(access, url, world);
    const over = new AbortController();
    const sweeping = sweepHourly(desk, over.signal);
    const closeAll = async () => {
      over.abort();
      await jobs.ended();
      await ended();
      await close();
      await sweeping;
      await access.close();
    };
    let closing: Promise<void> | undefined;
    return { ...signIn, close: () => (closing ??= closeAll()) };
  } catch (error) {
    await server?.close();
    await access.close();
    throw error;
  }
}

const SWEEP_EVERY_MS = 60 * MINUTE_MS;

/** Deletes what was sent a day ago and nothing has taken; what fails is logged and tried again. */
async function sweepHourly(
  { access, files, uploads, world }: Desk,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    await sweepUploads(access, uploads.folder, files, world).catch(world.keepStack);
    await world.clock.sleep(SWEEP_EVERY_MS, over);
  }
}

/** The port is mostly taken by the console of this database itself, which somebody wants to see again. */
function withRunning(error: unknown, { port }: ConsoleAt, url: string | undefined): unknown {
  const isTaken = error instanceof AppError && error.code === 'CONSOLE_PORT_UNAVAILABLE';
  if (!isTaken || url === undefined || new URL(url).port !== String(port)) return error;
  return usageError(
    'CONSOLE_PORT_UNAVAILABLE',
    `The console of this database runs already, at ${url}.`,
    '`callsheet console --link` says how to get into it',
    error,
  );
}

/** An address that others reach needs passwords, and a connection that nobody can listen in on. */
function refuseUnsafe({ host, behindProxy, tls, flags }: ConsoleAt, hasUsers: boolean): void {
  const isHere = isLoopback(host.includes(':') ? `[${host}]` : host);
  if (isHere && !behindProxy) return;
  const where = isHere ? 'behind a proxy' : `on ${host}`;
  if (!hasUsers) {
    throw usageError(
      'CONSOLE_UNSAFE',
      `The console does not listen ${where} without users: everybody who reaches it could call people.`,
      'add one with `callsheet users add NAME --role admin`',
    );
  }
  if (behindProxy || tls !== null) return;
  throw usageError(
    'CONSOLE_UNSAFE',
    `The console does not listen ${where} without https: passwords could be read on the way.`,
    `give ${flags}tls-cert and ${flags}tls-key, or ${flags}behind-proxy where a proxy speaks https outside`,
  );
}

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

interface ConsoleAt {
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
 */
async function startServer(at: ConsoleAt, desk: Desk) {
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
    frameworkErrors: (error, _request, reply) => refuseAddress(error, reply),
  }) as unknown as FastifyInstance;
  app.server.headersTimeout = REQUEST_WITHIN_MS;
  limitConnections(app.server, { log: desk.log, clock: desk.world.clock });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, request, reply) => {
    if (isDefect(error)) desk.world.keepStack(error);
    const known = (request as Partial<FastifyRequest>).identity;
    const whole = problemOf(error);
    const problem = known?.transcripts === true ? whole : maskedProblem(whole);
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
    takeTurns(api);
    apiRoutes(api, desk);
    next();
  });
  app.setNotFoundHandler(await sendPages(app));
  return app;
}

function readTls({ cert, key }: { cert: string; key: string }, flags: string) {
  try {
    const pair = { cert: readFileSync(cert), key: readFileSync(key) };
    createSecureContext(pair);
    return pair;
  } catch (error) {
    throw new AppError(
      'TLS_UNUSABLE',
      `${cert} and ${key} cannot be used (${messageOf(error)}); allowed are a certificate and its key in PEM.`,
      {
        hint: `check the paths of ${flags}tls-cert and ${flags}tls-key`,
        exitCode: 2,
        cause: error,
      },
    );
  }
}
