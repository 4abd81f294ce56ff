import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connect, DIAL, http, RawServer, yes } from '../helpers.ts';

const PLACED = http('201 Created', '{"call_id":"c1"}');
const SETTLED = { status: 'completed', transcript: 'HTTP/1.1 100 Continue', duration: 1 };

const dialAt = async (answer: (socket: Socket) => void) => {
  const server = await RawServer.start(answer);
  const service = connect(server.url, { timeouts: { connectMs: 2_000, answerMs: 2_000 } });
  onTestFinished(async () => {
    await service.close();
    await server.stop();
  });
  return service.startCall(DIAL, yes);
};

test.each(['1.0', '1.1'])(
  'an unasked 100 Continue of HTTP/%s is skipped, wherever the network cuts it',
  async (version) => {
    const text = `HTTP/${version} 100 Continue\r\nserver: proxy\r\n\r\n${PLACED}`;
    for (let cut = 1; cut < 60; cut += 7) {
      const answer = await dialAt((socket) => {
        socket.setNoDelay(true);
        socket.write(text.slice(0, cut));
        // Long enough for the pieces not to travel together.
        setTimeout(() => socket.end(text.slice(cut)), 15);
      });
      expect(answer).toMatchObject({ kind: 'placed', callId: 'c1' });
    }
  },
);

test('on a connection that is kept, it is skipped before every answer, and a body that says the same is whole', async () => {
  let connections = 0;
  const seen = new Set<Socket>();
  const server = await RawServer.start((socket) => {
    if (!seen.has(socket)) connections += 1;
    seen.add(socket);
    const body = JSON.stringify(SETTLED);
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`;
    socket.write(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n${head}`);
    // A piece that begins like a 1xx, but is none.
    const at = body.indexOf('HTTP/');
    setImmediate(() =>
      socket.write(body.slice(0, at), () => setImmediate(() => socket.write(body.slice(at)))),
    );
  });
  const service = connect(server.url);
  onTestFinished(async () => {
    await service.close();
    await server.stop();
  });
  for (const id of ['c1', 'c2', 'c3', 'c4', 'c5', 'c6']) {
    const look = await service.readAnalytics(id);
    expect(look).toMatchObject({
      kind: 'settled',
      analytics: { transcript: 'HTTP/1.1 100 Continue' },
    });
  }
  expect(connections).toBeLessThan(6);
});

test('a 100 Continue whose head has no end is given up, and its dial is in doubt', async () => {
  const answer = await dialAt((socket) => {
    socket.end(`HTTP/1.1 100 Continue\r\nx: ${'y'.repeat(40_000)}`);
  });
  expect(answer).toMatchObject({ kind: 'unknown', status: null });
});
