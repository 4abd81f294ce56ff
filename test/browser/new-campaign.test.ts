import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CampaignDetail } from '../../src/views/campaigns.ts';
import type { People } from '../../src/views/people.ts';
import { desk, type Desk } from '../helpers/callsheet.ts';
import { rowsXml, textCell, workbookFile } from '../helpers/files/workbook-file.ts';
import type { TestConsole } from '../helpers/console.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage, moveTo } from './helpers/a-page.ts';
import { barriers } from './helpers/barriers.ts';
import { download, drop } from './helpers/page-files.ts';
import { photograph, photographFailure } from './helpers/screenshots.ts';

/** One number is wrong, and one has no country. */
const LIST = 'name,phone\nAnn,+12125550101\nBen,12345\nCem,2125550103\n';

const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

/** Chooses files where the page takes them. */
const choose = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.locator('input[type=file]').setInputFiles(files);

const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
const goOn = (page: Page, to: string) => press(page, `On to the ${to}`);

const uploadsKept = ({ folder }: TestConsole): string[] => {
  const uploads = join(folder, 'data', 'uploads');
  return existsSync(uploads) ? readdirSync(uploads) : [];
};

/** A list that is larger is refused. */
const MOST_BYTES = 3_000_000;
let here: Desk;
let console: TestConsole;
let page: Page;
beforeAll(async () => {
  here = desk({}, afterAll);
  console = await aConsole({ folder: here.cwd, mostUploadBytes: MOST_BYTES }, afterAll);
  page = await aPage(console, { atEnd: afterAll, timezoneId: 'Asia/Tokyo' });
  await page.goto('/');
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await photographFailure(page, task.name);
});

