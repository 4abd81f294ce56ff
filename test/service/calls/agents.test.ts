import { afterEach, describe, expect, test } from 'vitest';
import type { VoiceService } from '../../../src/service/port.ts';
import type { FakeService } from '../helpers.ts';
import { connect, deadUrl, fakeService, KEY } from '../helpers.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Answer = Parameters<typeof fakeService>[0];

async function serving(answer: Answer): Promise<{ service: VoiceService; server: FakeService }> {
  const server = await fakeService(answer);
  const service = connect(server.url);
  closers.push(server.stop, () => service.close());
  return { service, server };
}

const agent = (id: number) => ({ id: `ag_${id}`, name: `Agent ${id}` });

/** A list of six agents in three pages; `page` tells which one a request asks for, 1, 2 or 3. */
function paged(
  page: (query: URLSearchParams, path: string) => number,
  show: (items: unknown[], page: number) => unknown,
): Answer {
  return ({ url }) => {
    const { searchParams, pathname } = new URL(url, 'http://x');
    const number = page(searchParams, pathname);
    return { body: show([agent(number * 2 - 1), agent(number * 2)], number) };
  };
}

const numbered = (parameter: string) => (query: URLSearchParams) =>
  Number(query.get(parameter) ?? 1);

describe('all pages are read', () => {
  const next = (page: number, value: unknown) => (page < 3 ? value : null);
  const styles: [string, Answer][] = [
    [
      'a cursor',
      paged(numbered('cursor'), (data, page) => ({
        data,
        next_cursor: next(page, `${page + 1}`),
        has_more: page < 3,
      })),
    ],
    [
      'a cursor in camelCase below pagination',
      paged(numbered('cursor'), (agents, page) => ({
        agents,
        pagination: { nextCursor: next(page, `${page + 1}`) },
      })),
    ],
    [
      'a page token',
      paged(numbered('page_token'), (items, page) => ({
        items,
        next_page_token: page < 3 ? `${page + 1}` : '',
      })),
    ],
    [
      'the number of the next page',
      paged(numbered('page'), (results, page) => ({ results, next_page: next(page, page + 1) })),
    ],
    ['page and pages', paged(numbered('page'), (data, page) => ({ data, page, total_pages: 3 }))],
    [
      'page and has more',
      paged(numbered('page'), (data, page) => ({
        data,
        meta: { currentPage: page, hasMore: page < 3 },
      })),
    ],
    [
      'offset and total',
      paged(
        (query) => Number(query.get('offset') ?? 0) / 2 + 1,
        (data, page) => ({ data, offset: page * 2 - 2, total: 6 }),
      ),
    ],
    [
      'the next offset',
      paged(
        (query) => Number(query.get('offset') ?? 0) / 2 + 1,
        (data, page) => ({ data, next_offset: next(page, page * 2) }),
      ),
    ],
    [
      'a path as link',
      paged(numbered('p'), (data, page) => ({
        data,
        next: next(page, `/v1/agents?p=${page + 1}`),
      })),
    ],
    [
      'a link below _links',
      paged(numbered('p'), (data, page) => ({
        data,
        _links: { next: page < 3 ? { href: `?p=${page + 1}` } : null },
      })),
    ],
    [
      'a link where a page number was expected',
      paged(numbered('p'), (data, page) => ({
        data,
        next_page: next(page, `/v1/agents?p=${page + 1}`),
      })),
    ],
  ];

  test.each(styles)('%s', async (_style, answer) => {
    const { service, server } = await serving(answer);
    expect(await service.listAgents()).toMatchObject({
      agents: [1, 2, 3, 4, 5, 6].map(agent),
      complete: true,
    });
    expect(server.requests).toHaveLength(3);
    expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(
      true,
    );
  });

  test('a full link and a Link header', async () => {
    const { service, server } = await serving(({ url }) => ({
      headers: url.includes('p=2')
        ? { link: '</v1/agents>; rel="first"' }
        : { link: '</v1/agents>; rel="first", <agents?p=2>; rel="next"' },
      body: [agent(url.includes('p=2') ? 2 : 1)],
    }));
    expect(await service.listAgents()).toMatchObject({
      agents: [agent(1), agent(2)],
      complete: true,
    });
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/agents', '/v1/agents?p=2']);
  });
});

describe('a list that may not be whole says so', () => {
  test.each<[string, unknown]>([
    ['the same cursor again', { data: [agent(1)], next_cursor: 'x' }],
    ['more, and no way to it', { data: [agent(1)], has_more: true }],
    ['a total that is not reached', { data: [agent(1)], total: 5 }],
    ['a page number that is ignored', { data: [agent(1)], page: 1, total_pages: 9 }],
    ['a link that is none', { data: [agent(1)], links: { next: 'http://[' } }],
    ['a next that is no link', { data: [agent(1)], next: 'more' }],
  ])('%s', async (_what, body) => {
    const { service } = await serving(() => ({ body }));
    expect(await service.listAgents()).toMatchObject({ agents: [agent(1)], complete: false });
  });

  test('a link to another host is not followed, on this host neither', async () => {
    const body = { data: [agent(1)], next: 'https://127.0.0.2/v1/agents?p=2' };
    const { service, server } = await serving(() => ({ body }));
    expect(await service.listAgents()).toMatchObject({ agents: [agent(1)], complete: false });
    expect(server.requests).toHaveLength(1);
  });

  test('agents without a recognisable id', async () => {
    const { service } = await serving(() => ({
      body: { data: [{ agentId: 7 }, { key: 'x' }, 'y'] },
    }));
    expect(await service.listAgents()).toMatchObject({
      agents: [{ id: '7', name: null }],
      complete: false,
    });
  });
});

