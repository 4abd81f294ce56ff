import { statSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../../src/views/jobs.ts';
import { until } from '../helpers/until.ts';
import { aCampaign } from './helpers/a-campaign.ts';
import { desk } from '../helpers/callsheet.ts';
import { startTestConsole, type TestConsole } from '../helpers/console.ts';
import { shareOf } from '../helpers/properties.ts';
import { aPage, moveTo } from './helpers/a-page.ts';
import { barriers, DESK, TELEPHONE } from './helpers/barriers.ts';
import { isShown, PAGES } from './helpers/pages.ts';
import { photograph, photographFailure } from './helpers/screenshots.ts';

/** Where numbers of people are. */
const WITH_NUMBERS = [
  '/campaigns/NAME/people',
  '/campaigns/NAME/people?person=1-2',
  '/suppression',
];
/** Words of a terminal and places of a machine. */
const IN_A_TERMINAL =
  /(^|\s)--[a-z]|\bpid\b|Ctrl-C|(^|[\s'(])\/(home|tmp|work|var)\/|callsheet (init|check|run|serve|console|status|explain|pause|resume|cancel|export|set|suppress|import|doctor|retry|resolve|collect|call|report|tail|agents|profile|rules|simulate)\b|(^|[\s(])(stop|retry|numbers|polling|zones|unknown)\.[a-z]|\w=\w|skipCalled|a terminal|run it again|E[A-Z]{4,}|_ERR_|(GET|POST) http/;
/** What has the keyboard and does not show it; a chosen file's field is under its button. */
const WITHOUT_RING = `[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled)
  .filter((one) => {
    one.focus();
    const shown = one.type === 'file' ? one.nextElementSibling : one;
    return document.activeElement === one && !/0px 0px 0px 4px/.test(getComputedStyle(shown).boxShadow);
  })
  .map((one) => one.outerHTML.slice(0, 100))`;
const UNFOLD = `for (const one of document.querySelectorAll('main details')) one.open = true`;
/** These are looked at in the dark theme at a desk, the others in the light one on a telephone. */
const AT_DESK = shareOf(PAGES, 2);
/** What a viewer sees there can be changed by others alone. */
const WITHOUT_CONTROLS = ['', '/doubts', '/settings', '/history'].map(
  (tab) => `/campaigns/NAME${tab}`,
);

describe('every page, with a campaign that was called', () => {
  let console: TestConsole;
  /** One for all pages each: a browser of its own takes longer than a page. */
  let anns: Page;
  let bens: Page;
  /** What ann's first page has loaded. */
  const scripts: string[] = [];
  beforeAll(async () => {
    const here = desk({}, afterAll);
    const fast = ['--set', 'polling.floor=20ms', '--set', 'polling.ceiling=100ms'];
    const asked = ['--service', 'simulated', '--country', 'US', '--concurrency', '20', ...fast];
    const list = new URL('../../data/samples/leads.csv', import.meta.url).pathname;
    await here.run(['run', list, '--name', 'spring', ...asked]);
    await here.run(['import', 'autumn', list, '--again', ...asked]);
    await here.run(['suppress', 'add', '+12125550123', '--note', 'asked us to']);
    console = await startTestConsole({ folder: here.cwd, users: { ann: 'admin', ben: 'viewer' } });
    afterAll(() => console.close());
    const viewport = { width: 1440, height: 900 };
    anns = await aPage(console, { as: 'ann', viewport, atEnd: afterAll });
    bens = await aPage(console, { as: 'ben', viewport, atEnd: afterAll });
    anns.on('response', (answer) => {
      const { pathname } = new URL(answer.url());
      if (pathname.endsWith('.js')) scripts.push(pathname);
    });
    await anns.goto('/');
    await isShown(anns);
    await bens.goto('/');
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await photographFailure(anns, `${task.name} ann`);
    await photographFailure(bens, `${task.name} ben`);
  });

  it('the first page takes at most 90 kB of gzip JavaScript', () => {
    const bytes = scripts.map((path) => statSync(`dist/console/pages${path}.gz`).size);
    expect(scripts.length).toBeGreaterThan(0);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(90_000);
  });

  it('scripts are kept for ever by the browser, and sent in the form that it takes', async () => {
    const get = (path: string, headers: Record<string, string>) =>
      console.ask('GET', path, undefined, { role: null, headers });
    for (const encoding of ['br', 'gzip']) {
      const { headers } = await get(scripts[0] ?? '', { 'accept-encoding': encoding });
      expect(headers.get('content-encoding')).toBe(encoding);
      expect(headers.get('cache-control')).toContain('immutable');
    }
    const { headers } = await get('/', { accept: 'text/html' });
    expect(headers.get('cache-control')).toBe('public, max-age=0');
  });

  it.each(PAGES)('%s keeps nobody out, fits on a telephone, and has one heading', async (page) => {
    await moveTo(anns, page.replace('NAME', 'spring'));
    await isShown(anns);
    expect(await anns.locator('h1').count()).toBe(1);
    expect(await barriers(anns, { looks: [AT_DESK.includes(page) ? DESK : TELEPHONE] })).toEqual(
      [],
    );
    expect(await anns.locator('main').innerText()).not.toMatch(IN_A_TERMINAL);
    await anns.keyboard.press('Tab');
    expect(await anns.evaluate(WITHOUT_RING)).toEqual([]);
    await photograph(anns, `page ${page}`);
  });

  it('no page of a campaign in trouble says a word of a terminal', async () => {
    const settings = ['stop.calls=11', 'retry.attempts=3', 'retry.gap=2h', 'skipCalled=30d'];
    const { here, service, open } = await aCampaign({
      ...{ people: 12, faults: { 'drop-response': 0.3 }, concurrency: '6', settings },
    });
    const rows = ['+1 212 555 0101 ext. 5', '+1 800 555 0150', '2125550199', '12', '+12125550100'];
    here.write('summer.csv', `phone\n${rows.join('\n')}\n`);
    const console = await open();
    const page = await aPage(console, { as: 'ann' });
    const said: string[] = [];
    const look = async (...addresses: string[]) => {
      for (const address of addresses) {
        await moveTo(page, address);
        await isShown(page);
        // Expert settings have their keys beside them, to be looked up.
        if (!address.endsWith('/settings')) await page.evaluate(UNFOLD);
        const lines = (await page.locator('main').innerText()).split('\n');
        said.push(
          ...lines.filter((line) => IN_A_TERMINAL.test(line)).map((line) => `${address}: ${line}`),
        );
        await photograph(page, `in trouble ${address}`);
      }
    };
    const SPRING = [
      '',
      '/people',
      '/people?person=1-2',
      '/people?person=1-5',
      '/doubts',
      '/results',
      '/history',
    ].map((tab) => `/campaigns/spring${tab}`);
    const start = () =>
      console.json<Job>('POST', '/api/v1/campaigns/spring/start', { limit: null, now: true });
    await page.goto('/');
    const run = await start();
    await until(() => service.ledger().length > 1);
    await look('/', ...SPRING);
    await console.json('POST', `/api/v1/jobs/${run.id}/stop`);
    await service.close();
    await console.json('POST', `/api/v1/jobs/${run.id}/stop`);
    await console.jobEnd(run.id);
    await look('/', ...SPRING);
    const set = { 'stop.calls': 'none', 'stop.cost': '40 USD' };
    await console.json('PATCH', '/api/v1/campaigns/spring/settings', { set });
    const { id } = await start();
    const job = () => console.json<Job>('GET', `/api/v1/jobs/${id}`);
    await expect
      .poll(async () => (await job()).messages.length, { timeout: 30_000 })
      .toBeGreaterThan(0);
    await look('/', ...SPRING);

    await moveTo(page, '/new');
    await page.locator('input[type=file]').setInputFiles(here.path('summer.csv'));
    await page.getByRole('button', { name: 'On to the columns' }).click();
    const draft = ['columns', 'rows', 'settings', 'plan'].map(
      (step) => `/campaigns/summer/${step}`,
    );
    await look('/', ...draft, '/schedule', '/log');
    expect(said).toEqual([]);
  }, 120_000);

  it.each([...WITH_NUMBERS, ...WITHOUT_CONTROLS])(
    '%s shows a viewer nothing that breaks',
    async (page) => {
      await moveTo(bens, page.replace('NAME', 'spring'));
      await isShown(bens);
      // Masked numbers alone: no whole one stands anywhere.
      expect(await bens.locator('body').innerText()).not.toMatch(/\+1\d{10}/);
      if (!WITHOUT_CONTROLS.includes(page)) return;
      const main = bens.locator('main');
      expect(await main.getByRole('button').count()).toBe(0);
      expect(await main.getByRole('textbox').count()).toBe(0);
    },
  );
});
