import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { limitConnections, takeTurns } from '../../../src/console/guards/connections.ts';
import { createLog } from '../../../src/runtime/log.ts';
import { openFileLimit } from '../../../src/runtime/process.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { openSocket, requestText } from '../../helpers/requests/raw-http.ts';

describe('connections', () => {
  it('that are too many are closed, and told in the log once, and those that are open stay', async () => {
    const clock = new VirtualClock();
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => lines.push(line) });
    const server = createServer((_request, response) => response.end('x'));
    limitConnections(server, { log, clock }, 20);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sockets = Array.from({ length: 60 }, () => openSocket(url));
    let closed = 0;
    await new Promise<void>((resolve) => {
      for (const socket of sockets)
        socket.on('close', () => {
          if ((closed += 1) === 40) resolve();
        });
    });
    const open = sockets.find(({ destroyed }) => !destroyed);
    open?.write(requestText(url, 'GET', '/'));
    await new Promise((resolve) => open?.once('data', resolve));
    await clock.advance(60_000);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'warn', event: 'console.connectionsDropped', times: 1, most: 20 },
      { times: 39 },
    ]);
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('are at most three quarters of what the process may have open', () => {
    const server = createServer();
    limitConnections(server, {
      log: createLog('silent', process.stderr),
      clock: new VirtualClock(),
    });
    const files = openFileLimit() ?? Infinity;
    expect(server.maxConnections).toBe(Math.min(12_000, Math.floor(files * 0.75)));
    expect(openFileLimit('/nowhere')).toBeNull();
  });
});

describe('requests that come at the same moment', () => {
  it('are answered in turns of the event loop of their own, in the order in which they came', async () => {
    const app = fastify();
    const seen: string[] = [];
    takeTurns(app);
    app.get('/:n', ({ params }) => {
      seen.push(JSON.stringify(params));
      setImmediate(() => seen.push('a turn ends'));
      return {};
    });

    await Promise.all(['/1', '/2', '/3'].map((url) => app.inject(url)));

    const [one, two, three] = [1, 2, 3].map((n) => JSON.stringify({ n: String(n) }));
    expect(seen.slice(0, 5)).toEqual([one, 'a turn ends', two, 'a turn ends', three]);
    await app.close();
  });
});
