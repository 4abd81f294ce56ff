import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Simulator } from '../../src/simulator/server.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { desk, type Desk } from '../helpers/callsheet.ts';
import type { TestConsole } from '../helpers/console.ts';
import { AGENT, KEY, simulatedService } from '../helpers/services/simulated-service.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage, moveTo } from './helpers/a-page.ts';
import { barriers } from './helpers/barriers.ts';
import { photograph, photographFailure } from './helpers/screenshots.ts';

const LIST = 'name,phone\nAnn,+12125550101\nBen,+12125550102\nCem,+12125550103\n';

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

let here: Desk;
let service: Simulator;
let console: TestConsole;
let page: Page;
// Three people wait for calls, the service has sent two deliveries, and another service has no key.
beforeAll(async () => {
  service = await simulatedService({}, afterAll);
  const env = { VOICE_API_URL: service.url, VOICE_API_KEY: KEY };
  here = desk(env, afterAll);
  here.write('spring.csv', LIST);
  here.write('services.yaml', `lab: { url: 'http://127.0.0.1:9', keyEnv: LAB_KEY }\n`);
  expect(await here.run(['import', 'spring', 'spring.csv', '--agent', AGENT])).toMatchObject({
    code: 0,
  });
  await receive(here.path('data/callsheet.db'), service.url);
  const users = { olga: 'operator' } as const;
  const given = { folder: here.cwd, io: { env }, services: 'services.yaml', users };
  console = await aConsole(given, afterAll);
  page = await aPage(console, { as: 'olga', atEnd: afterAll });
  await page.goto('/');
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await photographFailure(page, task.name);
});

describe('the suppression list', () => {
  it('takes a number, says whom it has ended, finds it, and gives it back with a reason', async () => {
    await moveTo(page, '/suppression');
    await page.getByRole('heading', { name: 'No number is suppressed' }).waitFor();
    await page.getByRole('link', { name: 'Add a number' }).click();
    await page.getByLabel('Number', { exact: true }).fill('12');
    await press(page, 'Suppress it');
    const number = page.getByLabel('Number', { exact: true });
    await page.locator('.field .wrong').waitFor();
    expect(await number.getAttribute('aria-invalid')).toBe('true');
    await number.and(page.locator(':focus')).waitFor();

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
    await press(page, /^Remove .*\+12125550101/);
    await page.getByLabel('Reason').fill('they called us');
    await press(page, 'Remove it');
    await page.getByText('+12125550101 may be called again.').waitFor();
    await page.getByRole('heading', { name: /^Nothing on the list/ }).waitFor();
    await moveTo(page, '/suppression');
    await page.getByRole('heading', { name: 'No number is suppressed' }).waitFor();
  });

  it('takes the numbers of a file; a wrong column is corrected without sending it again', async () => {
    const file = here.write('registry.csv', 'who,reached at\nBen,2125550102\nDan,2125550104\n');
    const sent: string[] = [];
    page.on('request', (one) => {
      if (one.url().includes('/api/v1/uploads')) sent.push(one.method());
    });
    await moveTo(page, '/suppression?do=import');
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
    await moveTo(page, '/inbox');
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

describe('agents, on their page', () => {
  it('are made with a prompt, shown with it, and lead to a campaign', async () => {
    await moveTo(page, '/agents?service=simulated');
    await page.getByRole('button', { name: 'New agent' }).click();
    await page.getByLabel('Name').fill('Renewals');
    await page.getByLabel('Prompt').fill('Say hello.\nAsk about the renewal.');
    await page.getByLabel('Voice').fill('[1]');
    await page.getByRole('button', { name: 'Create the agent' }).click();
    await page.getByText('The voice is no JSON object.').waitFor();
    await page.getByLabel('Voice').fill('{ "language": "en-GB" }');
    await page.getByRole('button', { name: 'Create the agent' }).click();
    const drawer = page.getByRole('dialog', { name: 'Renewals' });
    await drawer.waitFor();
    expect(await drawer.innerText()).toContain('Say hello.\nAsk about the renewal.');
    const id = new URL(page.url()).searchParams.get('agent') ?? '';
    expect(id).not.toBe('');
    await photograph(page, 'agent');
    await page.keyboard.press('Escape');
    await page.getByLabel('Search').fill('renewal hello');
    await page.getByText('1 of 2 agents').waitFor();
    await page.getByRole('link', { name: 'Renewals' }).click();
    await page.getByRole('link', { name: 'New campaign with this agent' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe(`?service=simulated&agent=${id}`);
    const list = {
      name: 'renewals.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('phone\n+12125550101\n'),
    };
    await page.locator('input[type=file]').setInputFiles(list);
    await page.getByRole('heading', { name: 'renewals', level: 1 }).waitFor();
    expect(await console.json('GET', '/api/v1/campaigns/renewals')).toMatchObject({
      ...{ service: 'simulated', agent: id },
    });
  });
});

describe('services, on their page', () => {
  it('say whether their key is there, and what an examination finds', async () => {
    await moveTo(page, '/services');
    const lab = page.getByRole('region', { name: 'lab' });
    await lab.waitFor();
    const text = await lab.innerText();
    expect(text).toContain('on this machine');
    expect(text).toContain('key missing');
    expect(text).toContain('LAB_KEY is empty or not set');
    await lab.getByRole('button', { name: 'Examine' }).click();
    await lab.getByRole('heading', { name: 'What was found' }).waitFor();
    expect(await lab.getByRole('listitem').last().innerText()).toMatch(
      /problem\s+service\s+The key/,
    );
    const embedded = page.getByRole('region', { name: 'simulated' });
    expect(await embedded.innerText()).toContain('simulated, calls nobody');
    await embedded.getByRole('button', { name: 'Examine' }).click();
    await embedded.getByText(/answers, the key is accepted, 2 agents/).waitFor();
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'services examined');
  });
});

describe('the schedule, on its page', () => {
  it('tells each day of a campaign in words, and when its schedule begins', async () => {
    here.write('summer.csv', 'name,phone\nAnn,+12125550111\nBen,+13125550112\n');
    const hours = ['--set', 'hours.from=18:00', '--set', 'hours.to=21:00'];
    const set = [...hours, '--set', 'schedule=0 18 * * *', '--set', 'timezone=America/New_York'];
    const simulated = ['--service', 'simulated', ...set];
    const taken = await here.run(['import', 'summer', 'summer.csv', ...simulated]);
    expect(taken.code, taken.err).toBe(0);
    await moveTo(page, '/schedule');
    const days = page.getByRole('list', { name: 'The days ahead of summer' }).getByRole('listitem');
    await days.first().waitFor();
    // Today, and all others, which say the same.
    expect(await days.count()).toBe(2);
    const last = () => days.last().innerText();
    expect(await last()).toMatch(/ to .*18:00–20:58, up to 2; begins at 18:00$/s);
    const twoWeeks = await last();
    await page.getByLabel('Days ahead', { exact: true }).selectOption('7 days');
    await expect.poll(last).not.toBe(twoWeeks);
    expect(page.url()).toContain('days=7');
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'schedule');
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
