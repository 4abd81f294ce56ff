import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CampaignDetail } from '../../src/views/campaigns.ts';
import { desk } from '../helpers/callsheet.ts';
import { spawnCallsheet } from '../helpers/compiled-program.ts';
import { PASSWORD, startTestConsole } from '../helpers/console.ts';
import { KEY, simulatedService } from '../helpers/services/simulated-service.ts';
import { aCampaign, listOf } from './helpers/a-campaign.ts';
import { aConsole } from './helpers/a-console.ts';
import { aContext, aPage } from './helpers/a-page.ts';
import { aProgram } from './helpers/a-program.ts';
import { barriers, DESK, TELEPHONE } from './helpers/barriers.ts';
import { photograph } from './helpers/screenshots.ts';

const SPRING = '/api/v1/campaigns/spring';
/** What the browser itself writes of a console that went away. */
const CUT = [/ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED/];
const FIRST = '+12125550101';

/** What the page asks the API for from now on. */
function askedBy(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(pathname);
  });
  return asked;
}

/** As the browser does when somebody chooses another tab, or this one again. */
const show = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState',
    { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);

describe('pages that lie open', () => {
  it('ask until the console answers, nothing while they are hidden, and at once when they are shown', async () => {
    const { open } = await aCampaign({ people: 3 });
    const console = await open();
    const page = await aPage(console, { as: 'ann', expected: [/503/] });
    let refusals = 2;
    await page.route('**/api/v1/session', (route) =>
      refusals-- > 0 ? route.fulfill({ status: 503, json: {} }) : route.continue(),
    );
    await page.clock.install();
    await page.goto('/campaigns/spring');
    await page.getByRole('heading', { name: 'spring', level: 1 }).waitFor();
    expect(refusals).toBeLessThan(0);
    await page.waitForLoadState('networkidle');
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.waitForLoadState('networkidle');

    await show(page, 'hidden');
    // What was asked before is told in its order: all of it before this.
    await page.evaluate(`fetch('/api/v1/session').then((answer) => answer.text())`);
    const asked = askedBy(page);
    await page.clock.runFor(120_000);
    expect(asked).toEqual([]);
    await console.json('POST', `${SPRING}/pause`, {});
    const answer = page.waitForResponse((one) => one.status() === 200);
    await show(page, 'visible');
    expect(new URL((await answer).url()).pathname).toMatch(/^\/api\/v1\/campaigns/);
    await page.getByText('paused', { exact: true }).first().waitFor();
  });
});

