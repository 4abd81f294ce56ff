import { gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import type { VoiceService } from '../../../src/service/port.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { until } from '../../helpers/until.ts';
import type { FakeService } from '../helpers.ts';
import { connect, deadUrl, fakeService, http, KEY, PROFILE, RawServer } from '../helpers.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const SETTLED = { status: 'completed', transcript: 'x', duration: 1, sentiment: 'neutral' };

type Answer = Parameters<typeof fakeService>[0];

async function serving(
  answer: Answer,
  options: Parameters<typeof connect>[1] = {},
): Promise<{ service: VoiceService; server: FakeService }> {
  const server = await fakeService(answer);
  const service = connect(server.url, options);
  closers.push(server.stop, () => service.close());
  return { service, server };
}

test('a look is one GET with the key, the call id escaped', async () => {
  const { service, server } = await serving(() => ({ body: SETTLED }));
  expect(await service.readAnalytics('c/1 ä')).toMatchObject({ kind: 'settled', result: null });
  expect(server.requests).toMatchObject([
    {
      method: 'GET',
      url: '/v1/calls/c%2F1%20%C3%A4/analytics',
      headers: { authorization: `Bearer ${KEY}` },
    },
  ]);
});

test.each([202, 404, 409, 425])('HTTP %i means not completed yet', async (status) => {
  const { service, server } = await serving(() => ({ status, body: { error: { code: 'x' } } }));
  expect(await service.readAnalytics('c1')).toEqual({ kind: 'pending' });
  expect(server.requests).toHaveLength(1);
});

test('an answer that says not completed may still say that the line is down', async () => {
  const { service } = await serving((_request, count) => ({
    status: 409,
    body: {
      error: { code: 'call_not_completed' },
      status: ['ended', 'processing', 'talking'][count - 1],
    },
  }));
  expect(await service.readAnalytics('c1')).toEqual({ kind: 'ended' });
  expect(await service.readAnalytics('c1')).toEqual({ kind: 'ended' });
  expect(await service.readAnalytics('c1')).toEqual({ kind: 'pending' });
});

test.each([401, 403])(
  'HTTP %i means that the key is refused, and is not asked again',
  async (status) => {
    const { service, server } = await serving(() => ({
      status,
      body: { error: `bad key ${KEY}` },
    }));
    const look = await service.readAnalytics('c1');
    expect(look).toMatchObject({ kind: 'failed', keyRefused: true, retryAfterMs: null });
    expect(JSON.stringify(look)).not.toContain(KEY);
    expect(server.requests).toHaveLength(1);
  },
);

test('a failure that passes is repeated twice at most', async () => {
  const { service, server } = await serving((_request, count) =>
    count < 3 ? { status: 500, body: 'oops' } : { body: SETTLED },
  );
  expect(await service.readAnalytics('c1')).toMatchObject({ kind: 'settled' });
  expect(server.requests).toHaveLength(3);

  const failing = await serving(() => ({ status: 502, body: 'oops' }));
  const look = await failing.service.readAnalytics('c1');
  expect(look).toMatchObject({ kind: 'failed', keyRefused: false, retryAfterMs: null });
  expect(look).toHaveProperty(
    'detail',
    expect.stringMatching(/^GET http.* was answered with HTTP 502; received: oops$/),
  );
  expect(failing.server.requests).toHaveLength(3);
});

test('the pauses between repeated looks grow and are drawn from the given randomness', async () => {
  const slept: number[] = [];
  const clock = { ...systemClock, sleep: (ms: number) => Promise.resolve(void slept.push(ms)) };
  const { service } = await serving(() => ({ status: 500, body: '' }), {
    clock,
    random: () => 0.25,
  });
  await service.readAnalytics('c1');
  expect(slept).toEqual([250, 500]);
});

test.each([429, 503])(
  'HTTP %i with Retry-After is handed on at once, not waited for',
  async (status) => {
    const { service, server } = await serving(() => ({
      status,
      headers: { 'retry-after': '9' },
      body: '',
    }));
    expect(await service.readAnalytics('c1')).toMatchObject({
      kind: 'failed',
      retryAfterMs: 9_000,
    });
    expect(server.requests).toHaveLength(1);
  },
);

test('an unreachable service is a failed look', async () => {
  const service = connect(await deadUrl());
  const look = await service.readAnalytics('c1');
  expect(look).toMatchObject({ kind: 'failed', keyRefused: false, retryAfterMs: null });
  expect(look).toHaveProperty(
    'detail',
    expect.stringContaining('the connection was refused (ECONNREFUSED)'),
  );
});

test('a body that breaks off is repeated', async () => {
  let count = 0;
  const server = await RawServer.start((socket) => {
    count += 1;
    const whole = http('200 OK', JSON.stringify(SETTLED));
    socket.end(count === 1 ? whole.slice(0, -9) : whole);
  });
  const service = connect(server.url);
  closers.push(
    () => server.stop(),
    () => service.close(),
  );
  expect(await service.readAnalytics('c1')).toMatchObject({ kind: 'settled' });
  expect(count).toBe(2);
});

test.each([
  ['HTML', 200, '<html>Sign in</html>'],
  ['none of the fields', 200, '{"status":"completed","words":"x"}'],
  ['a redirect', 307, ''],
  ['a refusal', 400, '{"error":"bad id"}'],
  ['nothing', 204, ''],
])(
  'an answer that is not what the profile expects is unreadable and kept: %s',
  async (_what, status, body) => {
    const { service, server } = await serving(() => ({
      status,
      headers: { location: '/elsewhere' },
      body,
    }));
    const look = await service.readAnalytics('c1');
    expect(look).toMatchObject({ kind: 'unreadable', raw: body });
    expect(look).toHaveProperty('detail', expect.stringContaining(`HTTP ${status}`));
    expect(server.requests).toHaveLength(1);
  },
);

test('neither the message nor the kept text of an unreadable answer holds the key', async () => {
  const { service } = await serving(() => ({ body: `{"you":"sent ${KEY} from +12125550123"}` }));
  const look = await service.readAnalytics('c1');
  expect(look).toMatchObject({ kind: 'unreadable', raw: '{"you":"sent [key] from +12125550123"}' });
  expect(look).toHaveProperty(
    'detail',
    expect.stringContaining('{"you":"sent [key] from +1********23"}'),
  );
});

test('an answer beyond four megabytes is not taken in', async () => {
  const { service } = await serving(() => ({ body: { transcript: 'x'.repeat(4_300_000) } }));
  expect(await service.readAnalytics('c1')).toMatchObject({ kind: 'failed' });
});

test('closing ends a look that waits to be repeated', async () => {
  const clock = new VirtualClock();
  const server = await fakeService(() => ({ status: 500, body: '' }));
  closers.push(server.stop);
  let slept: () => void = () => undefined;
  const asleep = new Promise<void>((resolve) => (slept = resolve));
  const sleep = (ms: number, signal?: AbortSignal) => {
    slept();
    return clock.sleep(ms, signal);
  };
  const monotonic = () => 0;
  const service = connect(server.url, {
    clock: { now: () => 0, monotonic, sleep, after: (ms, work) => clock.after(ms, work) },
  });
  const look = service.readAnalytics('c1');
  await asleep;
  await service.close();
  expect(await look).toMatchObject({ kind: 'failed' });
  expect(server.requests).toHaveLength(1);
});

/** Answers whose every piece is in time, and whose end never comes. */
async function dripping(start: string, options: Parameters<typeof connect>[1] = {}) {
  let isAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const server = await RawServer.start((socket) => {
    socket.write(start);
    const drip = setInterval(() => socket.write(' '), 10);
    socket.on('close', () => {
      clearInterval(drip);
    });
    isAsked();
  });
  const service = connect(server.url, options);
  closers.push(
    () => server.stop(),
    () => service.close(),
  );
  return { service, server, asked };
}

const ENDLESS = 'HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n{"status":';

test.each([
  ['a body', ENDLESS],
  ['the body of a failure', ENDLESS.replace('200 OK', '500 No')],
  ['a head', 'HTTP/1.1 200 OK\r\nx:'],
])('a look whose answer drips (%s) is given up at its limit, once', async (_what, start) => {
  const { service, server } = await dripping(start, { timeouts: { answerMs: 100 } });
  const look = await service.readAnalytics('c1');
  expect(look).toMatchObject({ kind: 'failed', keyRefused: false });
  expect(look).toHaveProperty(
    'detail',
    expect.stringContaining('the answer was not here in full within 0.1 s'),
  );
  expect(server.requests).toHaveLength(1);
});

test('the limit is 30 s, another one where the profile says so, and it counts from the call', async () => {
  for (const [withinMs, answerWithin] of [
    [30_000, undefined],
    [45_000, 45_000],
  ] as const) {
    const clock = new VirtualClock();
    const profile = { ...PROFILE, limits: { ...PROFILE.limits, answerWithin } };
    const { service, asked } = await dripping(ENDLESS, { clock, profile });
    let isOver = false;
    const look = service.readAnalytics('c1').finally(() => (isOver = true));
    await asked;
    // The limit of the first byte goes with it.
    await until(() => clock.sleeping === 1);
    await clock.advance(withinMs - 1);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await look).toMatchObject({ kind: 'failed' });
  }
});

