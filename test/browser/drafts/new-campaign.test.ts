import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CampaignDetail } from '../../../src/views/campaigns.ts';
import { rowsXml, textCell, workbookFile } from '../../helpers/files/workbook-file.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { aConsole } from '../helpers/a-console.ts';
import { aPage, moveTo } from '../helpers/a-page.ts';
import { barriers } from '../helpers/barriers.ts';
import { download, drop } from '../helpers/page-files.ts';
import { photograph, photographFailure } from '../helpers/screenshots.ts';

const SAMPLE = readFileSync('data/samples/leads.csv', 'utf8');

const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

/** Chooses files where the page takes them. */
const choose = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.locator('input[type=file]').setInputFiles(files);

const goOn = (page: Page, to: string) =>
  page.getByRole('button', { name: `On to the ${to}` }).click();

/** Begins with a list, and is where its columns are shown. */
async function columnsOf(page: Page, list: ReturnType<typeof file>) {
  await moveTo(page, '/new');
  await choose(page, list);
  await page.waitForURL(/\/campaigns\/.+\/upload$/);
  await page.getByRole('heading', { name: list.name }).waitFor();
  await goOn(page, 'columns');
  await page.waitForURL(/\/columns$/);
}

async function chooseSimulated(page: Page) {
  await page.getByLabel('Service').selectOption('simulated');
  await page.getByText('Embedded in callsheet').waitFor();
}

const campaignOf = (console: TestConsole, name: string) =>
  console.json<CampaignDetail>('GET', `/api/v1/campaigns/${name}`);

describe('a new campaign', () => {
  // One for all: each test has lists of its own.
  let console: TestConsole;
  let page: Page;
  beforeAll(async () => {
    console = await startTestConsole();
    afterAll(() => console.close());
    page = await aPage(console, { atEnd: afterAll });
    await page.goto('/');
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await photographFailure(page, task.name);
  });

  it('says what is refused at the field that it concerns, which has the focus', async () => {
    const hasFocus = (label: string) =>
      page.getByLabel(label).and(page.locator(':focus')).waitFor();
    await columnsOf(page, file('leads.csv', SAMPLE));
    await goOn(page, 'rows');
    await page.getByText('22 of 60 rows').waitFor();
    await page.getByLabel('Country of numbers without +').fill('Atlantis');
    await page.getByRole('button', { name: 'Read them again' }).click();
    await page
      .locator('.field')
      .getByText(/"Atlantis" is not/)
      .waitFor();
    await hasFocus('Country of numbers without +');
    await page.getByLabel('Country of numbers without +').fill('US');
    await page.getByRole('button', { name: 'Read them again' }).click();
    await page.getByText('53 of 60 rows').waitFor();
    await goOn(page, 'settings');
    await page.getByLabel('Service').waitFor();
    await goOn(page, 'plan');
    await page.getByText('Choose the service that makes the calls.').waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
    await chooseSimulated(page);
    await goOn(page, 'plan');
    await page.getByText('60 rows, 53 good').waitFor();
    await page.getByRole('button', { name: 'Only import' }).click();
    await page.getByRole('link', { name: 'People' }).waitFor();
    expect((await campaignOf(console, 'leads')).settings).toMatchObject({ country: 'US' });
  });

  it('has a wrong column corrected by a menu', async () => {
    await columnsOf(page, file('odd.csv', 'name,office,own\nAnn,+12125550101,+12125550102\n'));
    await page.getByLabel('own is taken for').selectOption('phone');
    await page.getByLabel('office is taken for').selectOption('ignore');
    await page.getByText('chosen by hand').nth(1).waitFor();
    await goOn(page, 'rows');
    await page.getByText('1 of 1 row').waitFor();
    await goOn(page, 'settings');
    await chooseSimulated(page);
    await goOn(page, 'plan');
    await page.getByRole('button', { name: 'Only import' }).click();
    await page.getByRole('link', { name: 'People' }).waitFor();
    const people = await console.json<{ items: { phone: string }[] }>(
      'GET',
      '/api/v1/campaigns/odd/people',
    );
    expect(people.items.map(({ phone }) => phone)).toEqual(['+12125550102']);
    expect((await campaignOf(console, 'odd')).state).toBe('draft');
    // A list with the same columns is taken for the same.
    await columnsOf(page, file('next.csv', 'name,office,own\nBen,+12125550103,+12125550104\n'));
    await page.getByText('chosen by hand').nth(1).waitFor();
    expect(await page.getByLabel('own is taken for').inputValue()).toBe('phone');
    expect(await page.getByLabel('office is taken for').inputValue()).toBe('ignore');
  });

  it('takes rows that were refused, mended in a table program and dropped in again', async () => {
    await columnsOf(page, file('mend.csv', 'name,phone\nAnn,+12125550101\nBen,12345\n'));
    await goOn(page, 'rows');
    await page.getByText('1 of 2 rows').waitFor();
    const rejected = await download(page, () =>
      page.getByRole('link', { name: 'Download 1 row to mend' }).click(),
    );
    const rejects = readFileSync(rejected, 'utf8');
    expect(rejects).toMatch(/^name,phone,line,reason\r?\nBen,12345,3,/);
    writeFileSync(rejected, rejects.replace('12345', '+12125550102'));
    await drop(page.locator('.drop'), rejected);
    await page.getByText('2 of 3 rows').waitFor();
    await goOn(page, 'settings');
    await chooseSimulated(page);
    await goOn(page, 'plan');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('link', { name: 'People' }).waitFor();
    expect((await campaignOf(console, 'mend')).total).toBe(2);
  });

  it('comes from the sheet of a workbook that is chosen', async () => {
    const sheet = (...rows: string[][]) => rowsXml(rows.map((cells) => cells.map(textCell)));
    const book = workbookFile({
      sheets: [
        { name: 'Notes', rows: sheet(['word', 'meaning'], ['lead', 'a person']) },
        { name: 'People', rows: sheet(['name', 'phone'], ['Ann', '+12125550101']) },
      ],
    });
    await moveTo(page, '/new');
    await choose(page, file('people.xlsx', book));
    await page.getByLabel('Sheet', { exact: true }).selectOption('People');
    await page.getByText('1 row').waitFor();
    await goOn(page, 'columns');
    await page.getByLabel('phone is taken for').waitFor();
    expect(await page.getByLabel('phone is taken for').inputValue()).toBe('phone');
    await goOn(page, 'rows');
    await page.getByText('1 of 1 row').waitFor();
  });

  it('is left as a draft, taken up again, and given up', async () => {
    await columnsOf(page, file('spring.csv', 'phone\n+12125550101\n'));
    await moveTo(page, '/');
    await page.getByRole('link', { name: 'spring', exact: true }).click();
    await page.getByRole('heading', { name: 'spring.csv' }).waitFor();
    await page.getByText('draft', { exact: true }).waitFor();
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Give up' }).click();
    await page.getByRole('button', { name: 'Delete its lists and choices' }).click();
    await page.waitForURL(`${console.url}/`);
    await page.getByRole('link', { name: 'spring', exact: true }).waitFor({ state: 'detached' });
    expect((await console.ask('GET', '/api/v1/campaigns/spring')).status).toBe(404);
  });
});

