// The wire between callsheet and the embedded service. From a certain dial on it is down for a while.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What every request meets in the outage: a status, a connection that is reset, or no answer at all. */
export const KINDS = ['503', 'reset', 'hang', '410', '409', '500'];
const DIALS = '/v1/calls/outbound';

/**
 * @param after the outage begins with this dial
 * @param forMs how long it lasts, real ms
 * @returns its `url`; `counts` of dials and reads that met the outage; `beganAt()`, epoch ms; `isOver`
 */
export async function startWire(service, { kind, after, forMs }) {
  const counts = { dialled: 0, reads: 0 };
  let dials = 0;
  let state = 'before';
  let beganAt = Infinity;
  let end;
  const isOver = new Promise((resolve) => {
    end = resolve;
  });
  const hanging = new Set();

  function fail(response) {
    if (kind === 'reset') response.socket?.resetAndDestroy();
    else if (kind === 'hang') hanging.add(response);
    else {
      response.writeHead(Number(kind), { 'content-type': 'application/json' });
      response.end('{"error":"down for a while"}');
    }
  }

  async function begin() {
    state = 'down';
    beganAt = Date.now();
    await sleep(forMs);
    state = 'after';
    for (const response of hanging) response.socket?.destroy();
    end();
  }

  const server = createServer(async (incoming, response) => {
    const isDial = incoming.method === 'POST' && incoming.url === DIALS;
    const body = Buffer.concat(await incoming.toArray());
    if (isDial) dials += 1;
    if (state === 'before' && dials > after) void begin();
    if (state === 'down') {
      counts[isDial ? 'dialled' : 'reads'] += 1;
      return fail(response);
    }
    const { method, url, headers } = incoming;
    const onward = request(new URL(url, service), { method, headers }, async (answer) => {
      const text = Buffer.concat(await answer.toArray());
      // Its answer is lost, too.
      if (state === 'down') return fail(response);
      response.writeHead(answer.statusCode, answer.headers);
      response.end(text);
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    counts,
    beganAt: () => beganAt,
    isOver,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
