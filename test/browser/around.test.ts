import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { desk } from '../helpers/callsheet.ts';
import { PASSWORD, type TestConsole } from '../helpers/console.ts';
import { AGENT, KEY, simulatedService } from '../helpers/services/simulated-service.ts';
import { aConsole } from './a-console.ts';
import { aPage } from './a-page.ts';
import { photograph } from './screenshots.ts';

const LIST = 'name,phone\nAnn,+12125550101\nBen,+12125550102\nCem,+12125550103\n';

/** A console with three people who wait for calls, and one delivery of their service. */
async function aDesk() {
  const service = await simulatedService({});
  const env = { VOICE_API_URL: service.url, VOICE_API_KEY: KEY };
  const here = desk(env, onTestFinished);
  here.write('spring.csv', LIST);
  expect(await here.run(['import', 'spring', 'spring.csv', '--agent', AGENT])).toMatchObject({
    code: 0,
  });
  const users = { ann: 'admin', olga: 'operator' } as const;
  const open = () => aConsole({ folder: here.cwd, io: { env }, users });
  return { here, service, open };
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

describe('the suppression list', () => {
  it('takes a number, says whom it has ended, finds it, and gives it back with a reason', async () => {
    const console = await (await aDesk()).open();
    const page = await aPage(console, { as: 'olga' });
    await page.goto('/suppression');
    await page.getByRole('heading', { name: 'No number is suppressed' }).waitFor();
    await page.getByRole('link', { name: 'Add a number' }).click();
    await page.getByLabel('Number', { exact: true }).fill('12');
    await press(page, 'Suppress it');
    const number = page.getByLabel('Number', { exact: true });
    await page.locator('.field .wrong').waitFor();
    expect(await number.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator(':focus').getAttribute('id')).toBe(await number.getAttribute('id'));

    await number.fill('(212) 555-0101');
    await page.getByLabel('Country of a number').fill('US');
    await page.getByLabel('Until').fill('2001-01-01');
    await press(page, 'Suppress it');
    await page.getByText('until "2001-01-01" has passed').waitFor();
    await page.getByLabel('Until').fill('');
    await page.getByLabel('Note').fill('asked by mail');
    await press(page, 'Suppress it');
    await page.getByText('1 waiting lead ended by it.').waitFor();
    await row(page, '+12125550101').getByText('asked by mail').waitFor();
    await photograph(page, 'suppression');

    await page.getByLabel('Search the list').fill('no such note');
    await page
      .getByRole('heading', { name: 'Nothing on the list has "no such note" in it' })
      .waitFor();
    expect(page.url()).toBe(`${console.url}/suppression?text=no+such+note`);
    await page.getByLabel('Search the list').fill('mail');
    await press(page, 'Remove +12125550101');
    await page.getByLabel('Reason').fill('they called us');
    await press(page, 'Remove it');
    await page.getByText('+12125550101 may be called again.').waitFor();
    await page.getByRole('heading', { name: /^Nothing on the list/ }).waitFor();
    await page.goto('/suppression');
    await page.getByRole('heading', { name: 'No number is suppressed' }).waitFor();
  });

  it('takes the numbers of a file; a wrong column is corrected without sending it again', async () => {
    const { here, open } = await aDesk();
    const file = here.write('registry.csv', 'who,reached at\nBen,2125550102\nDan,2125550104\n');
    const console = await open();
    const page = await aPage(console, { as: 'olga' });
    const sent: string[] = [];
    page.on('request', (one) => {
      if (one.url().includes('/uploads')) sent.push(one.method());
    });
    await page.goto('/suppression?do=import');
    await page.getByLabel('Drop a file here').setInputFiles(file);
    await page.getByLabel('The day the file is from').fill('2025-11-20');
    await page.getByLabel('Country of numbers').fill('US');
    await page.getByText('Say how the file is read').click();
    await page.getByLabel('Column 1', { exact: true }).fill('mobile');
    await press(page, 'Suppress all its numbers');
    await page.getByText('registry.csv has no column "mobile"').waitFor();
    await page.getByLabel('Column 1', { exact: true }).fill('#2');
    await press(page, 'Suppress all its numbers');
    await page.getByText('registry.csv is on the list').waitFor();
    expect(await page.locator('.figures > div').allInnerTexts()).toEqual([
      'new on the list\n2',
      'were on it already\n0',
      'waiting people ended\n1',
      'cells without a number\n0',
    ]);
    await photograph(page, 'suppression import');
    await press(page, 'Done');
    await row(page, '+12125550104').waitFor();
    await row(page, 'of 2025-11-20').waitFor();
    expect(sent).toEqual(['PUT']);
    expect(await console.json('GET', '/api/v1/uploads')).toMatchObject({ items: [] });
  });
});

describe('the inbox', () => {
  it('shows what a service has sent and what became of it, and looks at it again', async () => {
    const { here, service, open } = await aDesk();
    await receive(here.path('data/callsheet.db'), service.url);
    const page = await aPage(await open(), { as: 'olga' });
    await page.goto('/inbox');
    await page.getByRole('link', { name: 'received 2' }).click();
    expect(new URL(page.url()).search).toBe('?state=received');
    await row(page, service.url).first().getByRole('link').click();
    const drawer = page.getByRole('dialog', { name: 'Delivery dlv_2' });
    await drawer.getByText('"type": "call.started"').waitFor();
    await drawer.getByText('x-token: (hidden)').waitFor();
    await photograph(page, 'inbox');
    await drawer.getByRole('button', { name: 'Replay it' }).click();
    await drawer.getByText('ignored', { exact: true }).waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'ignored 2' }).click();
    await press(page, 'Replay all 2 deliveries (ignored)');
    await press(page, 'Replay them');
    await page.getByText('2 deliveries looked at again.').waitFor();
    await page.getByRole('link', { name: 'all 2' }).click();
    await expect.poll(() => row(page, 'ignored').count()).toBe(2);
  });
});

