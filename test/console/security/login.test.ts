import { afterEach, describe, expect, it } from 'vitest';
import { PASSWORD, startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { requestText, sendRaw } from '../../helpers/requests/raw-http.ts';

const PROXIED = 'calls.example.com';

let console: TestConsole;
afterEach(async () => {
  await console.close();
});

interface Entry {
  who: string;
  what: string;
  target: string | null;
  outcome: string;
  detail: Record<string, unknown>;
}

const signIn = (name: string, password: string, headers: Record<string, string> = {}) => {
  const body = JSON.stringify({ name, password });
  const all = { origin: console.url, 'content-type': 'application/json', ...headers };
  return sendRaw(console.url, requestText(console.url, 'POST', '/api/v1/session', all, body));
};
const logged = async (query = '') => {
  const path = `/api/v1/log?limit=200${query}`;
  return (await console.json<{ items: Entry[] }>('GET', path, undefined, 'admin')).items;
};
const statusesOf = async (count: number, headers: (n: number) => Record<string, string>) => {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++)
    statuses.push((await signIn('ann', 'a wrong guess', headers(n))).status);
  return statuses;
};
const cookieOf = async (name = 'ann', password = PASSWORD) => {
  const { headers } = await signIn(name, password);
  return headers['set-cookie']?.split(';')[0] ?? '';
};

