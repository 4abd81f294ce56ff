import { describe, expect, it } from 'vitest';
import { tempFolder } from '../helpers/files/temp.ts';
import { PASSWORD, startTestConsole, type TestConsole } from '../helpers/console.ts';
import { desk } from '../helpers/callsheet.ts';
import { aConsole } from './helpers/a-console.ts';
import { aContext, aPage } from './helpers/a-page.ts';
import { photograph } from './helpers/screenshots.ts';

const AWAY = 'The console does not answer.';
/** What the browser itself writes of a console that went away. */
const CUT = [/ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED/];
const FIRST = '+12125550101';

describe('a console that goes away', () => {
  it('is missed by a bar; when it is back, the page reads again, and a form has kept what was typed', async () => {
    const here = desk();
    await here.run(['suppress', 'add', FIRST, '--db', 'data/callsheet.db']);
    const first = await startTestConsole({ folder: here.cwd, users: { olga: 'operator' } });
    const page = await aPage(first, { as: 'olga', expected: CUT });
    await page.goto('/suppression?do=add');
    await page.getByLabel('Number', { exact: true }).fill('+12125550103');
    await page.getByLabel('Note').fill('asked by mail');

    await first.close();
    await page.getByRole('button', { name: 'Suppress it' }).click();
    const told = page.getByRole('alert').getByText(AWAY).first();
    await told.waitFor();
    expect(await page.getByRole('alert').innerText()).toContain(
      'nobody knows whether the change arrived',
    );
    await page.locator('.lost').waitFor();
    await photograph(page, 'lost');
    expect(await page.getByLabel('Note').inputValue()).toBe('asked by mail');
    // Somebody else goes on meanwhile, on the command line.
    await here.run(['suppress', 'add', '+12125550102', '--db', 'data/callsheet.db']);

    await again(first, here.cwd);
    await page.locator('.lost').waitFor({ state: 'detached' });
    await page.getByText('+12125550102').waitFor();
    expect(await page.getByLabel('Number', { exact: true }).inputValue()).toBe('+12125550103');
    await page.getByRole('button', { name: 'Suppress it' }).click();
    await page.getByRole('rowheader', { name: '+12125550103' }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(3);
  });
});

describe('a session that ends while somebody types', () => {
  it('is begun again over the page: what was typed is still there, and is sent', async () => {
    const console = await aConsole({ users: { olga: 'operator' } });
    const page = await aPage(console, { as: 'olga' });
    await page.goto('/suppression?do=add');
    await page.getByLabel('Number', { exact: true }).fill(FIRST);
    await page.getByLabel('Note').fill('asked by mail');
    await endSessions(console);
    await page.getByRole('button', { name: 'Suppress it' }).click();
    const over = page.getByRole('dialog', { name: 'Your session has ended' });
    await over.waitFor();
    // It cannot be left: behind it nothing works.
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
    await photograph(page, 'session ended');
    await over.getByLabel('Password').fill('not the password');
    await over.getByRole('button', { name: 'Sign in' }).click();
    await over.locator('.field .wrong').getByText('do not go together').waitFor();
    expect(await over.getByLabel('Name').inputValue()).toBe('olga');
    await over.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await over.waitFor({ state: 'detached' });
    expect(page.url()).toBe(`${console.url}/suppression?do=add`);
    expect(await page.getByLabel('Note').inputValue()).toBe('asked by mail');
    await page.getByRole('button', { name: 'Suppress it' }).click();
    await page.getByRole('rowheader', { name: FIRST }).waitFor();
  });
});

describe('where nobody has a name', () => {
  it('a used link says so and how to get a fresh one, with which the page goes on', async () => {
    const console = await aConsole({ folder: tempFolder() });
    const taken = await aContext();
    await (await taken.newPage()).goto(console.link ?? '');
    const page = await aPage(console, { isSignedIn: false });
    await page.goto(console.link ?? '');
    await page.getByText('This link lets nobody in any more.').waitFor();
    await page.getByText('callsheet console --link').waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    await photograph(page, 'sign-in by link');
    // The cookie of another tab of the same browser.
    await page.context().addCookies(await taken.cookies());
    await page.getByRole('button', { name: 'go on' }).click();
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
  });
});

/** A console at the same place, with the same address. */
function again(before: TestConsole, folder: string): Promise<TestConsole> {
  return aConsole({ folder, at: { port: Number(new URL(before.url).port) } });
}

/** As an admin does who sets the password. */
async function endSessions(console: TestConsole): Promise<void> {
  await console.json('PUT', '/api/v1/users/olga/password', { password: PASSWORD }, 'admin');
}
