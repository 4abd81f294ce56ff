import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationsOf, type Operation } from '../../helpers/requests/api-operations.ts';
import { desk } from '../../helpers/callsheet.ts';
import { PASSWORD, startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { requestText, sendRaw } from '../../helpers/requests/raw-http.ts';

let console: TestConsole;
let operations: Operation[];
let cookie: string;
beforeAll(async () => {
  const here = desk({}, afterAll);
  here.write('spring.csv', 'name,phone\nAnn,+12125550101\n');
  const imported = await here.run(['import', 'spring', 'spring.csv', '--service', 'simulated']);
  expect(imported).toMatchObject({ code: 0 });
  console = await startTestConsole({ folder: here.cwd, users: { ann: 'admin' } });
  operations = await operationsOf(console);
  const signedIn = await console.ask(
    'POST',
    '/api/v1/session',
    { name: 'ann', password: PASSWORD },
    { role: null, headers: { origin: console.url } },
  );
  [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
});
afterAll(async () => {
  await console.close();
});

const authorization = () => `Bearer ${console.tokens.admin ?? ''}`;
const ask = (method: string, path: string, headers: Record<string, string | null> = {}) =>
  sendRaw(console.url, requestText(console.url, method, path, headers, reads(method) ? '' : '{}'));
const reads = (method: string) => method === 'GET' || method === 'HEAD';

describe('a page elsewhere that gives its own name our address', () => {
  it('is told nothing and changes nothing, on any route', async () => {
    const others: Operation[] = ['/', '/link/x', '/api/v1/openapi.json', '/nothing'].map(
      (path) => ({ method: 'GET', path }),
    );
    for (const { method, path } of [...operations, ...others]) {
      const headers = { host: 'rebound.example:80', authorization: authorization(), cookie };
      const answer = await ask(method, path, headers);
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 421 });
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.body).toContain('HOST_UNKNOWN');
    }
  });

  it('does not get in by a name that only looks like ours', async () => {
    const { port } = new URL(console.url);
    const names = [
      '127.0.0.1',
      `127.0.0.1:${port}.rebound.example`,
      `rebound.example#127.0.0.1:${port}`,
      `rebound.example@127.0.0.1:${port}`,
      `127.0.0.1.:${port}`,
      `127.1:${port}`,
      `0.0.0.0:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `2130706433:${port}`,
      `localhost.rebound.example:${port}`,
      `rebound.example, 127.0.0.1:${port}`,
      '',
    ];
    for (const host of names) {
      const { status } = await ask('GET', '/api/v1/session', {
        host,
        authorization: authorization(),
      });
      expect({ host, isRefused: status === 421 || status === 400 }).toEqual({
        host,
        isRefused: true,
      });
    }
    const none = { host: null, authorization: authorization() };
    expect((await ask('GET', '/api/v1/session', none)).status).toBe(400);
    const old = `GET /api/v1/session HTTP/1.0\r\nauthorization: ${authorization()}\r\n\r\n`;
    expect((await sendRaw(console.url, old)).status).toBe(421);
  });

  it('is not let in by what a proxy would say, where there is none', async () => {
    const answer = await ask('GET', '/api/v1/session', {
      host: 'rebound.example',
      'x-forwarded-host': new URL(console.url).host,
      authorization: authorization(),
    });
    expect(answer.status).toBe(421);
  });
});

describe('a change with the cookie of a session', () => {
  it('is made from our own origin alone', async () => {
    const { host, port } = new URL(console.url);
    const origins = [
      null,
      '',
      'null',
      `https://${host}`,
      `http://127.0.0.1`,
      `http://127.0.0.1:${Number(port) + 1}`,
      `http://${host}.elsewhere.example`,
      `http://elsewhere.example#${console.url}`,
      `${console.url}/`,
      `${console.url}, https://elsewhere.example`,
      'file://',
      'chrome-extension://abcdefghijklmnop',
    ];
    const spring = '/api/v1/campaigns/spring/pause';
    for (const origin of origins) {
      const referer = `${console.url}/campaigns`;
      const answer = await ask('POST', spring, {
        cookie,
        origin,
        referer,
        'content-type': 'application/json',
      });
      expect({ origin, status: answer.status }).toEqual({ origin, status: 403 });
    }
    const own = { cookie, origin: console.url, 'content-type': 'application/json' };
    expect((await ask('POST', spring, own)).status).toBe(200);
  });

  it('is not made by a form of another kind, a method in a header, or a read', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const headers = { cookie, origin: console.url, 'content-type': type };
      const { status } = await ask('POST', '/api/v1/campaigns/spring/cancel', headers);
      expect([type, [400, 415].includes(status)]).toEqual([type, true]);
    }
    const hidden = { cookie, 'x-http-method-override': 'POST' };
    expect((await ask('GET', '/api/v1/campaigns/spring/cancel', hidden)).status).toBe(404);
    expect((await ask('GET', '/api/v1/session?_method=DELETE', { cookie })).status).toBe(200);
    expect((await ask('GET', '/api/v1/session', { cookie })).status).toBe(200);
  });

  it('may not be asked for by other sites beforehand', async () => {
    for (const { path } of operations) {
      const answer = await ask('OPTIONS', path, {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      });
      expect(answer.status).toBe(404);
      const allowed = Object.keys(answer.headers).filter((name) => name.startsWith('access-'));
      expect(allowed).toEqual([]);
    }
  });
});