describe('users and tokens', () => {
  it('are added by an admin; a token is shown once, works over HTTP, and no longer when it is removed', async () => {
    const console = await (await aDesk()).open();
    const page = await aPage(console, { as: 'ann' });
    await page.goto('/access');
    await press(page, 'Make a token');
    await page.getByLabel('Name of the program').fill('crm sync');
    await press(page, 'Make the token');
    await page.getByText('The name of the token "crm sync" is not').waitFor();
    await page.getByLabel('Name of the program').fill('crm');
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await press(page, 'Make the token');
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    expect(await asks(console, token)).toBe(200);
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

  it('keep the last admin, and tell at the field what is wrong with a new user', async () => {
    const console = await (await aDesk()).open();
    const page = await aPage(console, { as: 'ann' });
    await page.goto('/access');
    await press(page, 'Change role of ann');
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await press(page, 'Change the role');
    await page.locator('.field .wrong').getByText('ann is the only admin').waitFor();
    await press(page, 'Leave it');
    await press(page, 'Add a user');
    await page.getByLabel('Name', { exact: true }).fill('olga');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await press(page, 'Add the user');
    await page.locator('.field .wrong').getByText('There is a user "olga" already').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('vera');
    await press(page, 'Add the user');
    await page.locator('.field .wrong').getByText('at least 12 are needed').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await page.getByLabel('May read whole numbers').check();
    await press(page, 'Add the user');
    await row(page, 'vera').getByText('viewer, with transcripts').waitFor();
    const vera = await aPage(console, { as: 'vera' });
    await vera.goto('/account');
    await vera.getByRole('heading', { name: 'vera' }).waitFor();
  });
});

describe('the log', () => {
  it('tells in sentences who did what, found by words, by whom, what and day; all of it in the address', async () => {
    const console = await (await aDesk()).open();
    await console.json('POST', '/api/v1/suppression', { number: '+12125550101' });
    await console.json('DELETE', '/api/v1/suppression/+12125550101?note=again');
    const page = await aPage(console, { as: 'ann' });
    await page.goto('/log');
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
    const today = new Date().toISOString().slice(0, 10);
    await page.goto(`/log?who=ann&from=${today}&to=${today}`);
    await row(page, 'ann signed in').waitFor();
    await page.getByLabel('Through').fill('2001-01-01');
    await page.getByRole('heading', { name: 'No entry is like that' }).waitFor();
    expect(page.url()).toBe(`${console.url}/log?who=ann&from=${today}&to=2001-01-01`);
  });
});

describe('the own account', () => {
  it('changes its password: it stays signed in here, and nowhere else', async () => {
    const console = await (await aDesk()).open();
    const [page, elsewhere] = [
      await aPage(console, { as: 'olga' }),
      await aPage(console, { as: 'olga' }),
    ];
    await elsewhere.goto('/account');
    await elsewhere.getByRole('heading', { name: 'olga' }).waitFor();
    await page.goto('/account');
    await page.getByLabel('Old password').fill('not the old one');
    await page.getByLabel('New password').fill('five words in a row');
    await press(page, 'Change the password');
    await page.getByText('The old password is not right').waitFor();
    await page.getByLabel('Old password').fill(PASSWORD);
    await press(page, 'Change the password');
    await page.getByText('Your password is changed.').waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('');
    await page.goto('/suppression');
    await page.getByRole('heading', { name: 'Suppression' }).waitFor();
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

/** As a listener does that was killed right after. */
async function receive(path: string, service: string): Promise<void> {
  const store = openSqliteStore({ path, mode: 'write' });
  for (const [n, type] of ['call.started', 'call.started'].entries()) {
    const id = n + 1;
    await store.inboxPut({
      ...{ id: `dlv_${id}`, service, key: `evt_${id}`, receivedAt: id, signed: true },
      headers: { 'content-type': 'application/json', 'x-token': 'secret' },
      body: Buffer.from(JSON.stringify({ type, data: { call_id: `call_${id}` } })),
    });
  }
  await store.close();
}
