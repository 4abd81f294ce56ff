import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../helpers/clock.ts';
import { hostileService, plain } from '../../helpers/services/hostile-service.ts';
import { until } from '../../helpers/until.ts';
import { connect, PROFILE } from '../helpers.ts';

/** A port that takes connections and never says a word; `https://` hangs in its handshake there. */
async function mute() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { sockets, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a service that takes a request and never answers is asked twice, for 10 s each', async () => {
  const service = await hostileService((asked) => ({ ...plain(asked), malice: 'hangs' }));
  const clock = new VirtualClock();
  const client = connect(service.url, { clock });
  const listing = client.listAgents().catch((error: unknown) => error);
  await until(() => service.asked.length === 1);
  await clock.advance(9_999);
  await clock.advance(1);
  // The pause before the second: 0.3 to 0.6 s.
  await until(() => clock.sleeping === 1);
  await clock.advance(600);
  await until(() => service.asked.length === 2);
  await clock.advance(10_000);
  expect(await listing).toMatchObject({
    code: 'SERVICE_UNREACHABLE',
    message: `The service cannot be reached: GET ${service.url}/v1/agents: nothing was answered within 10 s.`,
  });
  expect(clock.monotonic()).toBe(20_600);
  await client.close();
});

test.each(['probe', 'readAnalytics'] as const)(
  'a hanging service holds %s for 10 s, once',
  async (read) => {
    const service = await hostileService((asked) => ({ ...plain(asked), malice: 'hangs' }));
    const clock = new VirtualClock();
    const client = connect(service.url, { clock });
    const answer = client[read]('call-1');
    await until(() => service.asked.length === 1);
    await clock.advance(10_000);
    expect(JSON.stringify(await answer)).toContain('nothing was answered within 10 s');
    expect(service.asked).toHaveLength(1);
    await client.close();
  },
);

test('a TLS handshake that hangs counts as silence, before the limit of the connection and at it', async () => {
  const { host, sockets } = await mute();
  const clock = new VirtualClock();
  const slow = connect(`https://${host}`, { clock });
  const waiting = slow.probe();
  await until(() => sockets.size === 1);
  await clock.advance(10_000);
  expect(JSON.stringify(await waiting)).toContain('nothing was answered within 10 s');
  await slow.close();

  const quick = connect(`https://${host}`, { timeouts: { connectMs: 20 } });
  const look = await quick.readAnalytics('call-1');
  expect(JSON.stringify(look)).toContain('no connection was made in time');
  // It held a lane for long enough, and comes again by itself.
  expect(sockets.size).toBe(2);
  await quick.close();
});

test('a service whose profile gives it more time has it for its first byte, too', async () => {
  const service = await hostileService((asked) => ({ ...plain(asked), malice: 'hangs' }));
  const clock = new VirtualClock();
  const profile = { ...PROFILE, limits: { ...PROFILE.limits, answerWithin: 45_000 } };
  const client = connect(service.url, { clock, profile });
  const probing = client.probe();
  await until(() => service.asked.length === 1);
  await clock.advance(44_999);
  expect(clock.sleeping).toBe(1);
  await clock.advance(1);
  expect(JSON.stringify(await probing)).toContain('within 45 s');
  await client.close();
});
