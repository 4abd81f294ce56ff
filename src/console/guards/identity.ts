import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';

import { hasRole, type Identity } from '../../app/access/identity.ts';
import { NOBODY as NOBODY_KNOWN } from '../../app/access/log.ts';
import { findSession, findToken } from '../../app/access/sessions.ts';
import { AppError } from '../../runtime/errors.ts';
import { Folding } from '../../runtime/log.ts';
import type { NewLogEntry } from '../../store/console.ts';
import type { Role } from '../../views/access.ts';
import { masking, type Masking } from '../../views/masking.ts';
import { worldOf, type Desk } from '../desk.ts';

/** By which addresses browsers may reach the console. */
export interface Addresses {
  /** Names in the Host header, with the port unless it is the scheme's own, e.g. `127.0.0.1:4281`. */
  hosts: ReadonlySet<string>;
  /** Origins of its own pages, e.g. `http://127.0.0.1:4281`. */
  origins: ReadonlySet<string>;
}

/** The ports that browsers leave out. */
const OWN_PORT = { http: 80, https: 443 };

/** @param names further names, e.g. `calls.example.com`; a proxy in front has a port of its own */
export function addressesOf(
  { host, port }: { host: string; port: number },
  scheme: 'http' | 'https',
  names: readonly string[],
): Addresses {
  const own = ['127.0.0.1', 'localhost', '[::1]', host.includes(':') ? `[${host}]` : host];
  const others = names.map((name) => name.toLowerCase());
  const direct = [...own, ...others].map((name) =>
    (port === OWN_PORT[scheme] ? name : `${name}:${port}`).toLowerCase(),
  );
  return {
    hosts: new Set([...direct, ...others]),
    origins: new Set([
      ...direct.map((name) => `${scheme}://${name}`),
      // A proxy speaks https outside, whatever it speaks to the console.
      ...others.map((name) => `https://${name}`),
    ]),
  };
}

/**
 * Refuses requests under a name that is not ours: a page elsewhere could give its own name our address (DNS rebinding)
 * and then read answers as if they were its own.
 *
 * @param flags how the flags of the console begin
 */
export function guardHost(app: FastifyInstance, addresses: () => Addresses, flags: string): void {
  app.addHook('onRequest', (request, _reply, next) => {
    const { host = '' } = request.headers;
    if (addresses().hosts.has(host.toLowerCase())) next();
    else {
      next(
        new AppError('HOST_UNKNOWN', `This console does not answer to the name "${host}".`, {
          hint: `open it by the address that it printed, or name this one with ${flags}allow-host`,
        }),
      );
    }
  });
}

/** Refuses changes that another site's page sends with the browser's cookie. */
function requireOwnOrigin(origin: string | undefined, { origins }: Addresses): void {
  if (origin !== undefined && origins.has(origin.toLowerCase())) return;
  const from = origin === undefined ? 'no page of its own' : origin;
  throw new AppError('ORIGIN_REFUSED', `This change came from ${from}, so it was not made.`, {
    hint: 'use the pages of this console, or a token',
  });
}

const READS = ['GET', 'HEAD'];

/** Nobody: for routes that anyone may ask. */
const NOBODY: Identity = { who: NOBODY_KNOWN, kind: 'link', role: 'viewer', transcripts: false };

/**
 * Finds out who asks, by token or by the session's cookie, and refuses whom the route is not for. Every change needs at
 * least an operator unless its route says otherwise, so that a new route is never open by mistake.
 */
export function guardRoutes(app: FastifyInstance, desk: Desk, addresses: () => Addresses): void {
  for (const name of ['identity', 'world', 'messages']) app.decorateRequest(name);
  app.addHook('onRequest', async (request) => {
    const needed = roleFor(request);
    const identity = needed === 'anyone' ? NOBODY : await identify(request, desk);
    Object.assign(request, { identity, ...worldOf(desk, identity) });
    if (identity.kind !== 'token' && !READS.includes(request.method))
      requireOwnOrigin(request.headers.origin, addresses());
    if (needed === 'anyone' || hasRole(identity, needed)) return;
    throw new AppError(
      'NOT_ALLOWED',
      `${identity.who} is a ${identity.role}; this needs the role ${needed}.`,
      { hint: 'an admin gives roles: `callsheet users set NAME --role ROLE`' },
    );
  });
}

function roleFor({ routeOptions, method }: FastifyRequest): Role | 'anyone' {
  const given = routeOptions.config.role;
  if (given !== undefined) return given;
  return READS.includes(method) ? 'viewer' : 'operator';
}

