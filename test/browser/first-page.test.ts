import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../helpers/console.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage } from './helpers/a-page.ts';
import { barriers } from './helpers/barriers.ts';
import { photograph } from './helpers/screenshots.ts';

describe('whoever is not signed in', () => {
  it('signs in with name and password, by keyboard alone, and is where they wanted to be', async () => {
    const console = await aConsole({ users: { ann: 'operator' } });
    const page = await aPage(console, { isSignedIn: false });
    await page.goto('/suppression?text=555');
    await page.getByRole('heading', { name: 'Sign in to callsheet' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'sign-in');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ann');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Suppression' }).waitFor();
    expect(page.url()).toBe(`${console.url}/suppression?text=555`);
    expect(await page.getByRole('link', { name: /^ann/ }).innerText()).toBe('ann (operator)');
  });

  it('is told in the words of the console why it refuses', async () => {
    const console = await aConsole({ users: { ann: 'operator' } });
    const page = await aPage(console, { isSignedIn: false });
    await page.goto('/');
    await page.getByLabel('Name').fill('ann');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const said = page.getByRole('alert');
    await said.waitFor();
    expect(await said.innerText()).toContain('password');
    expect(await page.getByLabel('Name').inputValue()).toBe('ann');
    expect(await page.context().cookies()).toEqual([]);
  });
});

describe('whoever is signed in', () => {
  it('signs out, and the page shows nothing of the console any more', async () => {
    const console = await aConsole({ users: { ann: 'viewer' } });
    const page = await aPage(console, { as: 'ann' });
    await page.goto('/');
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to callsheet' }).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Sign in to callsheet' }).waitFor();
  });
});

it('the first page fits on a telephone and on a desk, light and dark, and keeps nobody out', async () => {
  const page = await aPage(await aConsole(), { viewport: { width: 360, height: 640 } });
  await page.goto('/');
  await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await barriers(page)).toEqual([]);
  await photograph(page, 'first page');
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
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await inbox.waitFor({ state: 'hidden' });
});