test('an empty list is whole', async () => {
  const { service } = await serving(() => ({ body: { agents: [], total: 0 } }));
  expect(await service.listAgents()).toMatchObject({ agents: [], complete: true });
});

test('no more is no more, even with a cursor', async () => {
  const { service } = await serving(() => ({
    body: { data: [agent(1)], has_more: false, next_cursor: 'x' },
  }));
  expect(await service.listAgents()).toMatchObject({ agents: [agent(1)], complete: true });
});

test('a base address that ends in /v1 does not become /v1/v1', async () => {
  const server = await fakeService(() => ({ body: [] }));
  const services = ['', '/', '/v1', '/v1/'].map((base) => connect(server.url + base));
  closers.push(server.stop, ...services.map((service) => () => service.close()));
  for (const service of services) await service.listAgents();
  expect(new Set(server.requests.map(({ url }) => url))).toEqual(new Set(['/v1/agents']));
  expect(new Set(services.map(({ fingerprint }) => fingerprint)).size).toBe(1);
});

test('an agent is created with name, prompt and voice, asked for once', async () => {
  const { service, server } = await serving(() => ({
    status: 201,
    body: { agent: { agentId: 'ag_7' } },
  }));
  const voice = { id: 'alto', speed: 1.1 };
  expect(await service.createAgent({ name: 'Renewals', systemPrompt: 'Be kind.', voice })).toEqual({
    id: 'ag_7',
    name: 'Renewals',
    systemPrompt: 'Be kind.',
    raw: { agent: { agentId: 'ag_7' } },
  });
  await service.createAgent({ name: 'Short', systemPrompt: 'Be kind.' });
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
    Array(2).fill('POST /v1/agents'),
  );
  expect(server.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { name: 'Renewals', systemPrompt: 'Be kind.', voice },
    { name: 'Short', systemPrompt: 'Be kind.' },
  ]);
});

describe('what goes wrong with agents is an error for a person', () => {
  const create = (service: VoiceService) => service.createAgent({ name: 'x', systemPrompt: 'y' });
  const list = (service: VoiceService) => service.listAgents();

  test.each([
    [
      'a wrong key',
      list,
      401,
      '{"error":"no"}',
      'SERVICE_KEY_REFUSED',
      4,
      /GET http.*\/v1\/agents was answered with HTTP 401: \{"error":"no"\}/,
    ],
    ['a key without rights', create, 403, '', 'SERVICE_KEY_REFUSED', 4, /HTTP 403: an empty body/],
    [
      'a field that is refused',
      create,
      422,
      `{"errors":[{"field":"name","message":"too short"}],"k":"${KEY}"}`,
      'SERVICE_REFUSED',
      1,
      /POST .* with HTTP 422: .*"field":"name".*\[key\]/,
    ],
    [
      'a service that is down',
      list,
      503,
      'maintenance',
      'SERVICE_UNREACHABLE',
      1,
      /HTTP 503: maintenance/,
    ],
    [
      'a wrong address',
      list,
      404,
      '<h1>Not here</h1>',
      'SERVICE_ANSWER_UNEXPECTED',
      1,
      /HTTP 404, but a 2xx answer was expected; received: <h1>/,
    ],
    ['a redirect', create, 307, '', 'SERVICE_ANSWER_UNEXPECTED', 1, /HTTP 307/],
    [
      'no list',
      list,
      200,
      '{"robots":[]}',
      'SERVICE_ANSWER_UNEXPECTED',
      1,
      /no list of agents was found; looked for data, agents, .*; received: \{"robots":\[\]\}/,
    ],
    [
      'no id',
      create,
      200,
      '',
      'SERVICE_ANSWER_UNEXPECTED',
      1,
      /no agent id was found; looked for agent_id, .*; received: an empty body/,
    ],
  ])('%s', async (_what, act, status, body, code, exitCode, message) => {
    const { service, server } = await serving(() => ({
      status,
      headers: { location: '/v1/agents' },
      body,
    }));
    const error: unknown = await act(service).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code,
      exitCode,
      message: expect.stringMatching(message) as string,
    });
    expect(String(error)).not.toContain(KEY);
    // Only a list is asked for again, and only after what may be over in a moment.
    expect(server.requests).toHaveLength(status === 503 ? 4 : 1);
  });

  test('an unreachable service is named with the cause', async () => {
    const url = await deadUrl();
    for (const act of [list, create]) {
      await expect(act(connect(url))).rejects.toMatchObject({
        code: 'SERVICE_UNREACHABLE',
        message: expect.stringContaining(`${url}/v1/agents: nothing listens at `) as string,
      });
    }
  });
});

test('a probe tells whether the service works, and never throws', async () => {
  const { service } = await serving(
    (_request, count) =>
      [{ body: [] }, { status: 401, body: '' }, { status: 503, body: '' }, { body: '<html>' }][
        count - 1
      ] ?? { body: '' },
  );
  expect(await service.probe()).toEqual({ ok: true });
  expect(await service.probe()).toMatchObject({ ok: false, keyRefused: true });
  expect(await service.probe()).toMatchObject({ ok: false, keyRefused: false });
  expect(await service.probe()).toMatchObject({ ok: false, keyRefused: false });
  await service.close();
  expect(await service.probe()).toMatchObject({ ok: false, keyRefused: false });
});
