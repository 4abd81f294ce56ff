import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What becomes of a request: passed on, its answer lost on the way back, or answered with 503. */
export type OnTheWay = 'passes' | 'answer lost' | 'unavailable';

/**
 * A way to a service on which answers get lost: the request arrives, and the connection breaks before the answer.
 *
 * @param meet asked for the n-th (from 0) request of a method and path
 */
export async function lossyProxy(
  target: string,
  meet: (request: string, nth: number) => OnTheWay,
): Promise<{ url: string }> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request;
    const name = `${method} ${url.replace(/\?.*/, '')}`;
    const nth = counts.get(name) ?? 0;
    counts.set(name, nth + 1);
    const meets = meet(name, nth);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (meets === 'unavailable') {
        response.writeHead(503).end();
        return;
      }
      const headers = Object.entries(request.headers).filter(([each]) => !OF_THE_WAY.has(each));
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
      void fetch(target + url, { method, headers: headers as [string, string][], ...body })
        .then(async (answer) => {
          const text = await answer.text();
          if (meets === 'answer lost') {
            response.destroy();
            return;
          }
          const type = answer.headers.get('content-type') ?? 'application/json';
          response.writeHead(answer.status, { 'content-type': type }).end(text);
        })
        .catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Headers that are about the connection and not the request. */
const OF_THE_WAY = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]);