test('looks of one run share what ends them: a million leave nothing behind', async () => {
  const { service } = await serving(() => ({ status: 404, body: {} }));
  const run = new AbortController();
  const made = vi.spyOn(AbortSignal, 'any');
  for (const id of ['c1', 'c2', 'c3']) await service.readAnalytics(id, run.signal);
  expect(made).toHaveBeenCalledOnce();
  made.mockRestore();
});

test('a look that nobody waits for any more ends with its signal, and is not repeated', async () => {
  const { service, server, asked } = await dripping(ENDLESS);
  const stop = new AbortController();
  const look = service.readAnalytics('c1', stop.signal);
  await asked;
  stop.abort();
  expect(await look).toMatchObject({
    kind: 'failed',
    detail: expect.stringContaining('stopped') as string,
  });
  expect(await service.readAnalytics('c2', stop.signal)).toMatchObject({ kind: 'failed' });
  expect(server.requests).toHaveLength(1);
});

test('an answer that is compressed although nobody asked for it is not unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
  const server = await RawServer.start((socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`,
    );
    socket.write(bomb);
  });
  const service = connect(server.url);
  closers.push(
    () => server.stop(),
    () => service.close(),
  );
  const look = await service.readAnalytics('c1');
  expect(look).toMatchObject({ kind: 'unreadable' });
  expect(JSON.stringify(look).length).toBeLessThan(10 * bomb.length);
  expect(server.requests[0]).not.toMatch(/accept-encoding/i);
});
