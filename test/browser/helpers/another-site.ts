import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A server of somebody else on this machine, until the test ends: one page at every address, without any policy.
 *
 * @param body its HTML; default: empty
 * @returns its port; it answers to every name that leads here: 127.0.0.1, localhost and all that end with `.example`
 */
export async function anotherSite(body = ''): Promise<number> {
  const server = createServer((_request, response) => {
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(`<!doctype html><title>elsewhere</title>${body}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
