import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../helpers/console.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage } from './helpers/a-page.ts';
import { barriers } from './helpers/barriers.ts';
import { photograph } from './helpers/screenshots.ts';

const TWELVE_HOURS_S = 12 * 3_600;
const NUMBER = '+12125550101';
const MASKED = /\+1.*\*/;

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

describe('the one-time link', () => {
  it('signs in for 12 hours, by a cookie that no script and no other site can use', async () => {
    const console = await aConsole();
    const page = await aPage(console, { isSignedIn: false });
    const answers = page.waitForResponse((answer) => answer.url() === console.link);
    const before = Date.now() / 1_000;
    await page.goto(console.link ?? '');
    await heading(page, 'Campaigns');
    const [cookie, ...others] = await page.context().cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    expect(cookie?.domain).toBe('127.0.0.1');
    expect(cookie?.expires).toBeGreaterThan(before + TWELVE_HOURS_S - 60);
    expect(cookie?.expires).toBeLessThan(Date.now() / 1_000 + TWELVE_HOURS_S + 60);
    expect((await (await answers).allHeaders())['cache-control']).toBe('no-store');
    expect(page.url()).toBe(`${console.url}/`);
    expect(await page.evaluate('document.cookie')).toBe('');

    // Once used, it says so, and how to get a fresh one, with which the page goes on.
    const late = await aPage(console, { isSignedIn: false });
    await late.goto(console.link ?? '');
    await late.getByText('This link lets nobody in any more.').waitFor();
    await late.getByText('callsheet console --link').waitFor();
    expect(await late.getByLabel('Password').count()).toBe(0);
    await photograph(late, 'sign-in by link');
    // The cookie of another tab of the same browser.
    await late.context().addCookies(await page.context().cookies());
    await late.getByRole('button', { name: 'go on' }).click();
    await heading(late, 'Campaigns');
  });
});

describe('whoever has a name', () => {
  it('signs in by keyboard alone, is where they wanted to be, and sees nothing more after signing out', async () => {
    const console = await aConsole({ users: { ann: 'operator' } });
    const page = await aPage(console, { isSignedIn: false });
    await page.goto('/suppression?text=555');
    await heading(page, 'Sign in to callsheet');
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'sign-in');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ann');
    await page.keyboard.press('Tab');
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    const refused = page.getByRole('alert');
    await refused.waitFor();
    expect(await refused.innerText()).toContain('password');
    expect(await page.getByLabel('Name').inputValue()).toBe('ann');
    expect(await page.context().cookies()).toEqual([]);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await heading(page, 'Suppression');
    expect(page.url()).toBe(`${console.url}/suppression?text=555`);
    expect(await page.getByRole('link', { name: /^ann/ }).innerText()).toBe('ann (operator)');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in to callsheet');
    await page.goto('/');
    await heading(page, 'Sign in to callsheet');
  });

  it('sees what the role may see: the operator changes a list, the viewer has masked numbers and no button', async () => {
    const console = await aConsole({ users: { olga: 'operator', vera: 'viewer' } });
    const operator = await aPage(console, { as: 'olga' });
    await operator.goto('/suppression');
    await operator.getByRole('link', { name: 'Add a number' }).click();
    await operator.getByLabel('Number', { exact: true }).fill(NUMBER);
    await operator.getByLabel('Note').fill('asked by mail');
    await operator.getByRole('button', { name: 'Suppress it' }).click();
    await operator.getByRole('rowheader', { name: NUMBER }).waitFor();

    const viewer = await aPage(console, { as: 'vera' });
    // An address that was sent by somebody who may do more opens no form either.
    await viewer.goto('/suppression?do=add');
    await viewer.getByText('asked by mail').waitFor();
    expect(await viewer.getByRole('dialog').count()).toBe(0);
    expect(await viewer.getByRole('rowheader').innerText()).toMatch(MASKED);
    expect(await viewer.content()).not.toContain(NUMBER);
    const main = viewer.getByRole('main');
    expect(await main.getByRole('button').count()).toBe(0);
    expect(await main.getByRole('link').count()).toBe(0);
    for (const page of ['/access', '/log']) {
      await viewer.goto(page);
      await viewer.getByText(/for admins/).waitFor();
    }
    await viewer.goto('/new');
    await heading(viewer, 'This is for those who may run campaigns');
    await viewer.goto('/');
    await heading(viewer, 'No campaign yet');
    expect(await viewer.getByRole('link', { name: /New campaign|Begin/ }).count()).toBe(0);
  });
});

it('on a telephone the pages are behind a button, which the keyboard opens and closes', async () => {
  const page = await aPage(await aConsole(), { viewport: { width: 360, height: 640 } });
  await page.goto('/');
  const menu = page.getByRole('button', { name: 'Menu' });
  const inbox = page.getByRole('link', { name: 'Inbox' });
  await menu.waitFor();
  expect(await inbox.isVisible()).toBe(false);
  await menu.focus();
  await page.keyboard.press('Enter');
  await inbox.waitFor();
  expect(await barriers(page)).toEqual([]);
  await photograph(page, 'menu');
  // Looked at on a wide screen, too, where the button is not shown and loses the focus.
  await menu.focus();
  await page.keyboard.press('Escape');
  await inbox.waitFor({ state: 'hidden' });
  expect(await page.locator(':focus').innerText()).toBe('Menu');
  await page.keyboard.press('Enter');
  await inbox.focus();
  await page.keyboard.press('Enter');
  await heading(page, 'Inbox');
  await inbox.waitFor({ state: 'hidden' });
});