describe('guessing at passwords', () => {
  it('ends after five a minute for a name, known or not, with the same answers and also for the right one', async () => {
    console = await startTestConsole({ users: { ann: 'admin' } });
    const told: Record<string, unknown[]> = {};
    for (const name of ['ann', 'ben'])
      for (let n = 0; n < 8; n++) {
        const typed = n === 6 && name === 'ann' ? PASSWORD : `a wrong guess ${n}`;
        const { status, body, headers } = await signIn(n % 2 ? name : name.toUpperCase(), typed);
        const names = Object.keys(headers).toSorted();
        (told[name] ??= []).push({ status, body, names });
      }
    const statuses = told['ann']?.map((one) => (one as { status: number }).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    expect(told['ben']).toEqual(told['ann']);
  });

  it('ends after thirty a minute for an address, whatever names are tried', async () => {
    console = await startTestConsole({ users: { ann: 'admin' } });
    const names = Array.from({ length: 40 }, (_, n) => `user${n}`);
    const answers = await Promise.all(names.map((name) => signIn(name, 'a guess')));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array<number>(30).fill(401), ...Array<number>(10).fill(429)]);
  });

  it('is told in the log with its address, without what was typed, and without end', async () => {
    console = await startTestConsole({ users: { ann: 'admin' } });
    const typed = ['correct horse', 'hunter2hunter2', PASSWORD];
    for (const secret of typed) await signIn(secret, secret);
    await statusesOf(60, () => ({}));
    const entries = await logged();
    expect(entries.filter(({ what }) => what === 'login.tried')).toHaveLength(8);
    expect(entries).toContainEqual(
      expect.objectContaining({
        who: 'ann',
        what: 'login.tried',
        outcome: 'refused',
        detail: { from: '127.0.0.1' },
      }) as Entry,
    );
    const refused = entries.filter(({ outcome }) => outcome === 'refused (429)');
    expect(refused).toMatchObject([
      { who: 'nobody known', what: 'POST /api/v1/session', detail: { from: '127.0.0.1' } },
    ]);
    for (const secret of typed) expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it('is not hidden by an address that its sender gives, without a proxy and behind one', async () => {
    console = await startTestConsole({ users: { ann: 'admin' } });
    const limited = [401, 401, 401, 401, 401, 429, 429];
    const forged = (n: number) => ({
      'x-forwarded-for': `203.0.113.${n}`,
      forwarded: `for=203.0.113.${n}`,
      'x-real-ip': `203.0.113.${n}`,
    });
    expect(await statusesOf(7, forged)).toEqual(limited);
    await console.close();

    const at = { behindProxy: true, names: [PROXIED] };
    console = await startTestConsole({ users: { ann: 'admin' }, at });
    const own = { host: PROXIED, origin: `https://${PROXIED}` };
    // A proxy adds the address it sees behind those that the sender has given.
    const behind = (address: string) => (n: number) => ({
      ...own,
      'x-forwarded-for': `203.0.113.${n}, ${address}`,
    });
    expect(await statusesOf(7, behind('198.51.100.7'))).toEqual(limited);
    expect(await statusesOf(7, behind('198.51.100.8'))).toEqual(limited);
    const froms = (await logged('&what=login.tried')).map(({ detail }) => detail['from']);
    expect([...new Set(froms)].toSorted()).toEqual(['198.51.100.7', '198.51.100.8']);
  });

  it('from one network of IPv6 counts as from one address', async () => {
    const at = { behindProxy: true, names: [PROXIED] };
    console = await startTestConsole({ users: { ann: 'admin' }, at });
    const own = { host: PROXIED, origin: `https://${PROXIED}` };
    const other = (n: number) => ({ ...own, 'x-forwarded-for': `2001:db8:1:2::${n}` });
    expect(await statusesOf(7, other)).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });
});

describe('a session', () => {
  it('has a cookie that no script reads, no other site sends, and behind https no plain request', async () => {
    console = await startTestConsole({ users: { ann: 'admin' } });
    const plain = (await signIn('ann', PASSWORD)).headers['set-cookie'] ?? '';
    const { port } = new URL(console.url);
    expect(plain).toMatch(new RegExp(`^callsheet_session_${port}=[\\w-]{43}; `));
    expect(plain).toMatch(/Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    await console.close();
    const at = { behindProxy: true, names: [PROXIED] };
    console = await startTestConsole({ users: { ann: 'admin' }, at });
    const own = { host: PROXIED, origin: `https://${PROXIED}` };
    const { headers } = await signIn('ann', PASSWORD, own);
    expect(headers['set-cookie']).toMatch(/^__Host-callsheet_session_\d+=/);
    expect(headers['set-cookie']).toMatch(/; HttpOnly; Secure; SameSite=Strict$/);
    expect(headers['strict-transport-security']).toContain('max-age=31536000');
  });

  it('goes on in one browser when that signs in to another console of the same machine', async () => {
    console = await startTestConsole({ users: { ann: 'admin' } });
    const other = await startTestConsole({ users: { ben: 'viewer' } });
    // To a browser all ports are one place: it sends the cookies of each to both.
    const jar = new Map<string, string>();
    const ask = async (of: TestConsole, method: string, body?: unknown) => {
      const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
      const headers = { cookie, origin: of.url };
      const answer = await of.ask(method, '/api/v1/session', body, { role: null, headers });
      const [, name = '', value = ''] =
        /^([^=]*)=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
      if (value !== '') jar.set(name, value);
      else jar.delete(name);
      return answer;
    };
    await ask(console, 'POST', { name: 'ann', password: PASSWORD });
    await ask(other, 'POST', { name: 'ben', password: PASSWORD });
    const who = async (of: TestConsole) => await (await ask(of, 'GET')).json();
    expect(await who(console)).toMatchObject({ who: 'ann' });
    expect(await who(other)).toMatchObject({ who: 'ben' });
    await ask(other, 'DELETE');
    expect(await who(other)).toMatchObject({ code: 'NOT_SIGNED_IN' });
    expect(await who(console)).toMatchObject({ who: 'ann' });
    await other.close();
  });

  it('is not another one for a cookie that was made up or changed', async () => {
    console = await startTestConsole({ users: { ann: 'operator' } });
    const cookie = await cookieOf();
    const [name = '', value = ''] = cookie.split('=');
    const others = ['', 'x', value.slice(1), `${value}x`, value.toLowerCase(), '%00', "' OR 1=1"];
    for (const other of others) {
      const headers = { cookie: `${name}=${other}` };
      const asked = { role: null, headers } as const;
      const answer = await console.ask('GET', '/api/v1/session', undefined, asked);
      expect([other, answer.status]).toEqual([other, 401]);
    }
  });

  it('lets a page that asks again read nothing more once it has ended, and so does a removed token', async () => {
    console = await startTestConsole({ users: { ann: 'viewer', ben: 'viewer' } });
    const known = { 'if-none-match': '*' };
    const all = [
      { cookie: await cookieOf('ann'), ...known },
      { cookie: await cookieOf('ben'), ...known },
      { authorization: `Bearer ${console.tokens.viewer ?? ''}`, ...known },
    ];
    const statuses = () =>
      Promise.all(
        all.map(async (headers) => {
          const asked = { role: null, headers };
          return (await console.ask('GET', '/api/v1/campaigns', undefined, asked)).status;
        }),
      );
    expect(await statuses()).toEqual([304, 304, 304]);
    const password = 'other words in a row';
    await console.json('PUT', '/api/v1/users/ann/password', { password }, 'admin');
    await console.json('DELETE', '/api/v1/users/ben', undefined, 'admin');
    await console.json('DELETE', '/api/v1/tokens/viewer', undefined, 'admin');
    expect(await statuses()).toEqual([401, 401, 401]);
  });
});

describe('the link of a console without users', () => {
  it('signs in once', async () => {
    console = await startTestConsole();
    const path = new URL(console.link ?? '').pathname;
    const first = await console.ask('GET', path, undefined, { role: null });
    expect(first.status).toBe(303);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect((await console.ask('GET', path, undefined, { role: null })).status).toBe(401);
    expect(JSON.stringify(await logged())).not.toContain(path.slice('/link/'.length));
  });

  it('is not found by trying, and hundreds of tries fill no log', async () => {
    console = await startTestConsole();
    const statuses: number[] = [];
    for (let n = 0; n < 300; n++)
      statuses.push(
        (await console.ask('GET', `/link/guess${n}`, undefined, { role: null })).status,
      );
    expect([...new Set(statuses)]).toEqual([401, 429]);
    const entries = await logged('&text=refused');
    expect(entries.length).toBeLessThan(40);
    expect(entries[0]).toMatchObject({ what: 'GET /link/:secret', outcome: 'refused (429)' });
    expect(JSON.stringify(entries)).not.toContain('guess');
  });
});
