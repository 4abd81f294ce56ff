import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleEvent } from '../../../src/console/events/events.ts';
import { createHub, MOST_STREAMS, MOST_TOPICS } from '../../../src/console/events/hub.ts';
import { limitConnections } from '../../../src/console/guards/connections.ts';
import { createLog } from '../../../src/runtime/log.ts';
import { openFileLimit } from '../../../src/runtime/process.ts';
import { eventStream } from '../../../src/console/events/stream.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { desk } from '../../helpers/callsheet.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { openSocket, requestText } from '../../helpers/requests/raw-http.ts';

const counters = (dials: number) =>
  ({ event: 'counters', data: { dials, filler: 'x'.repeat(2_000) } }) as unknown as ConsoleEvent;
const calls = { event: 'calls', data: [{ phone: '+12125550101', filler: 'x'.repeat(2_000) }] };

describe('a page that does not read', () => {
  it('has nothing kept for it but the newest counters, which it gets when it reads again', async () => {
    const clock = new VirtualClock();
    let most = 0;
    const server = createServer((_request, response) => {
      const { send } = eventStream(response, clock, () => Promise.resolve(true));
      const all = async () => {
        // More than all buffers of the system take.
        for (let n = 1; n <= 10_000; n++) {
          send(counters(n));
          send(calls as unknown as ConsoleEvent);
          most = Math.max(most, response.writableLength);
          if (n % 100 === 0) await new Promise(setImmediate);
        }
        client.resume();
      };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      void all();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = openSocket(url);
    client.pause();
    client.write(requestText(url, 'GET', '/'));
    let text = '';
    await new Promise<void>((resolve) => {
      client.on('data', (piece) => {
        text += piece.toString();
        if (text.includes('"dials":10000')) resolve();
      });
    });
    expect(most).toBeLessThan(32_000);
    const got = text.split('event: calls').length - 1;
    expect(got).toBeGreaterThan(0);
    expect(got).toBeLessThan(9_000);
    client.destroy();
    server.close();
  });
});

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

describe('the hub', () => {
  let hub: ReturnType<typeof createHub> | undefined;
  afterEach(() => {
    hub?.close();
  });
  const aHub = () => {
    const world = fakeWorld({ cwd: '/nowhere', clock: new VirtualClock() });
    const made = (hub = createHub({ world, files: { db: undefined } }));
    return (topic: string) => made.subscribe(topic, () => undefined);
  };
  const refused = expect.objectContaining({ code: 'TOO_MANY_STREAMS' }) as Error;

  it('takes so many pages and no more, and another one when one has gone', () => {
    const subscribe = aHub();
    const leave = Array.from({ length: MOST_STREAMS }, () => subscribe('spring'));
    expect(() => subscribe('spring')).toThrow(refused);
    leave[0]?.();
    // Who has gone does not go twice.
    leave[0]?.();
    leave[0] = subscribe('spring');
    expect(() => subscribe('spring')).toThrow(refused);
    for (const each of leave) each();
    for (let n = 0; n < MOST_STREAMS; n++) subscribe('spring');
  });

  it('reads so many campaigns and no more, whatever names are asked for', () => {
    const subscribe = aHub();
    const leave = Array.from({ length: MOST_TOPICS }, (_, n) => subscribe(`name ${n}`));
    expect(() => subscribe('another')).toThrow(refused);
    subscribe('name 1')();
    leave[0]?.();
    subscribe('another');
  });
});

describe('a thousand pages that lie open', () => {
  let console: TestConsole;
  beforeAll(async () => {
    const here = desk({}, afterAll);
    here.write('spring.csv', 'name,phone\nAnn,+12125550101\n');
    const imported = await here.run(['import', 'spring', 'spring.csv', '--service', 'simulated']);
    expect(imported).toMatchObject({ code: 0 });
    console = await startTestConsole({ folder: here.cwd });
  });
  afterAll(async () => {
    await console.close();
  });

  const watch = (name: string) => {
    const socket = openSocket(console.url);
    const authorization = `Bearer ${console.tokens.viewer ?? ''}`;
    const path = `/api/v1/events?campaign=${name}`;
    socket.write(requestText(console.url, 'GET', path, { authorization }));
    return socket;
  };
  const until = (socket: Socket, wanted: string) =>
    new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (piece) => {
        text += piece.toString();
        if (text.includes(wanted)) resolve(text);
      });
    });
  const open = () =>
    process.getActiveResourcesInfo().filter((what) => what === 'TCPSocketWrap').length;

  it('leave room for others, see what changes, and are let go when they leave', async () => {
    await console.json('GET', '/api/v1/campaigns');
    const before = open();
    const sockets = Array.from({ length: 1_000 }, () => watch('spring'));
    await Promise.all(sockets.map((socket) => until(socket, 'event: counters')));
    expect(open()).toBeGreaterThan(before + 1_900);
    const seen = sockets.map((socket) => until(socket, '"concurrency":9'));
    const set = { concurrency: '9' };
    await console.json('PATCH', '/api/v1/campaigns/spring/settings', { set });
    await Promise.all(seen);
    for (const socket of sockets) socket.destroy();
    while (open() > before + 5) await new Promise(setImmediate);
    expect((await console.ask('GET', '/api/v1/campaigns/spring')).status).toBe(200);
  });

  it('are refused as a problem where they are too many, and told in the log', async () => {
    const sockets = Array.from({ length: MOST_TOPICS + 1 }, (_, n) => watch(`name${n}`));
    const begun = await Promise.all(sockets.map((socket) => until(socket, '\r\n\r\n')));
    const refused = begun.filter((text) => text.startsWith('HTTP/1.1 503 '));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toContain('content-type: application/problem+json');
    for (const socket of sockets) socket.destroy();
    const log = await console.json('GET', '/api/v1/log?text=refused', undefined, 'admin');
    expect(log).toMatchObject({
      items: [{ who: 'token viewer', what: 'GET /api/v1/events', outcome: 'refused (503)' }],
    });
  });
});