describe('every answer', () => {
  const kinds: [kind: string, status: number, ...asked: Parameters<typeof ask>][] = [
    ['JSON', 200, 'GET', '/api/v1/campaigns'],
    ['the API in words', 200, 'GET', '/api/v1/openapi.json'],
    ['a list', 200, 'GET', '/api/v1/campaigns/spring/results?format=csv'],
    ['a refusal', 404, 'GET', '/api/v1/campaigns/nothing'],
    ['nobody', 401, 'GET', '/api/v1/campaigns', { authorization: null }],
    ['no route', 404, 'GET', '/nothing'],
    ['a broken address', 400, 'GET', '/api/v1/campaigns/%'],
    ['another name', 421, 'GET', '/api/v1/campaigns', { host: 'rebound.example' }],
    ['a body that is no JSON', 415, 'POST', '/api/v1/campaigns', { 'content-type': 'text/html' }],
    ['no method', 404, 'PATCH', '/api/v1/campaigns'],
    ['a used link', 401, 'GET', '/link/x'],
    ['without a body', 200, 'HEAD', '/api/v1/campaigns'],
  ];

  it('is shown in no frame, is what its type says, and is read by no other site', async () => {
    for (const [kind, status, method, path, headers] of kinds) {
      const answer = await ask(method, path, { authorization: authorization(), ...headers });
      expect([kind, answer.status]).toEqual([kind, status]);
      expect([kind, answer.headers]).toEqual([kind, expect.objectContaining(SAFE) as unknown]);
      const policy = String(answer.headers['content-security-policy']).split(/;\s*/);
      expect(policy).toContain("frame-ancestors 'none'");
      // Recordings alone are played from elsewhere.
      const others = policy.filter((one) => one !== 'media-src https:');
      expect(others.join(';')).not.toMatch(/unsafe|\*|data:|http/);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.headers['x-powered-by'] ?? answer.headers['server']).toBeUndefined();
    }
  });

  it('of the API is kept by no browser and no proxy', async () => {
    const ofRoutes = ['JSON', 'a list', 'a refusal', 'nobody', 'a broken address', 'a used link'];
    for (const [kind, , method, path, headers] of kinds) {
      if (!ofRoutes.includes(kind)) continue;
      const answer = await ask(method, path, { authorization: authorization(), ...headers });
      expect([kind, answer.headers['cache-control']]).toEqual([kind, 'no-store']);
    }
  });

  it('is the same where nothing has changed, and with the report but for our own frames', async () => {
    const same = await ask('GET', '/api/v1/campaigns/spring', {
      authorization: authorization(),
      'if-none-match': '*',
    });
    expect(same.status).toBe(304);
    expect(same.headers).toMatchObject({ ...SAFE, 'cache-control': 'no-store' });
    const report = await ask('GET', '/api/v1/campaigns/spring/report', {
      authorization: authorization(),
    });
    expect(report.headers).toMatchObject({ ...SAFE, 'x-frame-options': 'SAMEORIGIN' });
    const policy = report.headers['content-security-policy'] ?? '';
    expect(policy.split(';').map((part) => part.trim())).toEqual(
      expect.arrayContaining(["default-src 'none'", "frame-ancestors 'self'", 'sandbox']),
    );
  });
});

const SAFE = {
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};
