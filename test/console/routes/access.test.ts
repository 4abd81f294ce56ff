import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/views/jobs.ts';
import { PASSWORD, startTestConsole, type TestConsole } from '../../helpers/console.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startTestConsole({ users: { ann: 'admin', ben: 'viewer' } });
});
afterAll(async () => {
  await console.close();
});

const ADMIN = { role: 'admin' } as const;

/** What a browser sends that is signed in. */
type Cookie = string;

async function signIn(name: string, password = PASSWORD): Promise<Cookie | undefined> {
  const headers = { origin: console.url };
  const asked = { role: null, headers } as const;
  const answer = await console.ask('POST', '/api/v1/session', { name, password }, asked);
  return cookieOf(answer);
}

function cookieOf(answer: Response): Cookie | undefined {
  return answer.headers.get('set-cookie')?.split(';')[0];
}

const asBrowser = (cookie: Cookie, method: string, path: string, body?: unknown) =>
  console.ask(method, path, body, { role: null, headers: { cookie, origin: console.url } });

const who = async (cookie: Cookie) => (await asBrowser(cookie, 'GET', '/api/v1/session')).status;

interface Line {
  text: string;
  who: string;
  what: string;
  at: string;
}
const log = async (query: string) => {
  const path = `/api/v1/log?limit=200&${query}`;
  return (await console.json<{ items: Line[] }>('GET', path, undefined, 'admin')).items;
};

describe('whoever signs in', () => {
  it('is told beforehand whether names are asked for, and nothing else', async () => {
    const answer = await console.ask('GET', '/api/v1/sign-in', undefined, { role: null });
    expect(await answer.json()).toEqual({ names: true });
    const fresh = await startTestConsole();
    const path = '/api/v1/sign-in';
    const other = await fresh.ask('GET', path, undefined, { role: null });
    expect(await other.json()).toEqual({ names: false });
    await fresh.close();
  });

  it('changes the own password by the old one: this browser stays signed in, all others do not', async () => {
    const here = (await signIn('ben')) ?? '';
    const elsewhere = (await signIn('ben')) ?? '';
    const path = '/api/v1/session/password';
    const password = 'quite other words now';
    const wrong = await asBrowser(here, 'PUT', path, { old: 'a wrong password', password });
    expect([wrong.status, await wrong.json()]).toMatchObject([403, { code: 'PASSWORD_WRONG' }]);
    const changed = await asBrowser(here, 'PUT', path, { old: PASSWORD, password });
    expect(changed.status).toBe(200);
    const next = cookieOf(changed) ?? '';
    expect(changed.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
    expect([await who(next), await who(here), await who(elsewhere)]).toEqual([200, 401, 401]);
    expect(await signIn('ben', password)).toBeDefined();
  });

  it('cannot guess the old password of a browser that was left open', async () => {
    const cookie = (await signIn('ann')) ?? '';
    const guess = { old: 'a guess of the old one', password: 'quite other words now' };
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++)
      statuses.push((await asBrowser(cookie, 'PUT', '/api/v1/session/password', guess)).status);
    // The sign-in counts, too: it is the same secret that is guessed.
    expect(statuses).toEqual([403, 403, 403, 403, 429, 429]);
  });

  it('by a token has no password to change', async () => {
    const path = '/api/v1/session/password';
    const answer = await console.ask('PUT', path, { old: 'x', password: PASSWORD });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'NOT_ALLOWED' });
  });
});

describe('users over HTTP', () => {
  it('keep their only admin', async () => {
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { role: 'viewer' }],
    ] as const) {
      const answer = await console.ask(method, '/api/v1/users/ann', body, { role: 'admin' });
      expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'LAST_ADMIN' }]);
    }
  });
});