describe('a new campaign', { timeout: 90_000 }, () => {
  it('is tried with a sample at once, and says that nobody is called', async () => {
    const ways = page.locator('.empty').getByRole('link');
    await ways.first().waitFor();
    expect(await ways.allInnerTexts()).toEqual([
      'Try one on the simulated service',
      'Services that call people',
    ]);
    await ways.first().click();
    await page.getByText('On the simulated service, which calls nobody.').waitFor();
    await press(page, 'Use a sample');
    await page.getByRole('region', { name: 'sample.csv' }).waitFor();
    await goOn(page, 'columns');
    await goOn(page, 'rows');
    await page.getByText('made-up, for trials').waitFor();
  });

  it('goes from step to step: each keeps nobody out, and says what is refused at its field', async () => {
    const look = async (name: string) => {
      expect(await barriers(page), name).toEqual([]);
      await photograph(page, name);
    };
    await moveTo(page, '/new');
    await choose(page, file('spring.csv', LIST), file('page.csv', '<!DOCTYPE html><html></html>'));
    await page.getByRole('region', { name: 'page.csv' }).getByRole('alert').waitFor();
    await look('upload');
    await press(page, 'Take out page.csv');
    await goOn(page, 'columns');
    await page.getByLabel('phone is taken for').waitFor();
    expect(await page.getByText('words of the terminal').count()).toBe(0);
    await look('columns');

    await goOn(page, 'rows');
    await page.getByText('1 of 3 rows').waitFor();
    const country = page.getByLabel('Country of numbers without +');
    await country.fill('Atlantis');
    await press(page, 'Read them as Atlantis');
    const refused = page.locator('.field').getByText(/"Atlantis" is not/);
    await refused.waitFor();
    await country.and(page.locator(':focus')).waitFor();
    await country.fill('US');
    await press(page, 'Read them as US');
    await page.getByText('2 of 3 rows').waitFor();
    await look('rows');
    const rejected = await download(page, () =>
      page.getByRole('link', { name: 'Download 1 row to mend' }).click(),
    );
    const rejects = readFileSync(rejected, 'utf8');
    expect(rejects).toMatch(/^name,phone,line,reason\r?\nBen,12345,3,/);
    writeFileSync(rejected, rejects.replace('12345', '+12125550102'));
    await drop(page.locator('.drop'), rejected);
    await page.getByText('3 of 4 rows').waitFor();

    await goOn(page, 'settings');
    await page.getByLabel('Service').waitFor();
    await goOn(page, 'plan');
    await page.getByText('Choose the service that makes the calls.').waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
    await page.getByLabel('Service').selectOption('simulated');
    await page.getByText('The week ahead').waitFor();
    await look('settings');
    await goOn(page, 'plan');
    await press(page, 'Rehearse');
    await page.getByRole('region', { name: 'Nights of the rehearsal' }).waitFor();
    await look('plan, rehearsed');
    const sheet = async (part: string) =>
      page.getByRole('region', { name: part, exact: true }).innerText();
    expect(await sheet('Who')).toContain('3 people');
    expect(await sheet('Who')).toMatch(/Suppressed\s+0/);
    expect(await sheet('When')).toContain('no calling hours and no caps apply');
    expect(await sheet('When')).toMatch(/Calls are made\s+As soon as it is started/);
    expect(await sheet('When')).toMatch(/Time zone of the campaign\s+Asia\/Tokyo/);
    expect(await sheet('How often')).toContain('Each person is called once.');
    expect(await sheet('By whom')).toMatch(/the simulated one.*\(ag_demo\)/s);
    expect(await sheet('At most')).toMatch(/Calls at once\s+5/);
    expect(await sheet('What it will come to')).toContain('Nights: 1.');
    await page.getByText('Sent for Ann').click();
    expect(await sheet('What is sent')).toMatch(/Sent for Ann.*"\+12125550101"/s);
    expect(await sheet('What is sent')).toMatch(
      /^What is sent\s+Sent for Ann, the first of them\s+POST /,
    );
    await page.getByText('Rehearse plays all its nights on the simulated service').waitFor();
    await moveTo(page, '/');
    const draft = page.getByRole('link', { name: 'spring', exact: true });
    await draft.waitFor();
    await page.getByText(/^Times in \S+$/).waitFor();
    await look('campaigns, a draft');

    await draft.click();
    await page.getByText('draft', { exact: true }).waitFor();
    await page.goto('/campaigns/spring/plan');
    await press(page, 'Keep it for later');
    await page.getByRole('link', { name: 'People' }).waitFor();
    const { items } = await console.json<People>('GET', '/api/v1/campaigns/spring/people');
    expect(items.map(({ phone }) => phone).toSorted()).toEqual([
      '+12125550101',
      '+12125550102',
      '+12125550103',
    ]);
    expect(await console.json('GET', '/api/v1/campaigns/spring')).toMatchObject({
      ...{ state: 'draft', settings: { country: 'US' } },
    });
  });

  it('draws the week by the places of its list, before it is imported and after', async () => {
    await moveTo(page, '/new?service=simulated');
    const people = 'name,phone\nAnn,+12125550101\nBen,+12125550102\nCem,+14155550103\n';
    await choose(page, file('evening.csv', people));
    await page.getByRole('region', { name: 'evening.csv' }).waitFor();
    const settings = '/api/v1/campaigns/evening/settings';
    const change = (set: object) => console.json('PATCH', settings, { set });
    await change({ rules: 'local', timezone: 'America/New_York' });
    await change({ schedule: '23:30 mon-fri', 'stop.at': '23:50' });
    await moveTo(page, '/campaigns/evening/settings');
    await page.getByText('None of them may be called on these days.').waitFor();
    await page.getByText('Every Mon-Fri from 23:30 until 23:50').first().waitFor();

    await press(page, 'Change Calls are made');
    await page.getByLabel('From', { exact: true }).fill('18:00');
    await page.getByLabel('Until', { exact: true }).fill('21:00');
    await press(page, 'Save');
    const week = page.getByRole('list', { name: 'The week ahead' });
    // In San Francisco it is three hours earlier.
    const evening = '18:00–21:00, up to 3; begins at 18:00';
    const isDrawn = async () => {
      await week.getByText(evening).last().waitFor();
      const lines = await week.getByRole('listitem').allInnerTexts();
      expect(lines.filter((line) => /Sat|Sun/.test(line)).join()).toContain('nobody');
      const drawn = await week.locator('.span[title^="1"]').last().getAttribute('title');
      expect(drawn).toBe('19:58 to 21:00: up to 1 person');
      await page.getByText('3 people wait.').waitFor();
    };
    await isDrawn();
    await photograph(page, 'settings, the week of a list');
    await goOn(page, 'plan');
    await press(page, 'Keep it for later');
    await page.getByRole('link', { name: 'People' }).waitFor();
    await moveTo(page, '/campaigns/evening/settings');
    await isDrawn();
    await photograph(page, 'campaign settings, the week');
  });

  it('saves a form that is open on the way to the next step, and asks on any other way', async () => {
    await moveTo(page, '/new?service=simulated');
    await choose(page, file('autumn.csv', LIST));
    await page.getByRole('region', { name: 'autumn.csv' }).waitFor();
    await moveTo(page, '/campaigns/autumn/settings?change=stop');
    await press(page, 'Add a budget');
    const atMost = page.getByRole('textbox', { name: 'At most' });
    await atMost.fill('forty');
    await goOn(page, 'plan');
    await page
      .locator('.field')
      .getByText(/"forty"/)
      .waitFor();
    const asked = page.getByRole('dialog', { name: 'Budgets: not saved yet' });
    const plan = page
      .getByRole('navigation', { name: 'Steps' })
      .getByRole('link', { name: 'Plan' });
    await plan.click();
    await asked.waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    await atMost.fill('40');
    // The browser's own way back asks, too.
    await page.goBack();
    await asked.getByRole('button', { name: 'Close' }).click();
    expect(await atMost.inputValue()).toBe('40');
    await goOn(page, 'plan');
    const budgets = page.getByRole('region', { name: 'At most', exact: true });
    await budgets.getByText('40 calls').waitFor();
    await moveTo(page, '/campaigns/autumn/settings?change=stop');
    await atMost.fill('50');
    await plan.click();
    await asked.getByRole('button', { name: 'Save' }).click();
    await budgets.getByText('50 calls').waitFor();
    await moveTo(page, '/campaigns/autumn/settings?change=stop');
    await atMost.fill('60');
    await plan.click();
    await asked.getByRole('button', { name: 'Go on without it' }).click();
    await budgets.getByText('50 calls').waitFor();
    // What is said of times and of calling again is said once, as in the settings.
    const set = {
      ...{ schedule: '18:00 mon-fri', 'stop.at': '21:00', timezone: 'UTC' },
      ...{ 'retry.attempts': '3', 'retry.gap': '12h' },
    };
    await console.json('PATCH', '/api/v1/campaigns/autumn/settings', { set });
    await page.getByText('Every Mon-Fri from 18:00 until 21:00 (UTC)').waitFor();
    expect(await page.getByText('at least 12 h apart').count()).toBe(1);
    expect(await budgets.getByText('until').count()).toBe(0);
    await page.getByRole('region', { name: 'When' }).getByRole('link', { name: 'UTC' }).click();
    await page.getByRole('button', { name: /^Change Time zone/, expanded: true }).waitFor();
    await moveTo(page, '/campaigns/autumn/settings?change=notBefore');
    await page.getByRole('link', { name: 'UTC', exact: true }).waitFor();
  });

  it('comes from the sheet and the columns that are chosen, and is given up', async () => {
    const sheet = (...rows: string[][]) => rowsXml(rows.map((cells) => cells.map(textCell)));
    const headers = ['name', 'office', 'own'];
    const book = workbookFile({
      sheets: [
        { name: 'Notes', rows: sheet(['word', 'meaning'], ['lead', 'a person']) },
        { name: 'People', rows: sheet(headers, ['Ann', '+12125550101', '+12125550102']) },
      ],
    });
    await moveTo(page, '/new');
    await choose(page, file('people.xlsx', book));
    await page.getByLabel('Sheet', { exact: true }).selectOption('People');
    await goOn(page, 'columns');
    await page.getByLabel('own is taken for').selectOption('phone');
    await page.getByLabel('office is taken for').selectOption('ignore');
    await page.getByText('chosen by hand').nth(1).waitFor();
    await goOn(page, 'rows');
    await page.getByText('1 of 1 row').waitFor();
    await page.getByText('More', { exact: true }).click();
    await press(page, 'Give up');
    await press(page, 'Delete its lists and choices');
    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    expect((await console.ask('GET', '/api/v1/campaigns/people')).status).toBe(404);
  });
});