/**
 * The name of the session's cookie. A browser sends the cookies of a name to all its ports, so that two consoles on
 * one machine would sign each other's people out: the port is part of it.
 */
export function sessionCookie(
  { socket }: Pick<FastifyRequest, 'socket'>,
  { secure }: Pick<Desk, 'secure'>,
): string {
  // Browsers take a cookie with this prefix from https alone, and for this host alone.
  return `${secure ? '__Host-' : ''}callsheet_session_${socket.localPort ?? ''}`;
}

async function identify(request: FastifyRequest, desk: Desk): Promise<Identity> {
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const cookie = request.cookies[sessionCookie(request, desk)];
  const found =
    token !== undefined
      ? await findToken(desk.access, token, desk.world)
      : cookie !== undefined
        ? await findSession(desk.access, cookie, desk.world)
        : undefined;
  if (found !== undefined) return found;
  throw new AppError(
    'NOT_SIGNED_IN',
    token === undefined
      ? 'Nobody is signed in, or the session has ended.'
      : 'This token is not known; it may have been removed.',
    { hint: 'sign in, or make a token with `callsheet tokens add NAME --role operator`' },
  );
}

/** Masked answers of a route by their status, e.g. `200`. */
type Answers = Readonly<Record<string, z.core.$ZodType>>;

/**
 * Masks each answer by the schema of its route, unless the one who asks may read what was said in calls. Handlers return
 * whole values. What cannot be masked is refused: a route when it is registered, an answer without a schema when it is
 * sent.
 */
export function maskAnswers(api: FastifyInstance): void {
  const masks = new WeakMap<object, ReadonlyMap<string, Masking | null>>();
  api.addHook('onRoute', ({ method, url, schema }) => {
    const response = schema?.response as Answers | undefined;
    if (response === undefined) return;
    const done = Object.entries(response).filter(([status]) => status < '4');
    masks.set(
      response,
      new Map(done.map(([status, one]) => [status, masking(one, `${String(method)} ${url}`)])),
    );
  });
  api.addHook('preSerialization', (request, reply, payload, next) => {
    const { routeOptions } = request;
    const may = (request as Partial<FastifyRequest>).identity?.transcripts === true;
    // Problems are masked where they are made; the description of the API holds nothing of a campaign.
    if (may || reply.statusCode >= 400 || routeOptions.schema?.hide === true) {
      next(null, payload);
      return;
    }
    const mask = masks.get(routeOptions.schema?.response as object)?.get(String(reply.statusCode));
    if (mask === undefined) next(new Error(`${routeOptions.url ?? ''} answers without a schema.`));
    else next(null, mask ? mask(payload) : payload);
  });
}

/** Refusals: of a role, a site or a name; too often or too many. */
const REFUSALS = [403, 421, 429, 503];

/**
 * Keeps who changed what, and what was refused, in the log of the console; never bodies, passwords or tokens. Refusals
 * that repeat are kept once and then counted, so that a million tries do not fill the disk.
 */
export function keepLog(app: FastifyInstance, { access, world }: Desk): void {
  const refusals = new Folding(world.clock);
  const keep = (entry: Omit<NewLogEntry, 'at'>) =>
    access.appendLog({ at: world.clock.now(), ...entry });
  const keepRefusal = (entry: Omit<NewLogEntry, 'at'>) => {
    const { who, what, outcome, detail } = entry;
    refusals.add(JSON.stringify([who, what, outcome]), (times) => {
      const counted = times === undefined ? detail : { ...detail, times };
      void keep({ ...entry, detail: counted });
    });
  };

  app.addHook('onResponse', async (request, reply) => {
    const { does } = request.routeOptions.config;
    const { statusCode } = reply;
    // Sign-in logs its own failures, and a session that has ended is not worth a line.
    if (statusCode === 401) return;
    const isRefusal = REFUSALS.includes(statusCode);
    if (does === undefined && !isRefusal) return;
    const params = request.params as Partial<Record<string, string>> | null;
    const named = params?.['campaign'] ?? params?.['service'] ?? params?.['name'] ?? params?.['id'];
    const entry = {
      who: (request.identity as { who: string } | undefined)?.who ?? NOBODY_KNOWN,
      what: does ?? `${request.method} ${request.routeOptions.url ?? ''}`,
      target: request.about ?? named ?? null,
      outcome: statusCode < 400 ? 'done' : `refused (${statusCode})`,
    };
    if (isRefusal) keepRefusal({ ...entry, detail: { from: request.ip } });
    else await keep({ ...entry, detail: {} });
  });
  app.addHook('onClose', (_app, done) => {
    refusals.flush();
    done();
  });
}
