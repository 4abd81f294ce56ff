import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../runtime/clock.ts';
import { AppError, EXIT, messageOf } from '../runtime/errors.ts';
import type { NewId } from '../runtime/ids.ts';
import type { Notify } from '../runtime/notice.ts';
import type { DeliveryProtocol } from '../service/port.ts';
import type { Store } from '../store/port.ts';
import { readBody, type Body } from './read-body.ts';
import { isFromElsewhere, lengthOf } from './request-facts.ts';
import { endpointOf, type Endpoint } from './webhook-address.ts';
import { WebhookCounts } from './webhook-counts.ts';

export interface ReceiverOptions {
  /** Address to listen on, e.g. 127.0.0.1. */
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Where services reach it from outside, without a trailing slash; default: its own address. */
  publicUrl?: string | undefined;
  endpoints: readonly ServiceEndpoint[];
  store: Store;
  clock: Clock;
  newId: NewId;
  notify: Notify;
  /** Told of every delivery that was kept, by its service's name. */
  onDelivery: (service: string) => void;
  /** Told after every piece of a body how many bytes of it are kept; only to measure it. */
  onHeld?: (bytes: number) => void;
  limits?: Partial<ReceiverLimits>;
}

type ServiceEndpoint = Endpoint & { protocol: DeliveryProtocol };

export interface ReceiverLimits {
  /** A longer body is refused, unless its type is one that the profile calls unneeded. Default 1,048,576. */
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
  const found = new WeakMap<FastifyRequest, ServiceEndpoint>();
  // Whoever does not know the address is sent away before the body is read.
  app.addHook('onRequest', async (request, reply) => {
    const endpoint = request.is404 ? undefined : endpointOf(options.endpoints, paramsOf(request));
    if (endpoint !== undefined) {
      found.set(request, endpoint);
      return;
    }
    counts.add('not_found');
    // Else the rest of a long body would be waited for, only to be thrown away.
    if (!(lengthOf(request) <= limits.bodyBytes)) reply.header('connection', 'close');
    return refuse(reply, 404, 'not_found');
  });
  // The bytes as they came: a signature is over them, and nothing is read before it was right.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, stream: Readable) => {
    const protocol = found.get(request)?.protocol;
    return readBody(stream, {
      limit: limits.bodyBytes,
      length: lengthOf(request),
      unneeded:
        protocol === undefined || isFromElsewhere(request, protocol) ? null : protocol.unneeded,
      onHeld: options.onHeld,
    });
  });
  app.setErrorHandler((error: { statusCode?: number }, request, reply) => {
    addMalformed(request.socket);
    return refuse(reply, error.statusCode ?? 400, 'malformed');
  });
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'not_found'));
  const receive = receiverOf(options, limits, counts);
  app.post('/webhooks/:service/:token', (request, reply) => {
    const endpoint = found.get(request);
    if (endpoint === undefined) throw new Error('it was found before the body was read');
    return receive(endpoint, request, reply);
  });
  return app;
}

function receiverOf(options: ReceiverOptions, limits: ReceiverLimits, counts: WebhookCounts) {
  const { store, clock, newId, notify, onDelivery } = options;
  let waiting = 0;

  return async (
    { service, protocol }: ServiceEndpoint,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const receivedAt = clock.now();
    const read = request.body as Body | undefined;
    if (read?.kind === 'too_large') {
      counts.add('too_large');
      return refuse(reply.header('connection', 'close'), 413, 'too_large');
    }
    // Nothing is proved by what nobody has read, and nothing stands on it.
    if (read?.kind === 'unneeded') return drop(reply, counts);
    const body = read?.bytes ?? new Uint8Array();
    const base = options.publicUrl ?? addressOf(request.server, options.host);
    const verdict = protocol.verify(request.headers, body, receivedAt, base + request.url);
    const isElsewhere = isFromElsewhere(request, protocol);
    if (verdict.kind === 'refused' || isElsewhere) {
      const why = verdict.kind === 'refused' ? verdict.why : 'address_wrong';
      if (counts.add(why)) notify({ event: 'webhook.refused', service, why });
      return refuse(reply, 401, why);
    }
    if (isUnneeded(body, protocol)) return drop(reply, counts);
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
        body: protocol.bodyToKeep(body),
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

/** Answered as if it had been kept: a service stops sending where it is refused too often. */
function drop(reply: FastifyReply, counts: WebhookCounts): FastifyReply {
  counts.add('dropped');
  return reply.code(200).send({ received: true });
}

function isUnneeded(body: Uint8Array, { unneeded }: DeliveryProtocol): boolean {
  const scan = unneeded?.scan();
  scan?.add(body);
  return scan?.isUnneeded() === true;
}

function paramsOf(request: FastifyRequest): { service: string; token: string } {
  return request.params as { service: string; token: string };
}

function sha256(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}
