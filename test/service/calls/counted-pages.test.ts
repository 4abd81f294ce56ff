import { describe, expect, onTestFinished, test } from 'vitest';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { connect, fakeService, PROFILE_TEXT } from '../helpers.ts';

const COUNT = 'count: { send: page, with: limit, size: 2 }';

/** The default profile, whose list of agents is asked for as `list` says. */
function profileWith(next: string, list = 'method: GET', only = '') {
  const text = `agents:
  list:
    ${list}
    path: /v1/agents
    items: [data]
    id: [id]
    next: { ${next} }${only === '' ? '' : `\n    only: '${only}'`}
`;
  return loadProfile(PROFILE_TEXT.replace(/^agents:\n( .*\n|\n)*/m, text), 'mine.yaml');
}

interface Asked {
  query: URLSearchParams;
  body: string;
}

/** What a service with such a list has, and what it was asked. */
async function listOf(
  page: (asked: Asked, count: number) => unknown,
  profile = profileWith(COUNT),
) {
  const server = await fakeService(({ url, body }, count) => ({
    body: page({ query: new URL(url, 'http://x').searchParams, body }, count),
  }));
  const service = connect(server.url, { profile });
  onTestFinished(async () => {
    await service.close();
    await server.stop();
  });
  const { agents, complete } = await service.listAgents();
  return {
    ids: agents.map(({ id }) => id),
    complete,
    asked: server.requests.map(({ url, body }) => (body === '' ? url : body)),
  };
}

/** `total` agents, `size` of them a page. */
const pages =
  (total: number, size: number, from = 1) =>
  ({ query }: Asked) => {
    const start = (Number(query.get('page') ?? from) - from) * size;
    const ids = Array.from({ length: total }, (_, index) => ({ id: `a${index + 1}` }));
    return { data: ids.slice(start, start + size) };
  };

describe('pages that are counted', () => {
  test.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
  ])('of %d agents, two a page, are %d', async (total, requests) => {
    const { ids, complete, asked } = await listOf(pages(total, 2));
    expect([ids.length, complete]).toEqual([total, true]);
    expect(asked).toEqual(
      Array.from({ length: requests }, (_, index) => `/v1/agents?page=${index + 1}&limit=2`),
    );
  });

  test('may begin with 0, and have a size that is not asked for', async () => {
    const profile = profileWith('count: { send: page, size: 2, from: 0 }');
    const { ids, asked } = await listOf(pages(3, 2, 0), profile);
    expect(ids).toEqual(['a1', 'a2', 'a3']);
    expect(asked).toEqual(['/v1/agents?page=0', '/v1/agents?page=1']);
  });

  test('are asked for by numbers in a body, beside what stands there', async () => {
    const list = 'method: POST\n    body: { kind: voice }';
    const profile = profileWith(`in: body, ${COUNT}`, list);
    const { ids, complete, asked } = await listOf(({ body }) => {
      const { page } = JSON.parse(body) as { page: number };
      return { data: page === 1 ? [{ id: 'a1' }, { id: 'a2' }] : [{ id: 'a3' }] };
    }, profile);
    expect([ids, complete]).toEqual([['a1', 'a2', 'a3'], true]);
    expect(asked).toEqual([
      '{"kind":"voice","page":1,"limit":2}',
      '{"kind":"voice","page":2,"limit":2}',
    ]);
  });

  test('go on behind a short one where a total says so', async () => {
    const profile = profileWith(`${COUNT}, total: [total]`);
    const short = (asked: Asked) => ({ ...pages(3, 1)(asked), total: 3 });
    expect(await listOf(short, profile)).toMatchObject({ ids: ['a1', 'a2', 'a3'], complete: true });
  });

  test('that end before their total are not all', async () => {
    const profile = profileWith(`${COUNT}, total: [total]`);
    const early = (asked: Asked) => ({ ...pages(2, 2)(asked), total: 3 });
    expect(await listOf(early, profile)).toMatchObject({ ids: ['a1', 'a2'], complete: false });
  });

  test('end where the service says that there is no more', async () => {
    const profile = profileWith(`${COUNT}, more: [has_more]`);
    const { asked } = await listOf(
      (asked) => ({ ...pages(2, 2)(asked), has_more: false }),
      profile,
    );
    expect(asked).toHaveLength(1);
  });

  test('of a service that does not know the parameter are left, and not all', async () => {
    const { ids, complete, asked } = await listOf(() => ({ data: [{ id: 'a1' }, { id: 'a2' }] }));
    expect([ids, complete, asked.length]).toEqual([['a1', 'a2'], false, 2]);
  });

  test('are counted in a list of calls, too, and one with nothing new ends it', async () => {
    const text = `${PROFILE_TEXT}
calls:
  method: GET
  path: /v1/calls?since={since_s}
  items: [data]
  next: { ${COUNT} }
  callId: [id]
`;
    const profile = loadProfile(text, 'mine.yaml');
    const read = async (page: (asked: Asked) => unknown) => {
      const server = await fakeService(({ url, body }) => ({
        body: page({ query: new URL(url, 'http://x').searchParams, body }),
      }));
      const service = connect(server.url, { profile });
      onTestFinished(async () => {
        await service.close();
        await server.stop();
      });
      const listing = await service.callList?.read({ since: 7_000 });
      return { listing, asked: server.requests.map(({ url }) => url) };
    };
    const whole = await read(pages(3, 2));
    expect(whole.listing).toMatchObject({ complete: true, calls: [{}, {}, { callId: 'a3' }] });
    expect(whole.asked).toEqual([
      '/v1/calls?since=7&page=1&limit=2',
      '/v1/calls?since=7&page=2&limit=2',
    ]);
    const circle = await read(() => ({ data: [{ id: 'a1' }, { id: 'a2' }] }));
    expect(circle.listing).toMatchObject({ complete: false, calls: [{}, {}] });
    expect(circle.asked).toHaveLength(2);
  });
});

describe('what else is in the list is no agent', () => {
  const voice = (id: string, channel?: string) => ({ id, ...(channel && { channel }) });
  const data = [voice('v1', 'voice'), voice('c1', 'chat'), voice('x1'), { channel: 'chat' }];
  const once = `count: { send: page, size: 99 }`;

  test.each([
    ['= body.channel == "voice"', ['v1']],
    ['= !has(body.channel) || body.channel == "voice"', ['v1', 'x1']],
    ['= body.channel != "chat"', ['v1']],
    ['= body.channel', []],
  ])('%s', async (only, expected) => {
    const { ids, complete } = await listOf(() => ({ data }), profileWith(once, undefined, only));
    expect([ids, complete]).toEqual([expected, true]);
  });

  test('a page of nothing but others is no circle', async () => {
    const rows = [voice('c1', 'chat'), voice('c2', 'chat'), { channel: 'chat', n: 1 }, { n: 2 }];
    const profile = profileWith(COUNT, undefined, '= body.channel == "voice"');
    const { ids, complete, asked } = await listOf(({ query }) => {
      const page = Number(query.get('page'));
      return { data: page < 3 ? rows.slice(page * 2 - 2, page * 2) : [voice('v1', 'voice')] };
    }, profile);
    expect([ids, complete, asked.length]).toEqual([['v1'], true, 3]);
  });

  test('a condition is an expression', () => {
    expect(() => profileWith(COUNT, undefined, 'channel')).toThrow(
      /"agents\.list\.only" is "channel"; it must be an expression that begins with =\.$/,
    );
  });
});
