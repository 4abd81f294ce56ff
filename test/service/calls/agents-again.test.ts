import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import { connect, fakeService, http, KEY, RawServer } from '../helpers.ts';

type Answer = Parameters<typeof fakeService>[0];

const LIST = { data: [{ id: 'ag_1', name: 'Renewals' }] };

/** A service on a clock that says how long it was slept on. */
async function serving(answer: Answer) {
  const server = await fakeService(answer);
  const slept: number[] = [];
  const clock = {
    ...systemClock,
    monotonic: () => slept.reduce((sum, ms) => sum + ms, 0),
    sleep: (ms: number) => {
      slept.push(ms);
      return Promise.resolve();
    },
  };
  const service = connect(server.url, { clock });
  onTestFinished(async () => {
    await service.close();
    await server.stop();
  });
  return { service, server, slept };
}

describe('reading agents survives', () => {
  test.each([500, 502, 503, 504, 429])('a page that was answered with HTTP %i', async (status) => {
    const { service, server, slept } = await serving((_, count) =>
      count < 4 ? { status, body: 'later' } : { body: LIST },
    );
    expect((await service.listAgents()).agents).toMatchObject([{ id: 'ag_1' }]);
    expect(server.requests).toHaveLength(4);
    expect(slept).toEqual([450, 900, 1_800]);
  });

  test('a connection that broke off, on the second page as well', async () => {
    const broken = new Set<string>();
    const server = await RawServer.start((socket, request) => {
      const [, path = ''] = request.split(' ');
      if (!broken.has(path)) {
        broken.add(path);
        socket.destroy();
        return;
      }
      const page = path.includes('cursor=2')
        ? { data: [{ id: 'ag_2', name: 'Two' }], next_cursor: null }
        : { ...LIST, next_cursor: '2' };
      socket.write(http('200 OK', JSON.stringify(page)));
    });
    const service = connect(server.url);
    onTestFinished(async () => {
      await service.close();
      await server.stop();
    });
    const { agents, complete } = await service.listAgents();
    expect(agents.map(({ id }) => id)).toEqual(['ag_1', 'ag_2']);
    expect(complete).toBe(true);
    expect(broken.size).toBe(2);
  });
});

test('an asked-for pause is kept, up to half a minute', async () => {
  const { service, server, slept } = await serving((_, count) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '30' }, body: '' } : { body: LIST },
  );
  await service.listAgents();
  expect(slept).toEqual([30_000]);
  expect(server.requests).toHaveLength(2);
});

test('a longer one is told to the person instead of waited for', async () => {
  const { service, server, slept } = await serving(() => ({
    status: 503,
    headers: { 'retry-after': '31' },
    body: '',
  }));
  await expect(service.listAgents()).rejects.toMatchObject({
    code: 'SERVICE_UNREACHABLE',
    hint: 'Try again in 31 s: it asks for that.',
  });
  expect(slept).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

test.each([401, 403, 404, 400])('HTTP %i is not asked again', async (status) => {
  const { service, server } = await serving(() => ({ status, body: `no ${KEY}` }));
  await expect(service.listAgents()).rejects.toThrow();
  expect(server.requests).toHaveLength(1);
});

test('a probe asks once, and creating an agent is asked for once', async () => {
  const { service, server } = await serving(() => ({ status: 503, body: '' }));
  expect(await service.probe()).toMatchObject({ ok: false });
  expect(server.requests).toHaveLength(1);
  await expect(service.createAgent({ name: 'x', systemPrompt: 'y' })).rejects.toThrow();
  expect(server.requests).toHaveLength(2);
});

test('a service that is closed is not asked again', async () => {
  const { service, server } = await serving(() => {
    void service.close();
    return { status: 503, body: '' };
  });
  await expect(service.listAgents()).rejects.toThrow();
  expect(server.requests).toHaveLength(1);
});
