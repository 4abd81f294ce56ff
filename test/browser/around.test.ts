import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { desk } from '../helpers/callsheet.ts';
import { AGENT, KEY, simulatedService } from '../helpers/services/simulated-service.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage, moveTo } from './helpers/a-page.ts';
import { photograph } from './helpers/screenshots.ts';

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
  const users = { olga: 'operator' } as const;
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
    await moveTo(page, '/suppression');
    await page.getByRole('heading', { name: 'No number is suppressed' }).waitFor();
  });

  it('takes the numbers of a file; a wrong column is corrected without sending it again', async () => {
    const { here, open } = await aDesk();
    const file = here.write('registry.csv', 'who,reached at\nBen,2125550102\nDan,2125550104\n');
    const console = await open();
    const page = await aPage(console, { as: 'olga' });
    const sent: string[] = [];
    page.on('request', (one) => {
      if (one.url().includes('/api/v1/uploads')) sent.push(one.method());
    });
    await page.goto('/suppression?do=import');
    await page.getByLabel('Choose a file').setInputFiles(file);
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
    await drawer.getByRole('status').getByText('It was looked at again.').waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'ignored 2' }).click();
    await press(page, 'Replay all 2 deliveries (ignored)');
    await press(page, 'Replay them');
    await page.getByText('2 deliveries looked at again.').waitFor();
    await page.getByRole('link', { name: 'all 2' }).click();
    await expect.poll(() => row(page, 'ignored').count()).toBe(2);
  });
});

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
