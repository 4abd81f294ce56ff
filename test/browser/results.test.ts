import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NIGHT_COLUMNS } from '../../src/views/night-figures.ts';
import { desk, type Desk } from '../helpers/callsheet.ts';
import { startTestConsole, type TestConsole } from '../helpers/console.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
import { aConsole } from './helpers/a-console.ts';
import { aContext, aPage, moveTo } from './helpers/a-page.ts';
import { barriers } from './helpers/barriers.ts';
import { download } from './helpers/page-files.ts';
import { photograph, photographFailure } from './helpers/screenshots.ts';

const SAMPLE = new URL('../../data/samples/leads.csv', import.meta.url).pathname;
const RESULTS = '/campaigns/leads/results';
/** A frame in which nothing may run says so whenever the browser of the tests looks into it. */
const expected = [/^Blocked script execution in '\S+\/report/];

/** A folder in which the sample list was called by the embedded service. */
async function calledSample(): Promise<Desk> {
  const here = desk({}, afterAll);
  const asked = ['--service', 'simulated', '--country', 'US', '--concurrency', '30'];
  const ended = await here.run(['run', SAMPLE, ...asked], { clock: hastyClock(30) });
  expect(ended.code, ended.err).toBe(0);
  return here;
}

/** What the command line writes into a file. */
async function exported(here: Desk, file: string, ...flags: string[]): Promise<Buffer> {
  const { code, err } = await here.run(['export', 'leads', '-o', file, ...flags]);
  expect(code, err).toBe(0);
  return readFileSync(here.path(file));
}

async function downloaded(page: Page): Promise<{ name: string; content: Buffer }> {
  const path = await download(page, () =>
    page.getByRole('link', { name: 'Download the results' }).click(),
  );
  return { name: basename(path), content: readFileSync(path) };
}

describe('the results of a campaign, on its page', () => {
  // One for all, as nothing here changes what is in it, but that some were taken.
  let here: Desk;
  let console: TestConsole;
  let page: Page;
  beforeAll(async () => {
    here = await calledSample();
    const users = { ann: 'admin', vera: 'viewer' } as const;
    console = await startTestConsole({ folder: here.cwd, users });
    afterAll(() => console.close());
    page = await aPage(console, { as: 'ann', expected, atEnd: afterAll });
    await page.goto('/');
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await photographFailure(page, task.name);
  });

  it('come with the columns, results and days that were chosen by keyboard, which the address keeps', async () => {
    await moveTo(page, RESULTS);
    for (const box of ['answered', 'call_summary', 'name']) {
      await page.getByLabel(box, { exact: true }).focus();
      await page.keyboard.press('Space');
    }
    await page.getByRole('button', { name: 'Move name up' }).focus();
    await page.keyboard.press('Enter');
    // Where it has gone, so has the focus.
    const focused = page.locator('button:focus');
    await expect.poll(() => focused.getAttribute('aria-label')).toBe('Move name up');
    await page.getByLabel('Since').fill('2026-01-05');
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ only: 'answered', columns: 'name,call_summary', since: '2026-01-05' },
    });
    await page.reload();
    const { content } = await downloaded(page);
    const flags = ['--only', 'answered', '--columns', 'name,call_summary', '--since', '2026-01-05'];
    expect(content.toString()).toBe((await exported(here, 'some.csv', ...flags)).toString());
    expect(content.toString()).toMatch(/^name,call_summary\r?\n/);
    expect(content.toString().split('\n').length).toBeGreaterThan(5);
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel('Since').focus();
    await page.keyboard.type('01/01/29999');
    // A year of five digits would be no day, and would leave nobody out.
    expect(await page.getByLabel('Since').inputValue()).toBe('9999-01-01');
    expect((await downloaded(page)).content.toString().trim()).toBe('name,call_summary');
  });

  it('are taken once where only new ones are wanted, and then there are none, which it says', async () => {
    await page.goto(`${RESULTS}?columns=name,call_result`);
    const take = () => page.getByRole('button', { name: 'Take the new ones' }).click();
    const file = await download(page, take);
    expect(basename(file)).toMatch(/^leads-new-\d{8}T\d{6}Z\.csv$/);
    const wanted = await exported(here, 'all.csv', '--columns', 'name,call_result');
    expect(readFileSync(file, 'utf8')).toBe(wanted.toString());
    await page.getByText('count as taken from now on').waitFor();
    await take();
    await page.getByText('Nobody has become done since the last one').waitFor();
    // What the command line takes is not new here either, and the other way round.
    const rest = await exported(here, 'rest.csv', '--new', '--columns', 'name');
    expect(rest.toString().trim()).toBe('name');
    await page.getByLabel('A row for each').selectOption('attempt');
    await page.getByText('A row for each lead alone').waitFor();

    // Of a night alone they cannot be taken: those of all others would count as taken, too.
    await moveTo(page, `${RESULTS}?columns=name`);
    await page.getByRole('region', { name: 'Table of nights' }).getByRole('link').click();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('night')).toMatch(/^20/);
    expect(searchParams.get('columns')).toBe('name');
    expect(await page.getByRole('button', { name: 'Take the new ones' }).isDisabled()).toBe(true);
    await page.getByText('Of all nights together alone').waitFor();
  });

  it('are told in numbers, by nights, and as a report in a frame in which nothing runs', async () => {
    await moveTo(page, RESULTS);
    const figures = page.locator('dl.figures');
    await figures.waitFor();
    expect(await figures.innerText()).toMatch(/Leads\s+53\s+53 done/);
    const nights = page.getByRole('region', { name: 'Table of nights' });
    expect(await nights.innerText()).toContain('all final');
    expect(await nights.locator('th[scope=col]').allInnerTexts()).toEqual(
      expect.arrayContaining(NIGHT_COLUMNS.map(({ label }) => label)),
    );
    // Which calls a talk time is of: each place says its own.
    await page.getByText('Talk time of all calls is counted').waitFor();
    await page.getByText(/in \d+ answered calls; median/).waitFor();
    await page.locator('iframe').scrollIntoViewIfNeeded();
    const report = page.frameLocator('iframe');
    await report.getByRole('heading', { name: 'leads', level: 1 }).waitFor();
    expect(await report.getByRole('heading').allInnerTexts()).toContain('How the leads ended');
    await photograph(page, 'results');
    const path = await download(page, () =>
      page.getByRole('link', { name: 'Download', exact: true }).click(),
    );
    expect(basename(path)).toBe('leads-report.html');
    const html = readFileSync(path, 'utf8');
    expect(html).toContain('How the leads ended');
    // Where scripts run, axe looks at it.
    const alone = await (await aContext()).newPage();
    await alone.setContent(html);
    expect(await barriers(alone)).toEqual([]);
  });

  it('are figures alone for a viewer, who is told why there is no file', async () => {
    const veras = await aPage(console, { as: 'vera', expected });
    await veras.goto(RESULTS);
    await veras.getByText('Files of results hold whole numbers and what was said').waitFor();
    expect(await veras.getByRole('link', { name: 'Download the results' }).count()).toBe(0);
    await veras.locator('iframe').scrollIntoViewIfNeeded();
    const report = veras.frameLocator('iframe');
    await report.getByRole('heading', { name: 'How the leads ended' }).waitFor();
    expect(await report.locator('body').innerText()).not.toMatch(/\+1\d{10}/);
  });
});

