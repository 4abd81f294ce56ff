import dns from 'node:dns';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { issuePermit } from '../../../src/dispatch/dispatcher.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { connect, DIAL, http, RawServer, yes } from '../helpers.ts';

const SHORT = { connectMs: 150, answerMs: 5_000 };
const UNHURRIED = { connectMs: 30_000, answerMs: 30_000 };

type Found = (error: Error | null, addresses?: { address: string; family: number }[]) => void;

/** Looks `localhost` up as told, as a name server elsewhere would. @returns how often it was asked */
function lookUp(answer: (found: Found) => void): () => number {
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(((_name, _options, found: Found) => {
    answer(found);
  }) as typeof dns.lookup);
  onTestFinished(() => {
    spy.mockRestore();
  });
  return () => spy.mock.calls.length;
}

const HERE = [{ address: '127.0.0.1', family: 4 }];
const byName = (server: RawServer) => server.url.replace('127.0.0.1', 'localhost');

describe('a dial without a connection was never sent', () => {
  test('when the name is not known, and it is looked up once', async () => {
    const server = await RawServer.start((socket) => socket.end(http('200 OK', '{"id":"c1"}')));
    const error = Object.assign(new Error('getaddrinfo ENOTFOUND localhost'), {
      code: 'ENOTFOUND',
    });
    let first = true;
    const asked = lookUp((found) => {
      if (first) found(error);
      else found(null, HERE);
      first = false;
    });
    const service = connect(byName(server));
    const answer = await service.startCall(DIAL, yes);
    await service.close();
    await server.stop();

    expect(answer).toMatchObject({ kind: 'neverSent', cause: 'connection', status: null });
    expect(answer.detail).toContain('ENOTFOUND');
    expect(asked()).toBe(1);
    expect(server.connections).toBe(0);
  });

  test('when it does not come about in time', async () => {
    const server = await RawServer.start(() => undefined);
    let late: Found = () => undefined;
    lookUp((found) => (late = found));
    const service = connect(byName(server), { timeouts: SHORT });
    const answer = await service.startCall(DIAL, yes);
    // What was given up does not come back to life.
    late(null, HERE);
    await service.close();
    await server.stop();

    expect(answer).toMatchObject({ kind: 'neverSent', cause: 'connection' });
    expect(answer.detail).toContain('UND_ERR_CONNECT_TIMEOUT');
    expect(server.bytes).toBe(0);
  });

  test('when it comes about after the permit has expired: no byte reaches the service', async () => {
    const server = await RawServer.start((socket) => socket.end(http('200 OK', '{"id":"c1"}')));
    const clock = new VirtualClock();
    lookUp((found) => {
      void clock.advance(5_001).then(() => {
        found(null, HERE);
      });
    });
    const service = connect(byName(server), { timeouts: UNHURRIED });
    const answer = await service.startCall(DIAL, issuePermit(clock));
    await service.close();
    await server.stop();

    expect(answer).toMatchObject({ kind: 'neverSent', cause: 'permit' });
    expect(server.connections).toBe(1);
    expect(server.bytes).toBe(0);
  });

  test('but is sent when the connection takes nearly as long as the permit holds', async () => {
    const server = await RawServer.start((socket) => socket.end(http('200 OK', '{"id":"c1"}')));
    const clock = new VirtualClock();
    lookUp((found) => {
      void clock.advance(5_000).then(() => {
        found(null, HERE);
      });
    });
    const service = connect(byName(server), { timeouts: UNHURRIED });
    const answer = await service.startCall(DIAL, issuePermit(clock));
    await service.close();
    await server.stop();

    expect(answer).toMatchObject({ kind: 'placed', callId: 'c1' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a connection that the service resets', () => {
  test('before it has read the request leaves it unknown: the request has left', async () => {
    const sockets: Socket[] = [];
    const server = await RawServer.deaf((socket) => sockets.push(socket));
    const service = connect(server.url);
    const sent = new Promise<void>((resolve) => {
      const permit = () => {
        // The request is written in the turn in which this is asked.
        setImmediate(resolve);
        return true;
      };
      void service.startCall(DIAL, permit).then((answer) => {
        expect(answer).toMatchObject({ kind: 'unknown', status: null });
      });
    });
    await sent;
    await vi.waitFor(() => {
      expect(sockets).toHaveLength(1);
    });
    sockets[0]?.resetAndDestroy();
    await service.close();
    await server.stop();

    expect.assertions(3);
    expect(server.connections).toBe(1);
  });

  test('as soon as it stands is taken for not sent only by the send marker, and is not tried again', async () => {
    const server = await RawServer.deaf((socket) => socket.resetAndDestroy());
    const service = connect(server.url);
    for (let n = 1; n <= 30; n++) {
      const permit = vi.fn(() => true);
      const { kind } = await service.startCall(DIAL, permit);
      expect(kind).toBe(permit.mock.calls.length > 0 ? 'unknown' : 'neverSent');
      expect(server.connections).toBe(n);
    }
    await service.close();
    await server.stop();
  });
});

test('the send marker agrees with a server that counts bytes, whatever the connection meets', async () => {
  let count = 0;
  const server = await RawServer.start((socket) => {
    socket.end(http('200 OK', `{"id":"c${count}"}`));
  });
  const service = connect(server.url);
  for (; count < 20; count++) {
    const before = server.bytes;
    const isPermitted = count % 2 === 0;
    const { kind } = await service.startCall(DIAL, () => isPermitted);
    expect(kind).toBe(isPermitted ? 'placed' : 'neverSent');
    expect(server.bytes > before).toBe(isPermitted);
  }
  await service.close();
  await server.stop();
});
