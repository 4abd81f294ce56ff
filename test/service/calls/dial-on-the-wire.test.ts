import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import type { DialAnswer } from '../../../src/service/port.ts';
import { connect, deadUrl, DIAL, fakeService, http, KEY, RawServer, yes } from '../helpers.ts';

const SHORT = { connectMs: 150, answerMs: 150 };

/** Sends one dial and ends both sides, so that whatever was to come has come. */
async function dialOnce(
  answer: (socket: Socket, request: string) => void,
  options: Parameters<typeof connect>[1] & { permit?: () => boolean; scheme?: 'https' } = {},
): Promise<{ answer: DialAnswer; server: RawServer }> {
  const server = await RawServer.start(answer);
  const { permit = yes, scheme, ...rest } = options;
  const url = scheme === undefined ? server.url : server.url.replace('http', scheme);
  const service = connect(url, { timeouts: SHORT, ...rest });
  const result = await service.startCall(DIAL, permit);
  await service.close();
  await server.stop();
  return { answer: result, server };
}

const answers = (text: string) => (socket: Socket) => socket.end(text);

/** Writes the start at once and the rest a piece at a time, for ever: no piece is late. */
const drips = (start: string, piece: string) => (socket: Socket) => {
  socket.write(start);
  const dripping = setInterval(() => socket.write(piece), 20);
  socket.on('close', () => {
    clearInterval(dripping);
  });
};

