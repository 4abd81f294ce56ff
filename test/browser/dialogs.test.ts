import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { desk } from '../helpers/callsheet.ts';
import type { TestConsole } from '../helpers/console.ts';
import { AGENT, KEY, simulatedService } from '../helpers/services/simulated-service.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage, moveTo } from './helpers/a-page.ts';
import { barriers } from './helpers/barriers.ts';
import { photograph } from './helpers/screenshots.ts';

interface Opened {
  /** The heading of what lies over the page. */
  title: string;
  at: string;
  /** What opens it with Enter. */
  by: (page: Page) => Locator | Promise<Locator>;
  /** Where the keyboard is afterwards, if that is not there any more. */
  back?: (page: Page) => Locator;
}

const button = (name: string) => (page: Page) => page.getByRole('button', { name }).first();
const ofPerson = (name: string) => (page: Page) =>
  page.getByRole('dialog', { name: 'Ann' }).getByRole('button', { name });
const link = (name: string) => (page: Page) => page.getByRole('link', { name }).first();
const ofTable = (page: Page) => page.getByRole('table').getByRole('link').first();
const ofPeople = async (page: Page) => {
  await page.getByRole('rowheader', { name: 'Ann' }).waitFor();
  const table = page.getByRole('grid', { name: 'People' });
  await table.press('Home');
  return table;
};
const more = (page: Page) => page.getByText('More', { exact: true });
const inMenu = (name: string) => async (page: Page) => {
  await more(page).press('Enter');
  return page.getByRole('button', { name });
};

const SPRING = '/campaigns/spring';
const ANN = `${SPRING}/people?person=1-2`;
const ALL: Opened[] = [
  { title: 'Rename spring', at: SPRING, by: inMenu('Rename'), back: more },
  { title: 'Cancel spring?', at: SPRING, by: inMenu('Cancel the campaign'), back: more },
  { title: 'Ann', at: `${SPRING}/people`, by: ofPeople },
  { title: 'Suppress Ann?', at: ANN, by: ofPerson('Suppress') },
  { title: 'Withdraw Ann from this campaign?', at: ANN, by: ofPerson('Withdraw') },
  { title: 'Give up autumn?', at: '/campaigns/autumn', by: inMenu('Give up'), back: more },
  { title: 'Add a number', at: '/suppression', by: link('Add a number') },
  { title: 'Import a file of numbers', at: '/suppression', by: link('Import a file') },
  {
    ...{ title: 'Take +12125550123 off the list?', at: '/suppression' },
    by: button('Remove +12125550123'),
  },
  { title: 'New agent at simulated', at: '/agents?service=simulated', by: button('New agent') },
  { title: 'Demo agent', at: '/agents?service=simulated', by: ofTable },
  { title: 'Delivery dlv_1', at: '/inbox', by: ofTable },
  { title: 'Look at 1 delivery', at: '/inbox?state=received', by: button('Replay all') },
  { title: 'Add a user', at: '/access', by: button('Add a user') },
  { title: 'Role of ben', at: '/access', by: button('Change role of ben') },
  { title: 'Password of ben', at: '/access', by: button('Set password of ben') },
  { title: 'Remove ben?', at: '/access', by: button('Remove of ben') },
  { title: 'Make a token', at: '/access', by: button('Make a token') },
  { title: 'Remove the token viewer?', at: '/access', by: button('Remove the token viewer') },
];

it('whatever lies over a page is opened and left by keyboard alone, and keeps nobody out', async () => {
  const page = await aPage(await everything(), { as: 'ann' });
  const found: string[] = [];
  await page.goto('/');
  let last = '/';
  const isIn = async (locator: Locator) => {
    const focused = page.locator(':focus');
    return (await locator.and(focused).or(locator.locator(focused)).count()) > 0;
  };
  for (const { title, at, by, back } of ALL) {
    if (at !== last) await moveTo(page, at);
    last = at;
    const opener = await by(page);
    await opener.press('Enter');
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    if (!(await isIn(dialog))) found.push(`${title}: the keyboard is not in it`);
    found.push(
      ...(await barriers(page, { within: 'dialog[open]' })).map((line) => `${title}: ${line}`),
    );
    await photograph(page, title);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    if (!(await isIn(back?.(page) ?? opener)))
      found.push(`${title}: the keyboard is lost after it`);
  }
  expect(found).toEqual([]);
}, 180_000);

/** A console in which there is something of everything. */
async function everything(): Promise<TestConsole> {
  const service = await simulatedService();
  const env = { VOICE_API_URL: service.url, VOICE_API_KEY: KEY };
  const here = desk(env);
  here.write('spring.csv', 'name,phone\nAnn,+12125550101\nBen,+12125550102\n');
  await here.run(['import', 'spring', 'spring.csv', '--service', 'simulated']);
  // The simulated service has a database of its own.
  here.write('winter.csv', 'name,phone\nCem,+12125550109\n');
  await here.run(['import', 'winter', 'winter.csv', '--agent', AGENT]);
  await here.run(['suppress', 'add', '+12125550123']);
  await receive(here.path('data/callsheet.db'), service.url);
  const users = { ann: 'admin', ben: 'viewer' } as const;
  const console = await aConsole({ folder: here.cwd, io: { env }, users });
  const sent = await fetch(`${console.url}/api/v1/uploads?name=autumn.csv`, {
    ...{ method: 'POST', body: 'phone\n+12125550101\n' },
    headers: { authorization: `Bearer ${console.tokens.operator ?? ''}` },
  });
  const { id } = (await sent.json()) as { id: string };
  await console.json('POST', '/api/v1/campaigns', { uploads: [id] });
  return console;
}

/** One delivery, as a listener leaves it that was killed right after. */
async function receive(path: string, service: string): Promise<void> {
  const store = openSqliteStore({ path, mode: 'write' });
  await store.inboxPut({
    ...{ id: 'dlv_1', service, key: 'evt_1', receivedAt: 1, signed: true },
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ type: 'call.started', data: { call_id: 'call_1' } })),
  });
  await store.close();
}
