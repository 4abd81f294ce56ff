import { describe, expect, it } from 'vitest';
import { aConsole } from './helpers/a-console.ts';
import { aPage } from './helpers/a-page.ts';

const TWELVE_HOURS_S = 12 * 3_600;

describe('the one-time link', () => {
  it('signs in for 12 hours, by a cookie that no script and no other site can use', async () => {
    const console = await aConsole();
    const page = await aPage(console, { isSignedIn: false });
    const answers = page.waitForResponse((answer) => answer.url() === console.link);
    const before = Date.now() / 1_000;
    await page.goto(console.link ?? '');
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
    const [cookie, ...others] = await page.context().cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    expect(cookie?.domain).toBe('127.0.0.1');
    expect(cookie?.expires).toBeGreaterThan(before + TWELVE_HOURS_S - 60);
    expect(cookie?.expires).toBeLessThan(Date.now() / 1_000 + TWELVE_HOURS_S + 60);
    expect((await (await answers).allHeaders())['cache-control']).toBe('no-store');
    expect(page.url()).toBe(`${console.url}/`);
    expect(await page.evaluate('document.cookie')).toBe('');
    const session = await page.evaluate('fetch("/api/v1/session").then((answer) => answer.json())');
    expect(session).toMatchObject({ how: 'link', role: 'admin' });
  });
});
