import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, usageError } from '../../runtime/errors.ts';
import { isLoopback } from '../../runtime/loopback.ts';
import { createMetrics, type MetricsSources } from './metrics.ts';

/** Where metrics are served: an address of this machine alone. */
export interface MetricsAt {
  /** Without brackets, e.g. `127.0.0.1` or `::1`. */
  host: string;
  /** 0 takes any free port. */
  port: number;
}

/**
 * Serves metrics at /metrics.
 *
 * @throws AppError `METRICS_PORT_UNAVAILABLE` (exit 2)
 */
export async function serveMetrics({ host, port }: MetricsAt, sources: MetricsSources) {
  const metrics = createMetrics(sources);
  const server = createServer((request, response) => {
    void answer(request, metrics).then(({ status, type = 'text/plain', text }) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
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
    store: metrics.store,
    observed: metrics.observed,
    url: `http://${shown}:${(server.address() as AddressInfo).port}/metrics`,
    close: async (): Promise<void> => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

async function answer(
  { method = '', url = '', headers }: IncomingMessage,
  metrics: Pick<ReturnType<typeof createMetrics>, 'text' | 'contentType'>,
): Promise<{ status: number; type?: string; text: string }> {
  const address = `http://${headers.host ?? ''}`;
  // A web page can make a browser on this machine ask under the page's own name; metrics name campaigns.
  if (!URL.canParse(address) || !isLoopback(new URL(address).hostname))
    return { status: 403, text: 'ask under a name of this machine' };
  if (!['GET', 'HEAD'].includes(method) || url.split('?')[0] !== '/metrics')
    return { status: 404, text: 'there is only GET /metrics' };
  try {
    return { status: 200, type: metrics.contentType, text: await metrics.text() };
  } catch (error) {
    return { status: 503, text: messageOf(error) };
  }
}
