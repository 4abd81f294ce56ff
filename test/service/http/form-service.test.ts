import { describe, expect, it, onTestFinished } from 'vitest';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { connect, DIAL, fakeService, yes } from '../helpers.ts';

/** A service that takes forms for everything, and the call id in a body. */
const TEXT = `url: https://api.forms.example/
auth: { header: x-key, prefix: '' }
agents:
  list:
    method: POST
    path: /bots
    as: form
    body: { size: 2 }
    items: [bots]
    id: [id]
    next: { in: body, values: { more: from } }
  create: { method: POST, path: /bot, as: form, send: { name: title, systemPrompt: text, voice: voice }, id: [id] }
dial:
  method: POST
  path: /ring
  as: form
  send: { phone: to, agent: bot }
  within: [job]
  callId: [nr]
  answers: { 400: rejected }
  errors: { at: [error.kind], words: { full: refused } }
analytics:
  method: POST
  path: /state
  as: form
  body: { nr: '{{call_id}}' }
  status: { at: [state], ended: [over] }
  duration: { seconds: s }
slots:
  method: GET
  path: /account
  free: ['= body.lines.all - body.lines.used', free]
`;
const PROFILE = loadProfile(TEXT, 'forms.yaml');

type Answer = Parameters<typeof fakeService>[0];

async function aService(answer: Answer) {
  const server = await fakeService(answer);
  const service = connect(server.url, { profile: PROFILE });
  onTestFinished(async () => {
    await service.close();
    await server.stop();
  });
  return { server, service };
}

const FORM = 'application/x-www-form-urlencoded';

describe('a service that takes forms', () => {
  it('is asked for a call by a field of the body', async () => {
    const { server, service } = await aService(() => ({ body: { state: 'over', seconds: 7 } }));

    const look = await service.readAnalytics('a b&c=1');

    expect(look).toMatchObject({ kind: 'settled', analytics: { durationMs: 7_000 } });
    expect(server.requests).toMatchObject([
      { method: 'POST', url: '/state', body: 'nr=a+b%26c%3D1', headers: { 'content-type': FORM } },
    ]);
  });

  it('is asked for its agents page by page, and for a new one', async () => {
    const { server, service } = await aService(({ url, body }) =>
      url === '/bot'
        ? { body: { id: 'b9' } }
        : {
            body: body.includes('from=')
              ? { bots: [{ id: 'b2' }] }
              : { bots: [{ id: 'b1' }], more: 'p 2' },
          },
    );

    const { agents, complete } = await service.listAgents();
    expect([complete, agents.map(({ id }) => id)]).toEqual([true, ['b1', 'b2']]);
    expect(server.requests.map(({ body }) => body)).toEqual(['size=2', 'size=2&from=p+2']);
    expect(server.requests[0]?.headers['content-type']).toBe(FORM);

    const made = await service.createAgent({
      name: 'Ana',
      systemPrompt: 'Be kind.',
      voice: { a: 1 },
    });
    expect(made.id).toBe('b9');
    expect(server.requests.at(-1)?.body).toBe('title=Ana&text=Be+kind.&voice=%7B%22a%22%3A1%7D');
  });

  it('says why it failed beside the object in which a success has its id', async () => {
    const { service } = await aService(() => ({ status: 400, body: { error: { kind: 'full' } } }));

    expect(await service.startCall(DIAL, yes)).toMatchObject({ kind: 'refused' });
  });
});

describe('the free slots of a service', () => {
  it.each([
    [{ lines: { all: 10, used: 4 } }, 6],
    [{ lines: { all: 3, used: 5 } }, 0],
    [{ free: '2' }, 2],
    [{ free: 2.9 }, 2],
    [{ lines: 'many' }, null],
    ['not JSON', null],
  ])('of %j are %j', async (body, free) => {
    const { service } = await aService(() => ({ body }));

    expect(await service.freeSlots?.()).toBe(free);
  });

  it('are not known where it fails, and nothing is thrown', async () => {
    const { server, service } = await aService(() => ({ status: 500, body: { free: 7 } }));
    expect(await service.freeSlots?.()).toBeNull();
    await server.stop();
    expect(await service.freeSlots?.()).toBeNull();
  });

  it('cannot be asked for where the profile does not say how', () => {
    const profile = loadProfile(TEXT.slice(0, TEXT.indexOf('slots:')), 'forms.yaml');
    expect('freeSlots' in connect('http://127.0.0.1:9', { profile })).toBe(false);
  });
});

describe('the profile of such a service', () => {
  it('gives its base address without a slash at its end', () => {
    expect(PROFILE.url).toBe('https://api.forms.example');
  });

  it.each<[string, string, string]>([
    ['an address without https', 'url: https://api', 'forms.yaml:1:6: "url" is "http://api'],
    ['no place for the call id', "body: { nr: '{{call_id}}' }", 'it must contain {call_id}'],
    ['a body with GET', 'method: POST\n  path: /state', 'it is sent with POST only'],
  ])('with %s is refused with its place', (_title, text, message) => {
    const other = {
      'url: https://api': 'url: http://api',
      "body: { nr: '{{call_id}}' }": 'body: { nr: 1 }',
      'method: POST\n  path: /state': 'method: GET\n  path: /state',
    }[text];
    expect(() => loadProfile(TEXT.replace(text, other ?? ''), 'forms.yaml')).toThrow(message);
  });
});
