import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { healthAnswer } from '../../collect/inbox/health-routes.ts';
import type { HealthAnswers } from '../../domain/monitoring/health.ts';
import { messageOf, usageError } from '../../runtime/errors.ts';
import { isLoopback } from '../../runtime/loopback.ts';
import type { Metrics } from './metrics.ts';

/** Where metrics are told: an address of this machine alone. */
export interface MetricsAt {
  /** Without brackets, e.g. `127.0.0.1` or `::1`. */
  host: string;
  /** 0 takes any free port. */
  port: number;
}

/** A monitor and a person beside it need a few; whatever is more is a mistake. */
const MOST_CONNECTIONS = 32;
const REQUEST_WITHIN_MS = 10_000;

/**
 * Answers /metrics, /healthz and /readyz.
 *
 * @throws AppError `METRICS_PORT_UNAVAILABLE` (exit 2)
 */
export async function listenForMetrics(
  { host, port }: MetricsAt,
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  health: HealthAnswers,
) {
  const server = createServer({
    requestTimeout: REQUEST_WITHIN_MS,
    headersTimeout: REQUEST_WITHIN_MS,
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on('request', (request, response) => {
    void answer(request, metrics, health).then(({ status, type, text }) => {
      send(response, status, type, request.method === 'HEAD' ? '' : text);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port }, resolve);
  }).catch((error: unknown) => {
    throw usageError(
      'METRICS_PORT_UNAVAILABLE',
      `Metrics cannot be told on ${host}:${port} (${messageOf(error)}); allowed is a free port.`,
      'give another port with --metrics; another `callsheet serve` may be running',
      error,
    );
  });
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shown}:${(server.address() as AddressInfo).port}`,
    close: async (): Promise<void> => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

interface Answer {
  status: number;
  type: string;
  text: string;
}

async function answer(
  request: IncomingMessage,
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  health: HealthAnswers,
): Promise<Answer> {
  // A web page can make a browser on this machine ask under a name of its own: campaigns have names.
  if (!isLoopback(hostOf(request))) return json(403, { error: 'ask under a name of this machine' });
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return json(405, { error: 'only GET' });
  const [path] = (request.url ?? '').split('?');
  if (path === '/healthz' || path === '/readyz') {
    const { status, body } = healthAnswer(health[path.slice(1) as keyof HealthAnswers]());
    return json(status, body);
  }
  if (path !== '/metrics') return json(404, { error: 'there are /metrics, /healthz and /readyz' });
  try {
    return { status: 200, type: metrics.contentType, text: await metrics.text() };
  } catch (error) {
    return json(503, { error: messageOf(error) });
  }
}

function hostOf({ headers }: IncomingMessage): string {
  const address = `http://${headers.host ?? ''}`;
  return URL.canParse(address) ? new URL(address).hostname : '';
}

function json(status: number, body: Record<string, string>): Answer {
  return { status, type: 'application/json', text: JSON.stringify(body) };
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}