describe('every answer of a dial is one of five, from one request', () => {
  const rows: [
    what: string,
    answer: (socket: Socket) => void,
    kind: DialAnswer['kind'],
    status: number | null,
  ][] = [
    ['200 with an id', answers(http('200 OK', '{"call_id":"c1"}')), 'placed', 200],
    [
      '201 with a nested id',
      answers(http('201 Created', '{"data":{"callId":"c1"}}')),
      'placed',
      201,
    ],
    ['202 with a number as id', answers(http('202 Accepted', '{"id":17}')), 'placed', 202],
    [
      '200 after early hints',
      answers(`HTTP/1.1 103 Early Hints\r\n\r\n${http('200 OK', '{"id":"c1"}')}`),
      'placed',
      200,
    ],
    [
      '200 after 100 Continue that nobody asked for',
      answers(`HTTP/1.1 100 Continue\r\n\r\n${http('200 OK', '{"id":"c1"}')}`),
      'placed',
      200,
    ],
    [
      '200 after several 1xx with fields of their own',
      answers(
        `HTTP/1.1 100 Continue\r\nx: y\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Go on\r\n\r\n${http('200 OK', '{"id":"c1"}')}`,
      ),
      'placed',
      200,
    ],
    [
      '429 after 100 Continue',
      answers(`HTTP/1.1 100 Continue\r\n\r\n${http('429 Slow Down', '{}')}`),
      'refused',
      429,
    ],
    ['200 without an id', answers(http('200 OK', '{"ok":true}')), 'unknown', 200],
    ['200 with a null id', answers(http('200 OK', '{"call_id":null}')), 'unknown', 200],
    [
      '200 with an id that lost digits',
      answers(http('200 OK', '{"id":12345678901234567890}')),
      'unknown',
      200,
    ],
    ['200 with an id that is no text', answers(http('200 OK', '{"id":"\\ud800"}')), 'unknown', 200],
    ['200 with HTML', answers(http('200 OK', '<html>Welcome</html>')), 'unknown', 200],
    ['204', answers('HTTP/1.1 204 No Content\r\n\r\n'), 'unknown', 204],
    [
      '200 cut short',
      answers('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"call_id":"c1"}'),
      'unknown',
      200,
    ],
    [
      '200 with a chunk cut short',
      answers('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{"call_id":"c1"}'),
      'unknown',
      200,
    ],
    [
      '200 whose body stalls',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"call'),
      'unknown',
      200,
    ],
    [
      '200 with more than a megabyte',
      answers(http('200 OK', `{"id":"c1","x":"${'x'.repeat(1_100_000)}"}`)),
      'unknown',
      200,
    ],
    ...(
      [
        '301 Moved',
        '302 Found',
        '303 See Other',
        '307 Temporary Redirect',
        '308 Permanent Redirect',
      ] as const
    ).map((status): (typeof rows)[number] => [
      status,
      (socket) =>
        socket.end(
          http(
            status,
            '',
            `location: http://127.0.0.1:${String(socket.localPort)}/v1/calls/outbound\r\n`,
          ),
        ),
      'unknown',
      Number(status.slice(0, 3)),
    ]),
    ...[400, 401, 403, 404, 405, 413, 415, 422].map((status): (typeof rows)[number] => [
      `${status}`,
      answers(http(`${status} No`, '{"error":"no"}')),
      'rejected',
      status,
    ]),
    // Its words, which may say otherwise than the status, did not come.
    ...[400, 401, 402, 429, 500].flatMap((status): typeof rows => {
      const start = `HTTP/1.1 ${status} No\r\ncontent-length: 99\r\n\r\n{`;
      return [
        [`${status} whose body is cut short`, answers(start), 'unknown', status],
        [`${status} whose body drips`, drips(start, ' '), 'unknown', status],
      ];
    }),
    ['200 whose head drips', drips('HTTP/1.1 200 OK\r\n', 'x: y\r\n'), 'unknown', null],
    [
      '200 whose body drips',
      drips('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{"call_id":"c1"', ' '),
      'unknown',
      200,
    ],
    ['early hints without end', drips('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), 'unknown', null],
    ['429', answers(http('429 Slow Down', '{}')), 'refused', 429],
    ['402', answers(http('402 No', '{}')), 'rejected', 402],
    ...[406, 408, 409, 410, 421, 425, 500, 502, 504].map((status): (typeof rows)[number] => [
      `${status}`,
      answers(http(`${status} No`, '{}')),
      'unknown',
      status,
    ]),
    [
      '503, even with Retry-After',
      answers(http('503 Busy', '', 'retry-after: 1\r\n')),
      'unknown',
      503,
    ],
    ['no answer at all', () => undefined, 'unknown', null],
    ['a closed connection', (socket) => socket.end(), 'unknown', null],
    ['a reset connection', (socket) => socket.resetAndDestroy(), 'unknown', null],
    ['half a status line', answers('HTTP/1.1 20'), 'unknown', null],
    ['something that is not HTTP', answers('hello\r\n\r\n'), 'unknown', null],
    ['100 and then nothing', answers('HTTP/1.1 100 Continue\r\n\r\n'), 'unknown', null],
    [
      'an upgrade nobody asked for',
      answers('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      'unknown',
      null,
    ],
  ];

  test.each(rows)('%s', async (_what, respond, kind, status) => {
    const { answer, server } = await dialOnce(respond);
    expect(answer).toMatchObject({ kind, status });
    expect(server.requests).toHaveLength(1);
  });
});

test('a dial carries number, agent, key and its own idempotency key, and closes its connection', async () => {
  const { answer, server } = await dialOnce(answers(http('201 Created', '{"call_id":"c1"}')));
  expect(answer).toEqual({ kind: 'placed', callId: 'c1', status: 201, detail: 'HTTP 201' });
  const [head = '', body = ''] = server.requests[0]?.split('\r\n\r\n') ?? [];
  expect(head).toMatch(/^POST \/v1\/calls\/outbound HTTP\/1\.1\r\n/);
  expect(head).toContain(`\r\nAuthorization: Bearer ${KEY}\r\n`);
  expect(head).toContain('\r\nIdempotency-Key: a1b2c3');
  expect(head).toContain('\r\nconnection: close\r\n');
  expect(JSON.parse(body)).toEqual({ phone_number: '+12125550123', agent_id: 'ag_9' });
});

test('a permit that is refused leaves no byte on the wire', async () => {
  const { answer, server } = await dialOnce(() => undefined, { permit: () => false });
  expect(answer).toMatchObject({ kind: 'neverSent', cause: 'permit', status: null });
  expect(server.connections).toBe(1);
  expect(server.bytes).toBe(0);
});

test('a permit that throws counts as refused', async () => {
  const { answer, server } = await dialOnce(() => undefined, {
    permit: () => {
      throw new Error('no clock');
    },
  });
  expect(answer).toMatchObject({ kind: 'neverSent', cause: 'permit' });
  expect(server.bytes).toBe(0);
});

test('the permit is asked once, and only on a connection that stands', async () => {
  let asked = 0;
  const permit = () => {
    asked += 1;
    return true;
  };
  await connect(await deadUrl()).startCall(DIAL, permit);
  expect(asked).toBe(0);
  await dialOnce(answers(http('200 OK', '{"id":"c1"}')), { permit });
  expect(asked).toBe(1);
});

test('a connection that is refused proves that nothing was sent', async () => {
  const url = await deadUrl();
  const answer = await connect(url).startCall(DIAL, yes);
  expect(answer).toMatchObject({ kind: 'neverSent', cause: 'connection', status: null });
  expect(answer.detail).toMatch(
    /was not sent: nothing listens at \S+: the connection was refused \(ECONNREFUSED\)/,
  );
});

test('a TLS handshake that stalls proves that no request was sent', async () => {
  const { answer, server } = await dialOnce(() => undefined, { scheme: 'https' });
  expect(answer).toMatchObject({ kind: 'neverSent', cause: 'connection' });
  expect(server.requests).toEqual([]);
});

test('a TLS handshake that fails proves that no request was sent', async () => {
  const server = await fakeService(() => ({ body: '' }));
  const service = connect(server.url.replace('http', 'https'));
  const answer = await service.startCall(DIAL, yes);
  await service.close();
  await server.stop();
  expect(answer).toMatchObject({ kind: 'neverSent', cause: 'connection' });
  expect(server.requests).toEqual([]);
});

test('a dial on a closed client was never sent', async () => {
  const server = await RawServer.start(() => undefined);
  const service = connect(server.url);
  await service.close();
  expect(await service.startCall(DIAL, yes)).toMatchObject({
    kind: 'neverSent',
    cause: 'connection',
  });
  await server.stop();
  expect(server.connections).toBe(0);
});

test('hundreds of dials at once over resets and stalls put one request each on the wire', async () => {
  let count = 0;
  const server = await RawServer.start((socket) => {
    count += 1;
    if (count % 4 === 0) socket.resetAndDestroy();
    else if (count % 4 === 1) socket.end();
    else if (count % 4 === 2) socket.end(http('200 OK', '{"id":"c1"}'));
    else socket.end(http('503 Busy', ''));
  });
  const service = connect(server.url, {
    timeouts: { connectMs: 5_000, answerMs: 5_000 },
  });
  const keys = Array.from({ length: 300 }, (_, index) => `attempt-${index}`);
  await Promise.all(keys.map((attemptKey) => service.startCall({ ...DIAL, attemptKey }, yes)));
  await service.close();
  await server.stop();
  const seen = server.requests.map((request) => /idempotency-key: (\S+)/i.exec(request)?.[1]);
  expect(seen.toSorted()).toEqual(keys.toSorted());
});

test('a refusal names what was sent and what came back, with key and numbers masked', async () => {
  const body = `{"error":"phone_number +1 (212) 555-0123 is bad","seen":"${KEY}","at":"2026-01-05"}`;
  const { answer } = await dialOnce(answers(http('422 Unprocessable', body)));
  expect(answer.detail).toMatch(
    /^POST http:\/\/127\.0\.0\.1:\d+\/v1\/calls\/outbound \(with phone_number, agent_id\) was answered with HTTP 422; received: /,
  );
  expect(answer.detail).not.toContain(KEY);
  expect(answer.detail).not.toContain('555-0123');
  expect(answer.detail).toContain('2026-01-05');
});

test('a 2xx without an id names the fields looked for and shows what was received', async () => {
  const { answer } = await dialOnce(answers(http('200 OK', '{"identifier":"x"}')));
  expect(answer.detail).toContain('no call id was found; looked for call_id, callId, id');
  expect(answer.detail).toContain('received: {"identifier":"x"}');
});

test('an answer cut short shows what arrived of it', async () => {
  const { answer } = await dialOnce(
    answers('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"call_id":"c1"}'),
  );
  expect(answer.detail).toMatch(/its body broke off: .*; received: \{"call_id":"c1"\}/);
});

test.each([
  ['seconds', '7', 7_000],
  ['a date', 'Mon, 05 Jan 2026 15:00:30 GMT', 30_000],
  ['a day, cut to an hour', '86400', 3_600_000],
  ['nonsense', 'soon', null],
])('a 429 is told with how long to wait: %s', async (_what, header, retryAfterMs) => {
  const clock = { ...systemClock, now: () => Date.UTC(2026, 0, 5, 15) };
  const { answer } = await dialOnce(answers(http('429 No', '', `retry-after: ${header}\r\n`)), {
    clock,
  });
  expect(answer).toMatchObject({ kind: 'refused', retryAfterMs });
});
