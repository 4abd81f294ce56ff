import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NIGHT_COLUMNS } from '../../src/views/night-figures.ts';
import { desk, type Desk } from '../helpers/callsheet.ts';
import { startTestConsole, type TestConsole } from '../helpers/console.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
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
    // The rest is folded: one download is in sight, for people first.
    const formats = page.getByLabel('Format').locator('option');
    await formats.first().waitFor({ state: 'attached' });
    expect(await formats.first().innerText()).toBe('Excel workbook (.xlsx)');
    expect(await page.getByLabel('Since').isVisible()).toBe(false);
    await page.getByText('Choose results, days and columns').click();
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
    const rest = await exported(here, 'rest.csv', '--since-last', '--columns', 'name');
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
    expect(await figures.innerText()).toMatch(/People\s+53\s+53 done/);
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
