import { EventEmitter, once } from 'node:events';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../src/views/access.ts';
import type { CampaignDetail } from '../../src/views/campaigns.ts';
import type { Job } from '../../src/views/jobs.ts';
import type { TestConsole } from '../helpers/console.ts';
import { aCampaign } from './helpers/a-campaign.ts';
import { aPage, moveTo } from './helpers/a-page.ts';
import { photographFailure } from './helpers/screenshots.ts';

let add: Awaited<ReturnType<typeof aCampaign>>['add'];
let console: TestConsole;
/** Of the operator ann. */
let page: Page;
beforeAll(async () => {
  const campaign = await aCampaign({ people: 2, atEnd: afterAll });
  ({ add } = campaign);
  console = await campaign.open();
  page = await aPage(console, { as: 'ann', atEnd: afterAll });
  await page.goto('/');
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await photographFailure(page, task.name);
});

let campaigns = 0;
/** A campaign of its own of `people`, and its address in the API. */
async function aFresh(people = 2): Promise<{ name: string; api: string }> {
  const name = `campaign-${(campaigns += 1)}`;
  await add(name, people);
  return { name, api: `/api/v1/campaigns/${name}` };
}

const PEOPLE = 'phone\n+12125550101\n';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const inMenu = async (page: Page, name: string) => {
  await page.getByText('More', { exact: true }).click();
  await press(page, name);
};
const chooseFile = (page: Page, name: string) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(PEOPLE) });

/** Holds the next request like this one, or only its answer, until `go`. */
async function held(page: Page, at: RegExp, what: 'request' | 'answer' = 'request') {
  const gate = new EventEmitter();
  const came = once(gate, 'came');
  let isNext = true;
  // It stays until the end: a request that is sent at the moment when a route is taken away may hang.
  await page.route(at, async (route) => {
    if (!isNext) return route.continue();
    isNext = false;
    const answer = what === 'answer' ? await route.fetch() : undefined;
    const free = once(gate, 'go');
    gate.emit('came');
    await free;
    return answer === undefined ? route.continue() : route.fulfill({ response: answer });
  });
  return { came, go: () => gate.emit('go') };
}

/** All that has arrived is drawn. */
const drawn = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