it(
  'every step keeps nobody out, on a telephone and on a desk, light and dark',
  { timeout: 120_000 },
  async () => {
    const console = await aConsole();
    const page = await aPage(console);
    const look = async (name: string) => {
      expect(await barriers(page), name).toEqual([]);
      await photograph(page, name);
      await page.setViewportSize({ width: 360, height: 780 });
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(360);
      await photograph(page, `${name}, narrow`);
    };
    // The first page without a campaign and the first step are looked at in first-page and every-page.test.ts.
    await page.goto('/new');
    await choose(page, file('leads.csv', SAMPLE), file('page.csv', '<!DOCTYPE html><html></html>'));
    await page.getByRole('region', { name: 'page.csv' }).getByRole('alert').waitFor();
    await look('upload');
    await page.getByRole('button', { name: 'Take out page.csv' }).click();
    await goOn(page, 'columns');
    await page.getByLabel('phone is taken for').waitFor();
    await look('columns');
    await goOn(page, 'rows');
    await page.getByText('22 of 60 rows').waitFor();
    await page.getByText('no country').click();
    await look('rows');
    await goOn(page, 'settings');
    await chooseSimulated(page);
    await page.getByText('The week').waitFor();
    await look('settings');
    await goOn(page, 'plan');
    await page.getByRole('button', { name: 'Rehearse' }).click();
    await page.getByRole('region', { name: 'Nights of the rehearsal' }).waitFor();
    await look('plan, rehearsed');
    await moveTo(page, '/');
    await page.getByRole('link', { name: 'leads', exact: true }).waitFor();
    await look('campaigns, a draft');
  },
);

it('whoever may only look sees the campaigns, and no way to begin one', async () => {
  const console = await aConsole({ users: { ann: 'viewer' } });
  const page = await aPage(console, { as: 'ann' });
  await page.goto('/');
  await page.getByRole('heading', { name: 'No campaign yet' }).waitFor();
  expect(await page.getByRole('link', { name: /New campaign|Begin/ }).count()).toBe(0);
  await page.goto('/new');
  await page.getByRole('heading', { name: 'This is for those who may run campaigns' }).waitFor();
});