describe('the log over HTTP', () => {
  it('is in sentences, and is searched by the server', async () => {
    await console.json('POST', '/api/v1/tokens', { name: 'crm', role: 'viewer' }, 'admin');
    const [line] = await log('what=token.added&text=crm');
    expect(line?.text).toBe('token admin made the token "crm" (viewer).');
    const { at = '' } = line ?? {};
    const later = new Date(Date.parse(at) + 1_000).toISOString();
    const from = encodeURIComponent(at);
    expect((await log(`text=made%20a&from=${from}`)).map(({ what }) => what)).toContain(
      'token.added',
    );
    expect(await log(`what=token.added&text=crm&from=${later}`)).toEqual([]);
    expect(await log(`what=token.added&text=crm&to=${from}`)).toEqual([]);
    expect(await log('who=nobody%20at%20all')).toEqual([]);
  });

  it('names files and campaigns, not the ids of what was sent or is in progress', async () => {
    const sent = await console.ask('POST', '/api/v1/uploads?name=may.csv', 'phone');
    const { id } = (await sent.json()) as { id: string };
    await console.json('DELETE', `/api/v1/uploads/${id}`);
    expect((await log('what=list.sent')).map(({ text }) => text)).toContain(
      'token operator sent the list "may.csv".',
    );
    expect((await log('what=list.deleted')).map(({ text }) => text)).toContain(
      'token operator deleted the list "may.csv".',
    );
    const job = await console.json<Job>('POST', '/api/v1/services/simulated/check', {});
    await console.json('POST', `/api/v1/jobs/${job.id}/stop`, {});
    expect((await log('what=job.stopped')).map(({ text }) => text)).toEqual([
      'token operator stopped the work on "simulated".',
    ]);
  });

  it('says by whom and by what it can be filtered', async () => {
    const path = '/api/v1/log/choices';
    const found = await console.json<{ who: string[]; what: { what: string; text: string }[] }>(
      ...(['GET', path, undefined, 'admin'] as const),
    );
    expect(found.who).toContain('token admin');
    expect(found.what).toContainEqual({ what: 'token.added', text: 'made a token' });
  });

  it('does not undo what it cannot have, which the console says once until it can again', async () => {
    const full = await startTestConsole({ users: { ann: 'admin', ben: 'viewer' } });
    const said: string[] = [];
    Object.assign(full.world, { tell: (text: string) => said.push(text) });
    const file = new Database(join(full.folder, 'data', 'console.db'));
    const stopLog = () =>
      file.exec(
        `CREATE TRIGGER full BEFORE INSERT ON log BEGIN SELECT RAISE(ABORT, 'no room'); END`,
      );
    stopLog();
    const add = (name: string) =>
      full.ask('POST', '/api/v1/tokens', { name, role: 'viewer' }, ADMIN);
    expect((await add('crm')).status).toBe(201);
    expect((await full.ask('DELETE', '/api/v1/users/ben', undefined, ADMIN)).status).toBe(200);
    expect(said).toEqual(['Who does what in the console cannot be logged: no room.']);
    file.exec('DROP TRIGGER full');
    await add('shop');
    stopLog();
    await add('desk');
    expect(said).toHaveLength(2);
    const { items } = await full.json<{ items: Line[] }>('GET', '/api/v1/log', undefined, 'admin');
    expect(items.map(({ text }) => text)[0]).toBe('token admin made the token "shop" (viewer).');
    file.close();
    await full.close();
  });

  it('tells a failed sign-in once', async () => {
    await signIn('carl', 'not the password');
    const tried = await log('what=login.tried');
    expect(tried[0]?.text).toMatch(/^Somebody wanted to sign in from \S+, which was refused\.$/);
    expect(tried.filter(({ who }) => who === 'nobody known')).toHaveLength(1);
    const route = await log('what=POST%20/api/v1/session');
    expect(route.filter(({ text }) => !text.endsWith('too often.'))).toEqual([]);
  });
});

describe('a link', () => {
  it('that was used leads a browser to the page, which says so', async () => {
    const fresh = await startTestConsole();
    const link = fresh.link ?? '';
    const browser = { redirect: 'manual', headers: { accept: 'text/html,*/*' } } as const;
    const [first, second] = [await fetch(link, browser), await fetch(link, browser)];
    expect(first.headers.get('location')).toBe('/');
    expect(first.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
    expect([second.status, second.headers.get('location')]).toEqual([303, '/?link=refused']);
    expect(second.headers.get('set-cookie')).toBeNull();
    await fresh.close();
  });
});
