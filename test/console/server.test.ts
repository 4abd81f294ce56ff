import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestConsole, type TestConsole } from '../helpers/console.ts';
import { tempFolder } from '../helpers/files/temp.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startTestConsole({ users: { ann: 'operator' } });
});
afterAll(async () => {
  await console.close();
});

/** A request as another program sends it, with any Host header. */
function raw(
  path: string,
  headers: Record<string, string>,
  url = console.url,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    request(url + path, { headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, text });
      });
    })
      .on('error', reject)
      .end();
  });
}

const signIn = (name: string, password: string, headers: Record<string, string> = {}) =>
  console.ask('POST', '/api/v1/session', { name, password }, { role: null, headers });

describe('the console', () => {
  it('lists no campaign on an empty database, and creates none', async () => {
    expect(await console.json('GET', '/api/v1/campaigns')).toEqual({
      items: [],
      next: null,
      hidden: 0,
    });
  });

  it('answers to a name that was given it, behind a proxy or by its own port', async () => {
    const named = await startTestConsole({ at: { names: ['Calls.example.com'] } });
    const { port } = new URL(named.url);
    const statuses: number[] = [];
    for (const host of ['calls.example.com', `calls.example.com:${port}`, 'calls.example.com:1'])
      statuses.push((await raw('/api/v1/sign-in', { host }, named.url)).status);
    expect(statuses).toEqual([200, 200, 421]);
    await named.close();
  });

  it('signs in from its own pages alone, and out again', async () => {
    const foreign = await signIn('ann', PASSWORD, { origin: 'https://elsewhere.example' });
    expect(foreign.status).toBe(403);
    const own = await signIn('ann', PASSWORD, { origin: console.url });
    expect(own.status).toBe(200);
    const [cookie = ''] = (own.headers.get('set-cookie') ?? '').split(';');
    expect(own.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
    const as = (method: string, origin: string | null) =>
      console.ask(method, '/api/v1/session', undefined, {
        role: null,
        headers: { cookie, ...(origin !== null && { origin }) },
      });
    expect(await (await as('GET', null)).json()).toMatchObject({ who: 'ann', role: 'operator' });
    expect((await as('DELETE', null)).status).toBe(403);
    expect((await as('DELETE', 'http://evil.example')).status).toBe(403);
    expect((await as('DELETE', console.url)).status).toBe(200);
    expect((await as('GET', null)).status).toBe(401);
  });

  it('says which certificate cannot be used, and why', async () => {
    const folder = tempFolder();
    const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    const begun = () => startTestConsole({ folder, at: { tls } });
    await expect(begun()).rejects.toMatchObject({ code: 'TLS_UNUSABLE', exitCode: 2 });
    for (const path of Object.values(tls)) writeFileSync(path, 'no certificate');
    await expect(begun()).rejects.toMatchObject({
      ...{ code: 'TLS_UNUSABLE', exitCode: 2 },
      message: expect.stringContaining(`${tls.cert} and ${tls.key} cannot be used`) as string,
    });
  });

  it('listens no more when it could not begin', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    await new Promise((resolve) => taken.close(resolve));
    const full = () => {
      throw new Error('the disk is full');
    };
    const owner = { ...console.world.owner, toJSON: full };
    await expect(startTestConsole({ at: { port }, io: { owner } })).rejects.toThrow('full');
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('takes the cursor of a page of the log alone for one', async () => {
    const from = (after: string) =>
      console.ask('GET', `/api/v1/log?after=${after}`, undefined, { role: 'admin' });
    expect((await from('1')).status).toBe(200);
    expect((await from('abc')).status).toBe(400);
  });
});