describe('a file that is on its way', () => {
  it('to the suppression list is broken off with the dialog, which says that nobody is suppressed', async () => {
    await moveTo(page, '/suppression?do=import');
    await chooseFile(page, 'registry.csv');
    const sending = await held(page, /\/uploads\?/);
    await press(page, 'Suppress all its numbers');
    await sending.came;
    expect(await page.getByRole('button', { name: 'Close, it goes on' }).count()).toBe(0);
    await press(page, 'Leave it');
    await page.getByText('registry.csv was not sent: none of its numbers is suppressed').waitFor();
    sending.go();
    expect(await console.json('GET', '/api/v1/suppression')).toMatchObject({ items: [] });
  });

  it('to a new campaign is broken off when somebody leaves the page: no campaign is begun behind them', async () => {
    await moveTo(page, '/new');
    const sending = await held(page, /\/uploads\?/);
    await chooseFile(page, 'left-behind.csv');
    await sending.came;
    const over = page.waitForEvent('requestfailed');
    await page.getByRole('link', { name: 'Suppression' }).click();
    await over;
    sending.go();
    await page.getByRole('heading', { name: 'No number is suppressed' }).waitFor();
    expect((await console.ask('GET', '/api/v1/campaigns/left-behind')).status).toBe(404);
  });

  it('to a new campaign is taken with all others, and leads nobody back who has gone on', async () => {
    await moveTo(page, '/new');
    const beginning = await held(page, /api\/v1\/campaigns$/, 'answer');
    await chooseFile(page, 'begun.csv');
    await beginning.came;
    // A further file would not be part of the campaign that is being begun.
    expect(await page.locator('input[type=file]').isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Suppression' }).click();
    await page.getByRole('heading', { name: 'No number is suppressed' }).waitFor();
    const begun = page.waitForResponse(/api\/v1\/campaigns$/);
    beginning.go();
    await (await begun).finished();
    await drawn(page);
    expect(new URL(page.url()).pathname).toBe('/suppression');
  });

  it('to a draft is seen at each of its steps, and nobody is called before it is there', async () => {
    await aDraft('growing');
    await moveTo(page, '/campaigns/growing/upload');
    const sending = await held(page, /\/uploads\?/);
    await chooseFile(page, 'more.csv');
    await sending.came;
    await page.getByRole('link', { name: 'Columns' }).click();
    const onTheirWay = page.getByRole('list', { name: 'Files on their way' });
    await onTheirWay.getByText('more.csv').waitFor();
    await page.getByRole('link', { name: 'Plan' }).click();
    const start = page.getByRole('button', { name: /^Start/ });
    await start.waitFor();
    expect(await start.isDisabled()).toBe(true);
    sending.go();
    await expect.poll(() => start.isEnabled()).toBe(true);
    const { lists } = await console.json<CampaignDetail>('GET', '/api/v1/campaigns/growing');
    expect(lists.map(({ path }) => path)).toEqual(['growing.csv', 'more.csv']);
  });
});

describe('a change of a campaign', () => {
  it('is what was asked for, whatever somebody else did before the yes', async () => {
    const { name, api } = await aFresh();
    await console.json('POST', `${api}/cancel`, { confirmed: true });
    await moveTo(page, `/campaigns/${name}`);
    await page.getByText('More', { exact: true }).click();
    const poll = await held(page, new RegExp(`campaigns/${name}$`), 'answer');
    await poll.came;
    await console.json('PATCH', `${api}/settings`, { set: { concurrency: '9' } });
    const refused = page.waitForResponse((one) => one.status() === 409);
    await press(page, 'Archive');
    await refused;
    poll.go();
    await page.getByRole('dialog', { name: 'Somebody else was faster' }).waitFor();
    await console.json('POST', `${api}/archive`, {});
    await page
      .getByRole('button', { name: 'Take out of the archive', includeHidden: true })
      .waitFor({ state: 'attached' });
    await press(page, 'Do it all the same');
    await page.getByText('is archived already').waitFor();
    expect(await console.json('GET', api)).toMatchObject({ archived: true });
  });

  it('that is refused says so, also when another one was refused before', async () => {
    const { name, api } = await aFresh();
    const { id } = await console.json<Job>('POST', `${api}/start`, { limit: 1 });
    await console.jobEnd(id);
    await moveTo(page, `/campaigns/${name}`);
    const refuse = (what: string, detail: string) =>
      page.route(`**/${name}/${what}`, (route) =>
        route.fulfill({ status: 422, json: { code: 'X', detail, hint: null, status: 422 } }),
      );
    await refuse('start', 'The first refusal.');
    await refuse('pause', 'The second refusal.');
    await refuse('cancel', 'The third refusal.');
    await inMenu(page, 'Pause');
    await page.getByText('The second refusal.').waitFor();
    await press(page, 'Go on calling now');
    await page.getByText('The first refusal.').waitFor();
    expect(await page.getByText('The second refusal.').count()).toBe(0);
    await console.json('POST', `${api}/cancel`, { confirmed: true });
    await press(page, 'Take back the cancelling');
    await page.getByText('The third refusal.').waitFor();
  });

  it('of a setting closes its own form alone', async () => {
    const { name } = await aFresh();
    await moveTo(page, `/campaigns/${name}/settings?change=pace`);
    await page.getByRole('textbox', { name: 'Calls begun, at most' }).fill('60/min');
    const saving = await held(page, /\/settings$/, 'answer');
    await press(page, 'Save');
    await saving.came;
    await press(page, 'Change Calling again');
    expect(await page.getByLabel('After busy').isVisible()).toBe(false);
    await page.getByLabel('Calls to each person in all').fill('3');
    saving.go();
    await page.getByText('60/min', { exact: true }).waitFor();
    await drawn(page);
    expect(await page.getByLabel('Calls to each person in all').inputValue()).toBe('3');
    await press(page, 'Leave it');
  });
});

it('an answer from before a change does not take its place', async () => {
  const { name, api } = await aFresh();
  await moveTo(page, `/campaigns/${name}/people?person=1-2`);
  const drawer = page.getByRole('dialog', { name: 'Person 0' });
  await drawer.getByRole('button', { name: 'Withdraw' }).click();
  const old = await held(page, /\/people\/1-2$/, 'answer');
  // The person is read again with the new state.
  await console.json('POST', `${api}/pause`, {});
  await old.came;
  await page
    .getByRole('dialog', { name: /^Withdraw/ })
    .getByRole('button', { name: 'Withdraw' })
    .click();
  const back = drawer.getByRole('button', { name: 'Let them be called again' });
  await back.waitFor();
  const late = page.waitForResponse(/\/people\/1-2$/);
  old.go();
  await (await late).finished();
  await drawn(page);
  expect(await back.count()).toBe(1);
});

it('a further page of people joins those that were read again before it came', async () => {
  const { name, api } = await aFresh(150);
  await moveTo(page, `/campaigns/${name}/people`);
  await page.getByText('150 people; the first 100 are shown').waitFor();
  const further = await held(page, /\/people\?after=/, 'answer');
  await press(page, 'Show more');
  await further.came;
  await console.json('POST', `${api}/people/1-2/cancel`, {});
  await console.json('POST', `${api}/pause`, {});
  const first = page.getByRole('row', { name: 'Person 0', exact: false }).first();
  await first.getByText('cancelled').waitFor();
  further.go();
  await page.getByText('150 people', { exact: true }).waitFor();
  expect(await first.innerText()).toContain('cancelled');
});

it('a search that was refused leaves the keyboard where it is when people change', async () => {
  const { name, api } = await aFresh();
  const page = await aPage(console, { as: 'vera' });
  await page.goto(`/campaigns/${name}/people?text=555`);
  await page.getByText('finds people by words').waitFor();
  const state = page.getByLabel('State');
  await state.focus();
  await console.json('POST', `${api}/pause`, {});
  await page.waitForResponse(/\/filters$/);
  await drawn(page);
  await state.and(page.locator(':focus')).waitFor({ timeout: 3_000 });
});

it('a viewer is told how it stands, and nothing to press that is not there', async () => {
  const { name, api } = await aFresh();
  await console.json('POST', `${api}/pause`, {});
  const page = await aPage(console, { as: 'vera' });
  await page.goto(`/campaigns/${name}`);
  await page.getByText('Paused: 2 people wait.').waitFor();
  expect(await page.getByRole('button', { name: 'Go on calling' }).count()).toBe(0);
});

it('times are those of the console, whatever the clock of the browser says', async () => {
  const { timezone } = await console.json<Session>('GET', '/api/v1/session');
  const page = await aPage(console, { as: 'ann' });
  await page.clock.install({ time: Date.now() - 5 * 3_600_000 });
  await page.goto('/account');
  const form = { hour: '2-digit', hourCycle: 'h23', timeZone: timezone } as const;
  const hour = () => new Intl.DateTimeFormat('en-GB', form).format(Date.now());
  const before = hour();
  const text = await page.getByText('where it is').innerText();
  expect([before, hour()].some((one) => text.includes(`${one}:`))).toBe(true);
});

it('people who were once read slowly are read again all the same, after a rest', async () => {
  const { name, api } = await aFresh();
  const page = await aPage(console, { as: 'ann' });
  await page.clock.install();
  const slow = await held(page, new RegExp(`${api}/people$`), 'answer');
  await page.goto(`/campaigns/${name}/people`);
  await slow.came;
  await page.clock.runFor(300);
  slow.go();
  const row = page.getByRole('row', { name: 'Person 0' });
  await row.waitFor();
  await console.json('POST', `${api}/people/1-2/cancel`, {});
  await console.json('POST', `${api}/pause`, {});
  await row.getByText('cancelled').waitFor();
});

it('a plan of a draft that was changed before it had begun is stopped', async () => {
  const api = await aDraft('changing');
  const first = await held(page, /campaigns\/changing\/plan$/, 'answer');
  await moveTo(page, '/campaigns/changing/plan');
  await first.came;
  const { items } = await console.json<{ items: Job[] }>('GET', '/api/v1/jobs');
  const changed = page.waitForResponse(async (one) => (await one.text()).includes('"9"'));
  await console.json('PATCH', `${api}/settings`, { set: { concurrency: '9' } });
  await changed;
  const stopped = page.waitForRequest(/\/stop$/);
  first.go();
  expect((await stopped).url()).toContain(items[0]?.id);
  await page.getByText('Called now').waitFor();
});

it('the days ahead follow what changes while their page lies open', async () => {
  const { name, api } = await aFresh();
  const page = await aPage(console, { as: 'ann' });
  await page.clock.install();
  await page.goto('/schedule');
  const days = page.getByRole('list', { name: `The days ahead of ${name}` });
  await days.waitFor();
  await console.json('POST', `${api}/cancel`, { confirmed: true });
  await page.clock.runFor(61_000);
  await days.waitFor({ state: 'detached' });
});

it('a sign-out that does not arrive says so', async () => {
  const page = await aPage(console, { as: 'ann', expected: [/ERR_FAILED/] });
  await page.goto('/suppression');
  await page.route('**/api/v1/session', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  );
  await press(page, 'Sign out');
  await page.getByText('nobody knows whether the change arrived').waitFor();
});

/**
 * A draft of one list for the embedded service.
 *
 * @returns its address in the API
 */
async function aDraft(name: string): Promise<string> {
  const answer = await fetch(`${console.url}/api/v1/uploads?name=${name}.csv`, {
    ...{ method: 'POST', body: 'phone\n+12125550102\n' },
    headers: { authorization: `Bearer ${console.tokens.operator ?? ''}` },
  });
  const { id } = (await answer.json()) as { id: string };
  await console.json('POST', '/api/v1/campaigns', { uploads: [id] });
  const api = `/api/v1/campaigns/${name}`;
  await console.json('PATCH', `${api}/settings`, { set: { service: 'simulated' } });
  return api;
}
