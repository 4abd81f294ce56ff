import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aConsole } from './helpers/a-console.ts';
import { aContext } from './helpers/a-page.ts';
import { anotherSite } from './helpers/another-site.ts';

/** How the name of the session's cookie begins. */
const COOKIE = 'callsheet_session_';

/** A browser that is signed in to the console, and has a page of somebody else open under `name`. */
async function besidesTheConsole(name: string) {
  const console = await aConsole();
  const context = await aContext();
  await context.request.get(console.link ?? '', { maxRedirects: 0 });
  const page = await context.newPage();
  await page.goto(`http://${name}:${await anotherSite()}/`);
  return { console, context, page };
}

/** Runs a script in the page, to which `api` is the console's API. */
const runs = (page: Page, url: string, script: string) =>
  page.evaluate<unknown>(`(async (api) => { ${script} })('${url}/api/v1')`);

/**
 * What the page asks of the console from now on, also where the browser keeps the answer from it.
 *
 * @returns all so far, e.g. `GET 401 callsheet_session_`
 */
async function asked(page: Page, url: string): Promise<() => string[]> {
  const requests = new Map<string, { method?: string; status?: number; cookie?: string }>();
  // What is told of a request comes in any order.
  const keep = (id: string, told: { method?: string; status?: number; cookie?: string }) =>
    requests.set(id, { ...requests.get(id), ...told });
  const network = await page.context().newCDPSession(page);
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith(url)) keep(requestId, { method: request.method });
  });
  network.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    keep(requestId, { cookie: (headers['Cookie'] ?? '').slice(0, COOKIE.length) });
  });
  network.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    keep(requestId, { status: statusCode });
  });
  await network.send('Network.enable');
  return () =>
    [...requests.values()]
      .filter(({ method, status }) => method !== undefined && status !== undefined)
      .map(({ method = '', status = 0, cookie = '' }) => `${method} ${status} ${cookie}`);
}

// To a cookie another port is the same site, another name is not: the first comes with the session's cookie.
describe.each([
  { name: '127.0.0.1', cookie: COOKIE, refused: 403 },
  { name: 'elsewhere.example', cookie: '', refused: 401 },
])('a page at another port of $name', ({ name, cookie, refused }) => {
  it('reads nothing of the console, changes nothing in it, and shows it in no frame', async () => {
    const { console, page } = await besidesTheConsole(name);
    const all = await asked(page, console.url);
    const read = `return fetch(api + '/session', { credentials: 'include' }).then((answer) => answer.text(), String)`;
    expect(await runs(page, console.url, read)).toBe('TypeError: Failed to fetch');
    const script = `return new Promise((resolve) => {
      const element = document.createElement('script');
      element.src = api + '/session';
      element.onload = () => resolve('loaded');
      element.onerror = () => resolve('kept back');
      document.head.append(element);
    })`;
    expect(await runs(page, console.url, script)).toBe('kept back');
    const status = cookie === '' ? 401 : 200;
    await expect.poll(all).toContain(`GET ${status} ${cookie}`);

    const send = (method: string, type: string, mode: string) =>
      runs(
        page,
        console.url,
        `return fetch(api + '/suppression', { method: '${method}', mode: '${mode}', credentials: 'include',
          headers: { 'content-type': '${type}' }, body: JSON.stringify({ phone: '+12125550123' })
        }).then((answer) => answer.type, String)`,
      );
    expect(await send('POST', 'application/json', 'cors')).toBe('TypeError: Failed to fetch');
    expect(await send('POST', 'text/plain', 'cors')).toBe('TypeError: Failed to fetch');
    expect(await send('POST', 'text/plain', 'no-cors')).toBe('TypeError: Failed to fetch');
    const answered = page.waitForEvent('framenavigated');
    await runs(
      page,
      console.url,
      `const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: api + '/suppression', enctype: 'text/plain' });
      const field = document.createElement('input');
      Object.assign(field, { name: '{"phone":"+12125550123","note":"', value: '"}' });
      form.append(field); document.body.append(form); form.submit()`,
    );
    await answered;
    const posts = () => all().filter((one) => one.startsWith('POST'));
    await expect.poll(posts).toEqual(Array(3).fill(`POST ${refused} ${cookie}`));
    expect(await console.json('GET', '/api/v1/suppression')).toMatchObject({ items: [] });

    for (const path of ['/', '/api/v1/openapi.json']) {
      const [message] = await Promise.all([
        page.waitForEvent('console', (one) => one.text().includes('frame')),
        page.setContent(`<iframe src="${console.url}${path}"></iframe>`),
      ]);
      expect(message.text()).toMatch(/frame-ancestors 'none'/);
      await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
    }
  });
});

describe('a name of somebody else that leads to the console', () => {
  it('is refused, so that its pages cannot pass for ours', async () => {
    const { console, context, page } = await besidesTheConsole('rebound.example');
    const { port } = new URL(console.url);
    const answer = await page.goto(`http://rebound.example:${port}/api/v1/session`);
    expect(answer?.status()).toBe(421);
    expect(await answer?.json()).toMatchObject({ code: 'HOST_UNKNOWN' });
    // Its own page, now of the same origin: it may read the answer, which says nothing.
    const read = `fetch('/api/v1/openapi.json').then((answer) => answer.status)`;
    expect(await page.evaluate(read)).toBe(421);
    expect(await context.cookies(`http://rebound.example:${port}`)).toEqual([]);
  });
});
