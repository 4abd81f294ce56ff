import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Clock } from '../../runtime/clock.ts';
import type { Notify } from '../../runtime/log.ts';
import type { NewId } from '../../runtime/random.ts';
import type { DeliveryProtocol } from '../../service/port.ts';
import type { Store } from '../../store/port.ts';

export interface ListenAt {
  /** Address to listen on, e.g. 127.0.0.1. */
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Address at which services reach the receiver, without a trailing slash; default: its own address. */
  publicUrl?: string | undefined;
}

export interface ReceiverOptions extends ListenAt {
  endpoints: readonly ServiceEndpoint[];
  store: Store;
  clock: Clock;
  newId: NewId;
  notify: Notify;
  /** What the ids of its deliveries begin with. Default `dlv`. */
  receiver?: string;
  /** Called for every delivery that was kept, with its service's name. */
  onDelivery: (service: string) => void;
  /** For measurements: bytes of a body that are kept, after each chunk. */
  onHeld?: (bytes: number) => void;
  limits?: Partial<ReceiverLimits>;
  /** What /healthz answers; left out: this path is not found. */
  health?: Health | undefined;
}

export type ServiceEndpoint = Endpoint & { protocol: DeliveryProtocol };

export const DEFAULT_LIMITS = {
  /** A longer body is refused, unless its type is one that the profile calls unneeded. */
  bodyBytes: 1_048_576,
  /** A request that has not arrived in full by then is cut off, ms. */
  requestMs: 10_000,
  /** Deliveries that wait for the disk at once; further ones are answered with 503. */
  waiting: 5_000,
  /** Connections at once, of all kinds. */
  connections: 1_024,
  /** Most strangers (see `createConnectionRoom`): the other places are reserved for senders of deliveries. */
  strangers: 512,
  /** Strangers from one address that has never sent a verified delivery. */
  strangersPerAddress: 64,
  /** How long a stranger may take to send the head of its request, ms. */
  strangerMs: 3_000,
};
export type ReceiverLimits = typeof DEFAULT_LIMITS;

/** The variable parts of a webhook path: the service, and a token that nobody can guess. */
export interface Endpoint {
  /** The service's name in services.yaml, or its address. */
  service: string;
  token: string;
}

/** `/webhooks/<service>/<token>`; a service that is named by its address becomes one path segment. */
export function webhookPath(service: string, token: string): string {
  return `/webhooks/${segmentOf(service)}/${token}`;
}

/**
 * Finds the endpoint of a path. Tokens are compared in constant time, so that timing reveals nothing about a token.
 * @param path its two variable parts, decoded
 */
export function endpointOf<E extends Endpoint>(
  endpoints: readonly E[],
  { service, token }: Endpoint,
): E | undefined {
  let found: E | undefined;
  for (const endpoint of endpoints) {
    const isService = segmentOf(endpoint.service) === service;
    if (isSame(endpoint.token, token) && isService) found = endpoint;
  }
  return found;
}

function segmentOf(service: string): string {
  return service
    .replace(/^https?:\/\//, '')
    .replaceAll(/[^\w:-]+/g, '-')
    .replace(/:(?=\d)/g, '-');
}

function isSame(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}

/**
 * Answers whether this process works: null if it does, else a word for programs. `stuck`: its main loop hangs. `store`:
 * the last write to the database failed, or would have failed.
 */
export type Health = () => 'stuck' | 'store' | null;

/** True for requests to `/healthz`, which need no token. */
export function asksForHealth(request: FastifyRequest): boolean {
  return request.routeOptions.config.asksForHealth === true;
}

/**
 * Answers monitors at `/healthz` from memory: 200 `{"status":"ok"}`, or 503 with the reason as a word. A monitor counts
 * as a stranger, its request is not counted, and the connection is closed.
 */
export function addHealthRoute(app: FastifyInstance, health: Health | undefined): void {
  if (health === undefined) return;
  app.get('/healthz', { config: { asksForHealth: true } }, (_request, reply) => {
    const reason = health();
    return reply
      .header('cache-control', 'no-store')
      .code(reason === null ? 200 : 503)
      .send(reason === null ? { status: 'ok' } : { status: 'unwell', reason });
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    asksForHealth?: boolean;
  }
}

/** How many addresses of senders are remembered; the least recent is forgotten first. */
const MOST_ADDRESSES = 1_000;

/**
 * Limits connections, so that idle ones cannot fill the receiver. A stranger is a connection that has not requested a
 * secret webhook path. It is disconnected after a few seconds, and the oldest one when there are too many. An address
 * that has sent verified deliveries (a service, many behind one NAT, or a proxy) has no limit of its own.
 */
export function createConnectionRoom(
  {
    strangers: most,
    strangersPerAddress,
    strangerMs,
  }: Omit<ReceiverLimits, 'bodyBytes' | 'requestMs' | 'waiting'>,
  clock: Clock,
  onSentAway: () => void,
) {
  /** Strangers, the oldest first, each with its address and a function that cancels its timeout. */
  const strangers = new Map<Socket, { address: string; cancel: () => void }>();
  const byAddress = new Map<string, Set<Socket>>();
  const proved = new WeakSet<Socket>();
  const addresses = new Set<string>();

  const forget = (socket: Socket) => {
    const stranger = strangers.get(socket);
    if (stranger === undefined) return;
    stranger.cancel();
    strangers.delete(socket);
    const same = byAddress.get(stranger.address);
    same?.delete(socket);
    if (same?.size === 0) byAddress.delete(stranger.address);
  };
  const sendAway = (socket: Socket) => {
    forget(socket);
    onSentAway();
    socket.destroy();
  };
  const leastWelcome = () => {
    for (const [socket, { address }] of strangers) if (!addresses.has(address)) return socket;
    return first(strangers.keys());
  };

  return {
    enter: (socket: Socket): void => {
      const address = networkOf(socket.remoteAddress ?? '');
      const cancel = clock.after(strangerMs, () => sendAway(socket));
      strangers.set(socket, { address, cancel });
      const same = byAddress.get(address) ?? new Set();
      byAddress.set(address, same.add(socket));
      socket.once('close', () => forget(socket));
      if (same.size > strangersPerAddress && !addresses.has(address)) sendAway(first(same));
      if (strangers.size > most) sendAway(leastWelcome());
    },
    /** Call when the connection has requested a valid path: only the limit for whole requests applies then. */
    admit: forget,
    /** Call when a delivery over this connection was verified. */
    prove: (socket: Socket): void => {
      proved.add(socket);
      const address = networkOf(socket.remoteAddress ?? '');
      addresses.delete(address);
      addresses.add(address);
      if (addresses.size > MOST_ADDRESSES) addresses.delete(first(addresses));
    },
    hasProved: (socket: Socket): boolean => proved.has(socket),
    /** Disconnects all strangers. */
    close: (): void => {
      for (const socket of strangers.keys()) socket.destroy();
    },
  };
}

export type ConnectionRoom = ReturnType<typeof createConnectionRoom>;

function first<T>(some: Iterable<T>): T {
  for (const one of some) return one;
  throw new Error('there is one at the least');
}

/** An IPv4 address, or the /64 network of an IPv6 address: one sender usually has the whole network. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...rest].slice(0, 4).join(':');
}
