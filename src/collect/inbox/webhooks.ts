import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';
import { messageOf, usageError } from '../../runtime/errors.ts';
import {
  addHealthRoute,
  asksForHealth,
  createConnectionRoom,
  DEFAULT_LIMITS,
  endpointOf,
  type ConnectionRoom,
  type Endpoint,
  type ReceiverLimits,
  type ReceiverOptions,
  type ServiceEndpoint,
} from './receiver-options.ts';
import {
  createDelivering,
  isFromElsewhere,
  lengthOf,
  readBody,
  refuse,
  WebhookCounts,
} from './deliver.ts';

export type Receiver = Awaited<ReturnType<typeof listenForWebhooks>>;

/** At the end, connections are closed after this; the service sends an incomplete delivery again. */
const CLOSE_WITHIN_MS = 1_500;

/**
 * Receives the deliveries that services send. A delivery is answered with 200 only once it is on disk; `Inbox` applies
 * it afterwards.
 */
export async function listenForWebhooks(options: ReceiverOptions) {
  const { host, port } = options;
  const counts = new WebhookCounts();
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const room = createConnectionRoom(limits, options.clock, () => counts.add('sent_away'));
  const ending = new AbortController();
  const app = serverOf(options, limits, counts, room, ending.signal);
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw usageError(
      'WEBHOOK_PORT_UNAVAILABLE',
      `Webhooks cannot be received on ${host}:${port} (${messageOf(error)}); allowed is a free port.`,
      'give another --port; another `callsheet serve` may be running',
      error,
    );
  }
  return {
    /** Without a trailing slash, e.g. `http://127.0.0.1:4280`. */
    url: addressOf(app, host),
    counts,
    /** Stops receiving; deliveries that are being written are finished. */
    close: async () => {
      ending.abort();
      room.close();
      const cancel = options.clock.after(CLOSE_WITHIN_MS, () => app.server.closeAllConnections());
      await app.close();
      cancel();
    },
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
  room: ConnectionRoom,
  ending: AbortSignal,
): FastifyInstance {
  const app = fastify({
    logger: false,
    forceCloseConnections: 'idle',
    requestTimeout: limits.requestMs,
    routerOptions: { maxParamLength: 200 },
    http: {
      headersTimeout: limits.requestMs,
      // How often Node checks for unfinished requests: at its default of 30 s they would stay that long.
      connectionsCheckingInterval: Math.min(1_000, limits.requestMs),
    },
  });
  app.server.maxConnections = limits.connections;
  app.server.on('connection', (socket: Socket) => room.enter(socket));
  // A request that breaks off is reported twice: by its connection and by its body.
  const broken = new WeakSet<object>();
  const addMalformed = (socket: object) => {
    if (!broken.has(socket)) counts.add('malformed');
    broken.add(socket);
  };
  app.server.on('clientError', (_error, socket) => addMalformed(socket));
  const found = new WeakMap<FastifyRequest, ServiceEndpoint>();
  // A request without a valid token is refused before its body is read.
  app.addHook('onRequest', async (request, reply) => {
    if (asksForHealth(request)) return;
    const endpoint = request.is404
      ? undefined
      : endpointOf(options.endpoints, request.params as Endpoint);
    if (endpoint !== undefined) {
      room.admit(request.socket);
      found.set(request, endpoint);
      return;
    }
    counts.add('not_found');
    // Without this, Node would read the rest of a long body only to discard it.
    if (!(lengthOf(request) <= limits.bodyBytes)) reply.header('connection', 'close');
    return refuse(reply, 404, 'not_found');
  });
  // Connections without a verified delivery are closed, to leave room for services; at the end, all others, too.
  app.addHook('onSend', async (request, reply, payload) => {
    if (!room.hasProved(request.socket) || ending.aborted) reply.header('connection', 'close');
    return payload;
  });
  // Bodies stay raw bytes: the signature covers these, and nothing is parsed before the signature was verified.
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
  addHealthRoute(app, options.health);
  const base = ({ server }: FastifyRequest) => options.publicUrl ?? addressOf(server, options.host);
  const receive = createDelivering(options, base, limits, counts, room);
  app.post('/webhooks/:service/:token', (request, reply) => {
    const endpoint = found.get(request);
    if (endpoint === undefined) throw new Error('it was found before the body was read');
    return receive(endpoint, request, reply);
  });
  return app;
}