describe('a file that is sent', () => {
  it('can be cancelled on its way, and nothing of it is left', async () => {
    const kept = uploadsKept(console).length;
    // Sent slowly, it takes two minutes.
    here.write('large.csv', listOf(2_400_000));
    here.write('small.csv', listOf(1));
    await moveTo(page, '/new');
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20_000 },
    });
    await drop(page.locator('.drop'), here.path('large.csv'), here.path('small.csv'));
    await page.getByRole('progressbar', { name: 'large.csv is sent' }).waitFor();
    await expect.poll(() => uploadsKept(console)).toHaveLength(kept + 1);
    expect(await barriers(page)).toEqual([]);
    await press(page, 'Cancel large.csv');
    await page.getByText('large.csv').waitFor({ state: 'detached' });
    // What was dropped together with it comes all the same, and alone.
    await page.getByRole('button', { name: 'Go on with 1 list' }).waitFor();
    await expect.poll(() => uploadsKept(console)).toHaveLength(kept + 1);
    const { items } = await console.json<{ items: { name: string }[] }>('GET', '/api/v1/uploads');
    const names = items.map(({ name }) => name);
    expect(names).toContain('small.csv');
    expect(names).not.toContain('large.csv');
    await session.detach();
    await moveTo(page, '/');
  });

  it('is refused where it was dropped when it is too large, and the others come all the same', async () => {
    here.write('one.csv', listOf(1));
    here.write('too-large.csv', listOf(MOST_BYTES + 1_000));
    const kept = uploadsKept(console).length;
    here.write('two.csv', listOf(40));
    await moveTo(page, '/new');
    const paths = ['one.csv', 'too-large.csv', 'two.csv'].map((name) => here.path(name));
    await drop(page.locator('.drop'), ...paths);
    const onTheirWay = page.getByRole('list', { name: 'Files on their way' });
    await onTheirWay.getByRole('alert').getByText('too-large.csv: The file is larger').waitFor();
    await page.getByText('start the console with a larger').waitFor();
    await press(page, 'Go on with 2 lists');
    await page.getByRole('heading', { name: 'two.csv' }).waitFor();
    const { lists } = await console.json<CampaignDetail>('GET', '/api/v1/campaigns/one');
    expect(lists.map((list) => list.path)).toEqual(['one.csv', 'two.csv']);
    // The same beside the lists of a campaign that has begun.
    await drop(page.locator('.drop'), here.path('too-large.csv'));
    await page.getByRole('alert').getByText('too-large.csv: The file is larger').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page
      .getByRole('list', { name: 'Files on their way' })
      .getByRole('button', { name: 'Close' })
      .click();
    await page.getByText('too-large.csv').waitFor({ state: 'detached' });
    expect(uploadsKept(console)).toHaveLength(kept + 2);
  });
});

/** A list of at least so many bytes. */
function listOf(bytes: number): string {
  return 'name,phone\n' + `Ann,+12125550101\n`.repeat(Math.ceil(bytes / 17));
}
