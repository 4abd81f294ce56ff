import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { desk } from '../helpers/callsheet.ts';
import { PASSWORD, type TestConsole } from '../helpers/console.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage, moveTo } from './helpers/a-page.ts';
import { barriers } from './helpers/barriers.ts';
import { photographFailure } from './helpers/screenshots.ts';

const USERS = { ann: 'admin', olga: 'operator' } as const;

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

let console: TestConsole;
let page: Page;
beforeAll(async () => {
  const here = desk({}, afterAll);
  await here.run(['suppress', 'add', '+12125550102', '--db', 'data/callsheet.db']);
  console = await aConsole({ folder: here.cwd, users: USERS }, afterAll);
  page = await aPage(console, { as: 'ann', atEnd: afterAll });
  await page.goto('/');
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await photographFailure(page, task.name);
});

describe('users and tokens', () => {
  it('are added by an admin; a token is shown once, works over HTTP, and no longer when it is removed', async () => {
    await moveTo(page, '/access');
    await press(page, 'Make a token');
    await page.getByLabel('Name of the program').fill('crm sync');
    await press(page, 'Make the token');
    await page.getByText('The name of the token "crm sync" is not').waitFor();
    await page.getByLabel('Name of the program').fill('crm');
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await press(page, 'Make the token');
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    // A click beside it does not take it away.
    await page.mouse.click(5, 5);
    expect(await asks(console, token)).toBe(200);
    expect(await barriers(page, { within: 'dialog[open]' })).toEqual([]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press(page, 'Copy the token');
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token);
    // As over http from another machine: there it can still be copied by hand.
    await page.evaluate('delete Navigator.prototype.clipboard');
    await press(page, 'Copied the token');
    await page.getByRole('status').filter({ hasText: 'Marked' }).waitFor();
    expect(await page.evaluate('getSelection().toString()')).toBe(token);
    await press(page, 'I have copied it');
    await row(page, 'crm').getByText('viewer').waitFor();
    await page.reload();
    await row(page, 'crm').waitFor();
    expect(await page.content()).not.toContain(token);
    await press(page, 'Remove the token crm');
    await press(page, 'Remove it');
    await row(page, 'crm').waitFor({ state: 'detached' });
    expect(await asks(console, token)).toBe(401);
  });
});

describe('the log', () => {
  it('tells in sentences who did what, found by words, by whom, what and day; all of it in the address', async () => {
    await console.json('POST', '/api/v1/suppression', { number: '+12125550101' });
    await console.json('DELETE', '/api/v1/suppression/+12125550101?note=again');
    await moveTo(page, '/log');
    await row(page, 'token operator lifted the suppression of').waitFor();
    await page.getByLabel('What').selectOption({ label: 'suppressed a number' });
    await row(page, 'lifted').waitFor({ state: 'detached' });
    await row(page, 'token operator suppressed').waitFor();
    await page.getByLabel('By', { exact: true }).selectOption('ann');
    await page.getByRole('heading', { name: 'No entry is like that' }).waitFor();
    await page.goBack();
    await page.goto('/log?what=number.suppressed&text=operator');
    await row(page, 'token operator suppressed').waitFor();
    expect(await page.getByLabel('Search the log').inputValue()).toBe('operator');
    const { timezone } = await console.json<{ timezone: string }>('GET', '/api/v1/session');
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format();
    await moveTo(page, `/log?who=ann&from=${today}&to=${today}`);
    await row(page, 'ann signed in').waitFor();
    await page.getByLabel('Through').fill('2001-01-01');
    await page.getByRole('heading', { name: 'No entry is like that' }).waitFor();
    expect(page.url()).toBe(`${console.url}/log?who=ann&from=${today}&to=2001-01-01`);
  });
});

describe('the own account', () => {
  it('changes its password: it stays signed in here, and nowhere else', async () => {
    const [olgas, elsewhere] = [
      await aPage(console, { as: 'olga' }),
      await aPage(console, { as: 'olga' }),
    ];
    await elsewhere.goto('/account');
    await elsewhere.getByRole('heading', { name: 'olga' }).waitFor();
    await olgas.goto('/account');
    await olgas.getByLabel('Old password').fill('not the old one');
    await olgas.getByLabel('New password').fill('five words in a row');
    await press(olgas, 'Change the password');
    await olgas.getByText('The old password is not right').waitFor();
    await olgas.getByLabel('Old password').fill(PASSWORD);
    await press(olgas, 'Change the password');
    await olgas.getByText('Your password is changed.').waitFor();
    expect(await olgas.getByLabel('New password').inputValue()).toBe('');
    await moveTo(olgas, '/suppression');
    await olgas.getByRole('heading', { name: 'Suppression' }).waitFor();
    await elsewhere.getByRole('link', { name: 'Inbox' }).click();
    await elsewhere.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await elsewhere.getByLabel('Password').fill('five words in a row');
    await press(elsewhere, 'Sign in');
    await elsewhere.getByRole('heading', { name: 'No service has sent anything yet' }).waitFor();
  });
});

async function asks({ url }: TestConsole, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}/api/v1/campaigns`, { headers })).status;
}