describe('a session that ends while somebody types', () => {
  it('is begun again over the page, which asks nothing before: what was typed is still there, and is sent', async () => {
    const console = await aConsole({ users: { olga: 'operator' } });
    const page = await aPage(console, { as: 'olga' });
    await page.clock.install();
    await page.goto('/suppression?do=add');
    await page.getByLabel('Number', { exact: true }).fill(FIRST);
    await page.getByLabel('Note').fill('asked by mail');
    // So that none of what the page asks by itself is refused first.
    await page.clock.pauseAt(Date.now() + 10_000);
    await page.waitForLoadState('networkidle');
    // As an admin does who sets the password.
    await console.json('PUT', '/api/v1/users/olga/password', { password: PASSWORD }, 'admin');
    const refused = page.waitForResponse((one) => one.status() === 401);
    await page.getByRole('button', { name: 'Suppress it' }).click();
    await (await refused).finished();
    await page.clock.runFor(100);
    const over = page.getByRole('dialog', { name: 'Your session has ended' });
    await over.waitFor();
    const asked = askedBy(page);
    await page.clock.runFor(120_000);
    expect(asked).toEqual([]);
    await page.clock.resume();
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
    await page.getByRole('alert').getByText('The console does not answer.').first().waitFor();
    expect(await page.getByRole('alert').innerText()).toContain(
      'nobody knows whether the change arrived',
    );
    await page.locator('.lost').waitFor();
    await photograph(page, 'lost');
    expect(await page.getByLabel('Note').inputValue()).toBe('asked by mail');
    // Somebody else goes on meanwhile, on the command line.
    await here.run(['suppress', 'add', '+12125550102', '--db', 'data/callsheet.db']);

    await aConsole({ folder: here.cwd, at: { port: Number(new URL(first.url).port) } });
    await page.locator('.lost').waitFor({ state: 'detached' });
    await page.getByText('+12125550102').waitFor();
    expect(await page.getByLabel('Number', { exact: true }).inputValue()).toBe('+12125550103');
    await page.getByRole('button', { name: 'Suppress it' }).click();
    await page.getByRole('rowheader', { name: '+12125550103' }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(3);
  });
});

describe('a page that lies open over a kill of `serve`', { timeout: 60_000 }, () => {
  it('is true within 3 s, and offers to go on', async () => {
    const service = await simulatedService({ timeScale: 1, fixedCallMs: 400 });
    const here = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
    here.write('spring.csv', listOf(900));
    const take = ['import', 'spring', 'spring.csv', '--agent', 'ag_demo', '--country', 'US'];
    expect(await here.run([...take, '--concurrency', '2'])).toMatchObject({ code: 0 });
    expect(await here.run(['resume', 'spring', '--yes'])).toMatchObject({ code: 0 });
    const serve = spawnCallsheet(here, ['serve', '--port', '0']);
    const program = await aProgram(here);
    const context = await aContext({ baseURL: program.url });
    await context.request.get(program.link ?? '', { maxRedirects: 0 });
    const page = await context.newPage();
    await page.goto('/campaigns/spring');
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^Calling since \d\d:\d\d, by serve on \S+\.$/).waitFor();
    await photograph(page, 'status calling');
    const shown = { timeout: 3_000 };

    serve.kill('SIGKILL');
    await serve.ended;
    await status.getByText(/Interrupted at \d\d:\d\d: the process that called/).waitFor(shown);
    await page.getByRole('button', { name: 'Go on calling' }).waitFor(shown);
    await photograph(page, 'status interrupted');
    expect(await barriers(page, { looks: [TELEPHONE, DESK] })).toEqual([]);

    const again = spawnCallsheet(here, ['serve', '--port', '0']);
    await status.getByText(/Calling since .* by serve on/).waitFor();
    again.kill('SIGTERM');
    await status.getByText(/Standing still: \d+ people wait, and nobody calls/).waitFor();
  });
});

describe('a page that lies open over a kill of the console', { timeout: 60_000 }, () => {
  it('says what is true when it is back: nobody calls, and the job has ended', async () => {
    const service = await simulatedService({ timeScale: 1, fixedCallMs: 400 });
    const here = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
    here.write('spring.csv', listOf(900));
    const take = ['import', 'spring', 'spring.csv', '--agent', 'ag_demo', '--country', 'US'];
    expect(await here.run([...take, '--concurrency', '2'])).toMatchObject({ code: 0 });
    const program = await aProgram(here);
    const context = await aContext({ baseURL: program.url });
    await context.request.get(program.link ?? '', { maxRedirects: 0 });
    const page = await context.newPage();
    await page.goto('/campaigns/spring');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('Calling goes on also when you close this page').waitFor();

    program.process.kill('SIGKILL');
    await page.getByText('The console does not answer.').waitFor();
    const { port } = new URL(program.url);
    const again = spawnCallsheet(here, ['console', '--port', port, '--json']);
    await again.written('}\n');
    await page.waitForResponse((one) => one.url().endsWith(SPRING) && one.ok());
    // Asked anew: the body of an answer that the page has left is gone.
    const asked = `fetch('${SPRING}').then((answer) => answer.json())`;
    const { runner } = await page.evaluate<CampaignDetail>(asked);
    expect(runner).toBeNull();
    await page.getByText('jobs are forgotten when the console ends').waitFor({ timeout: 3_000 });
    expect(await page.getByText('Calling goes on also when you close this page').count()).toBe(0);
    expect(await page.getByText('in progress, started by').count()).toBe(0);
    await page.getByRole('button', { name: 'Go on calling' }).waitFor({ timeout: 3_000 });
    await page.goto('/');
    await page
      .locator('.campaign-says')
      .getByText(/^Interrupted at .*: the process that called has ended without a word/)
      .waitFor();
  });
});