describe('agents, on their page', () => {
  it('are made with a prompt, shown with it, and lead to a campaign', async () => {
    const console = await aConsole();
    const page = await aPage(console);
    await page.goto('/agents?service=simulated');
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
      name: 'spring.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('phone\n+12125550101\n'),
    };
    await page.locator('input[type=file]').setInputFiles(list);
    await page.getByRole('heading', { name: 'spring', level: 1 }).waitFor();
    expect(await console.json('GET', '/api/v1/campaigns/spring')).toMatchObject({
      ...{ service: 'simulated', agent: id },
    });
  });
});

describe('services, on their page', () => {
  it('say whether their key is there, and what an examination finds', async () => {
    const here = desk();
    here.write('services.yaml', `lab: { url: 'http://127.0.0.1:9', keyEnv: LAB_KEY }\n`);
    const console = await aConsole({ folder: here.cwd, services: 'services.yaml' });
    const page = await aPage(console);
    await page.goto('/services');
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
    expect(await embedded.innerText()).toContain('embedded, calls nobody');
    await embedded.getByRole('button', { name: 'Examine' }).click();
    await embedded.getByText(/answers, the key is accepted, 1 agent/).waitFor();
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'services examined');
  });
});

describe('the schedule, on its page', () => {
  it('tells each day of a campaign in words, when its schedule begins, and what it is waiting for when there is none', async () => {
    const here = desk();
    const console = await aConsole({ folder: here.cwd });
    const page = await aPage(console);
    await page.goto('/schedule');
    await page.getByRole('heading', { name: 'No campaign is ahead' }).waitFor();
    here.write('spring.csv', 'name,phone\nAnn,+12125550101\nBen,+13125550102\n');
    const hours = ['--set', 'hours.from=18:00', '--set', 'hours.to=21:00'];
    const set = [...hours, '--set', 'schedule=0 18 * * *', '--set', 'timezone=America/New_York'];
    const taken = await here.run([
      'import',
      'spring',
      'spring.csv',
      '--service',
      'simulated',
      ...set,
    ]);
    expect(taken.code, taken.err).toBe(0);
    await page.reload();
    const days = page.getByRole('list', { name: 'The days ahead of spring' }).getByRole('listitem');
    await days.first().waitFor();
    expect(await days.count()).toBe(14);
    expect(await days.last().innerText()).toMatch(/18:00–20:58, up to 2; begins at 18:00$/);
    await page.getByLabel('Days ahead', { exact: true }).selectOption('7 days');
    await expect.poll(() => days.count()).toBe(7);
    expect(page.url()).toContain('days=7');
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'schedule');
  });
});
