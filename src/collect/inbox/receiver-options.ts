import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Clock } from '../../runtime/clock.ts';
import type { NewId } from '../../runtime/random.ts';
import type { Notify } from '../../runtime/log.ts';
import type { DeliveryProtocol } from '../../service/port.ts';
import type { Store } from '../../store/port.ts';
import type { RoomLimits } from './connection-room.ts';

/** Where webhooks are received. */
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
  /** Called for every delivery that was kept, with its service's name. */
  onDelivery: (service: string) => void;
  /** Called after every chunk of a body with the number of bytes that are kept; for measurements. */
  onHeld?: (bytes: number) => void;
  limits?: Partial<ReceiverLimits>;
  /** What /healthz answers; left out: this path is not found. */
  health?: Health | undefined;
}

export type ServiceEndpoint = Endpoint & { protocol: DeliveryProtocol };

export interface ReceiverLimits extends RoomLimits {
  /** A longer body is refused, unless its type is one that the profile calls unneeded. Default 1,048,576. */
  bodyBytes: number;
  /** A request that has not arrived in full by then is cut off, ms. Default 10,000. */
  requestMs: number;
  /** Deliveries that wait for the disk at once; further ones are answered with 503. Default 5,000. */
  waiting: number;
}

export const DEFAULT_LIMITS: ReceiverLimits = {
  bodyBytes: 1_048_576,
  requestMs: 10_000,
  waiting: 5_000,
  connections: 1_024,
  strangers: 512,
  strangersPerAddress: 64,
  strangerMs: 3_000,
};

/** The variable parts of a service's webhook path: its name, and a token that nobody can guess. */
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
 *
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
 * Answers whether this process works: null if it does, else a word for programs. `stuck`: its main loop hangs.
 * `store`: the last write to the database failed, or would have failed.
 */
export type Health = () => 'stuck' | 'store' | null;

/** True for requests to `/healthz`, which need no token. */
export function asksForHealth(request: FastifyRequest): boolean {
  return request.routeOptions.config.asksForHealth === true;
}

/**
 * Answers monitors at `/healthz`: 200 `{"status":"ok"}`, or 503 with the reason as a word. To the receiver a monitor is
 * a stranger: the limits for strangers hold, the request is not counted as one of a service, and the connection is
 * closed with the answer. The answer comes from memory, so that asking costs nothing.
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
