import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../runtime/clock.ts';
import { AppError, EXIT, messageOf } from '../runtime/errors.ts';
import type { NewId } from '../runtime/ids.ts';
import type { Notify } from '../runtime/notice.ts';
import type { DeliveryProtocol } from '../service/port.ts';
import type { Store } from '../store/port.ts';
import { endpointOf, type Endpoint } from './webhook-address.ts';
import { WebhookCounts } from './webhook-counts.ts';

export interface ReceiverOptions {
  /** Address to listen on, e.g. 127.0.0.1. */
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Where services reach it from outside, without a trailing slash; default: its own address. */
  publicUrl?: string | undefined;
  endpoints: readonly (Endpoint & { protocol: DeliveryProtocol })[];
  store: Store;
  clock: Clock;
  newId: NewId;
  notify: Notify;
  /** Told of every delivery that was kept, by its service's name. */
  onDelivery: (service: string) => void;
  limits?: Partial<ReceiverLimits>;
}

export interface ReceiverLimits {
  /** A longer body is refused. Default 1,048,576. */
  bodyBytes: number;
  /** A request that is not here in full by then is cut off, ms. Default 10,000. */
  requestMs: number;
  /** Deliveries that wait for the disk at once; more are asked to come again. Default 5,000. */
  waiting: number;
}

export interface Receiver {
  /** Without a trailing slash, e.g. `http://127.0.0.1:4280`. */
  readonly url: string;
  readonly counts: WebhookCounts;
  /** Takes nothing more; what was being written is. */
  close(): Promise<void>;
}

const DEFAULTS: ReceiverLimits = { bodyBytes: 1_048_576, requestMs: 10_000, waiting: 5_000 };
/** When a delivery may come again that could not be kept. */
const RETRY_AFTER_S = 30;
const MOST_CONNECTIONS = 1_024;

/**
 * Listens for what services send by themselves. A delivery is answered with 200 only once it is on disk;
 * what it says is looked at elsewhere.
 *
 * @throws AppError `WEBHOOK_PORT_UNAVAILABLE` (exit 2)
 */
export async function listenForWebhooks(options: ReceiverOptions): Promise<Receiver> {
  const { host, port } = options;
  const counts = new WebhookCounts();
  const app = serverOf(options, { ...DEFAULTS, ...options.limits }, counts);
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new AppError(
      'WEBHOOK_PORT_UNAVAILABLE',
      `Webhooks cannot be received on ${host}:${port} (${messageOf(error)}); allowed is a free port.`,
      {
        hint: 'give another --port; another `callsheet serve` may be running',
        cause: error,
        exitCode: EXIT.usage,
      },
    );
  }
  return {
    url: addressOf(app, host),
    counts,
    close: () => app.close(),
  };
}

function addressOf(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function serverOf(
  options: ReceiverOptions,
  limits: ReceiverLimits,
  counts: WebhookCounts,
): FastifyInstance {
  const app = fastify({
    logger: false,
    forceCloseConnections: 'idle',
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    routerOptions: { maxParamLength: 200 },
    http: {
      headersTimeout: limits.requestMs,
      // Half requests are looked for this often: at the default of 30 s they would stay so long.
      connectionsCheckingInterval: Math.min(1_000, limits.requestMs),
    },
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  // A request that breaks off is heard of twice: by its connection and by its body.
  const broken = new WeakSet<object>();
  const addMalformed = (socket: object) => {
    if (!broken.has(socket)) counts.add('malformed');
    broken.add(socket);
  };
  app.server.on('clientError', (_error, socket) => {
    addMalformed(socket);
  });
  // The bytes as they came: a signature is over them, and nothing is read before it was right.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.setErrorHandler((error: { code?: string; statusCode?: number }, request, reply) => {
    const isTooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
    if (isTooLarge) counts.add('too_large');
    else addMalformed(request.socket);
    const status = isTooLarge ? 413 : (error.statusCode ?? 400);
    return refuse(reply, status, isTooLarge ? 'too_large' : 'malformed');
  });
  app.setNotFoundHandler((_request, reply) => {
    counts.add('not_found');
    return refuse(reply, 404, 'not_found');
  });
  const receive = receiverOf(options, limits, counts);
  app.post<{ Params: { service: string; token: string } }>('/webhooks/:service/:token', receive);
  return app;
}

function receiverOf(options: ReceiverOptions, limits: ReceiverLimits, counts: WebhookCounts) {
  const { endpoints, store, clock, newId, notify, onDelivery } = options;
  let waiting = 0;

  return async (
    request: FastifyRequest<{ Params: { service: string; token: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const endpoint = endpointOf(endpoints, request.params);
    if (endpoint === undefined) {
      counts.add('not_found');
      return refuse(reply, 404, 'not_found');
    }
    const { service, protocol } = endpoint;
    const receivedAt = clock.now();
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    const { ips } = protocol;
    const base = options.publicUrl ?? addressOf(request.server, options.host);
    const verdict = protocol.verify(request.headers, body, receivedAt, base + request.url);
    const isFromElsewhere = ips.length > 0 && !ips.includes(senderOf(request));
    if (verdict.kind === 'refused' || isFromElsewhere) {
      const why = verdict.kind === 'refused' ? verdict.why : 'address_wrong';
      if (counts.add(why)) notify({ event: 'webhook.refused', service, why });
      return refuse(reply, 401, why);
    }
    if (waiting >= limits.waiting) return comeAgain(reply, counts);
    waiting += 1;
    let isNew: boolean | undefined;
    try {
      isNew = await store.inboxPut({
        id: newId('dlv'),
        service,
        key: protocol.idOf(request.headers, body) ?? `sha256:${sha256(body)}`,
        receivedAt,
        headers: protocol.headersToKeep(request.headers),
        body,
        signed: verdict.kind === 'signed',
      });
    } catch (error) {
      notify({ event: 'webhook.unkept', service, detail: messageOf(error) });
    } finally {
      waiting -= 1;
    }
    if (isNew === undefined) return comeAgain(reply, counts);
    counts.add(isNew ? 'kept' : 'repeated');
    onDelivery(service);
    return reply.code(200).send({ received: true });
  };
}

/** The service sends it again: every one of them repeats what was answered with 503. */
function comeAgain(reply: FastifyReply, counts: WebhookCounts): FastifyReply {
  counts.add('unavailable');
  return refuse(reply.header('retry-after', String(RETRY_AFTER_S)), 503, 'unavailable');
}

/** `callsheet` in the answer tells the operator's test that it was not the proxy who refused. */
function refuse(reply: FastifyReply, status: number, code: string): FastifyReply {
  return reply.code(status).send({ error: { code, by: 'callsheet' } });
}

/** Behind a proxy on this machine, the last address that it noted; whoever is further away may write any. */
function senderOf(request: FastifyRequest): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  const noted = request.headers['x-forwarded-for'];
  if (!/^(127\.|::1$)/.test(peer) || typeof noted !== 'string') return peer;
  return plainAddress(noted.split(',').at(-1)?.trim() ?? '');
}

/** An IPv4 address that came over IPv6 is still the same. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:/, '');
}

function sha256(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}
