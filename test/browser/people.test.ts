import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { People, Person } from '../../src/views/people.ts';
import { desk, type Desk } from '../helpers/callsheet.ts';
import { startTestConsole, type TestConsole } from '../helpers/console.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
import type { AtEnd } from '../helpers/files/temp.ts';
import { listOf } from './helpers/a-campaign.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage, moveTo } from './helpers/a-page.ts';
import { barriers } from './helpers/barriers.ts';
import { photograph, photographFailure } from './helpers/screenshots.ts';

const NAMES = ['Ann Ash', 'Ben Birch', 'Cleo Cedar', 'Dora Dogwood', 'Eve Elm', 'Finn Fir'];
const LIST = `name,phone,town\n${NAMES.map((name, n) => `${name},+1212555010${n},Town ${n}`).join('\n')}\n`;
const SIMULATED = [
  ...['--service', 'simulated', '--set', 'polling.floor=20ms'],
  ...['--set', 'polling.ceiling=100ms'],
];

// Looking for barriers in both themes and widths takes seconds each time.
describe('the people of a campaign that was called', { timeout: 60_000 }, () => {
  // One for all, as nothing here changes it.
  let console: TestConsole;
  let page: Page;
  beforeAll(async () => {
    console = await startTestConsole({
      folder: (await listed('run', afterAll)).cwd,
      users: { ann: 'operator', vera: 'viewer' },
    });
    afterAll(() => console.close());
    page = await aPage(console, { as: 'ann', atEnd: afterAll });
    await page.goto('/');
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await photographFailure(page, task.name);
  });

  it('are searched and chosen from, and the address keeps it', async () => {
    await moveTo(page, '/campaigns/trees/people');
    await page.getByText('6 people', { exact: true }).waitFor();
    expect(await namesIn(page)).toEqual(NAMES);
    await page.getByLabel('Search').fill('cedar');
    await page.getByText('1 person of 6').waitFor();
    expect(await namesIn(page)).toEqual(['Cleo Cedar']);
    expect(new URL(page.url()).search).toBe('?text=cedar');
    await page.getByLabel('Search').fill('+12125550104');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Eve Elm' }).waitFor();
    await page.getByLabel('State').selectOption('waiting');
    await page.getByRole('heading', { name: 'Nobody matches' }).waitFor();
    await page.getByText('“+12125550104” in the number or a cell; state waiting').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Show everybody' }).click();
    await page.getByText('6 people', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await page.getByLabel('Search').inputValue()).toBe('');
    await page.waitForFunction('document.activeElement.name === "text"');
  });

  it('are gone through by keyboard, and one of them is read from the line of the list to the result', async () => {
    const answered = await console.json<{ items: { id: string; line: number; name: string }[] }>(
      'GET',
      '/api/v1/campaigns/trees/people?result=answered',
    );
    const [somebody] = answered.items;
    if (somebody === undefined) throw new Error('nobody answered');
    const story = await console.json<Person>(
      'GET',
      `/api/v1/campaigns/trees/people/${somebody.id}`,
    );
    await moveTo(page, '/campaigns/trees/people');
    const table = page.getByRole('grid', { name: 'People' });
    await table.focus();
    await page.keyboard.press('End');
    expect(await selectedIn(page)).toBe('Finn Fir');
    await page.keyboard.press('Home');
    for (let line = 2; line < somebody.line; line++) await page.keyboard.press('ArrowDown');
    expect(await selectedIn(page)).toBe(somebody.name);
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'people');
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: somebody.name });
    await drawer.getByText(`joined as line ${somebody.line} of trees.csv`).waitFor();
    const said = drawer.getByRole('group', { name: 'What was said in call 1' });
    const turns = await said.getByRole('paragraph').allInnerTexts();
    expect(turns.map((text) => text.replace(/^(Agent|Person|Other)\n+/, ''))).toEqual(
      story.calls[0]?.turns?.map(({ text }) => text),
    );
    expect(turns[0]).toMatch(/^Agent\n/);
    expect(turns.some((text) => text.startsWith('Person\n'))).toBe(true);
    await drawer.getByText('Why it was allowed').focus();
    await page.keyboard.press('Enter');
    await drawer.getByText('Clock in America/New_York').waitFor();
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'person');
    const recording = drawer.getByRole('link', { name: 'Recording' });
    for (const link of await recording.all()) {
      expect(await link.getAttribute('rel')).toBe('noreferrer');
      expect(await link.getAttribute('href')).toMatch(/^https?:/);
    }
    expect(new URL(page.url()).searchParams.get('person')).toBe(somebody.id);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.waitForFunction('document.activeElement.getAttribute("role") === "grid"');
  });

  it('have their names beside their numbers where calls end', async () => {
    await moveTo(page, '/campaigns/trees');
    const ended = page.getByRole('region', { name: 'Calls as they end' });
    await ended.getByText('Ann Ash').waitFor();
    const who = await ended.getByRole('rowheader').allInnerTexts();
    expect(who.map((one) => one.replaceAll(/\s+/g, ' ')).toSorted()).toEqual(
      NAMES.map((name, n) => `${name} +1212555010${n}`),
    );
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    const cut = `[...document.querySelectorAll('.table-box')].map((box) => box.scrollWidth - box.clientWidth).join()`;
    expect(await page.evaluate(cut)).toBe('0');
    await ended.getByRole('link', { name: 'Ann Ash' }).click();
    await page.getByRole('dialog', { name: 'Ann Ash' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('are masked for a viewer, who is told so, and changes nobody', async () => {
    const veras = await aPage(console, { as: 'vera' });
    await veras.goto('/campaigns/trees/people?person=1-2');
    const drawer = veras.getByRole('dialog', { name: 'Ann Ash' });
    await drawer.getByText('What was said is not shown to your role.').waitFor();
    const buttons = await drawer.getByRole('button').allInnerTexts();
    expect(buttons.filter((text) => !text.startsWith('Copy'))).toEqual(['']);
    await veras.keyboard.press('Escape');
    await veras.getByText('Numbers are masked for your role.').waitFor();
    expect(await veras.locator('body').innerText()).not.toMatch(/1212555010\d/);
    await veras.getByLabel('Search').fill('555');
    await veras.getByText('finds people by words, or by a whole number from its + on.').waitFor();
    expect(await barriers(veras)).toEqual([]);
  });
});

describe('the people of a campaign', { timeout: 60_000 }, () => {
  it('are withdrawn, brought back and suppressed after a question, and change while others are called', async () => {
    const { page, console } = await aCampaign();
    await page.goto('/campaigns/trees/people?person=1-3');
    const drawer = page.getByRole('dialog', { name: 'Ben Birch' });
    // What a terminal does by `callsheet run trees` is done on that page.
    const start = drawer.getByRole('link', { name: '“Start” at trees' }).first();
    expect(await start.getAttribute('href')).toBe('/campaigns/trees');
    await drawer.getByRole('button', { name: 'Withdraw' }).click();
    await page
      .getByRole('dialog', { name: /^Withdraw/ })
      .getByRole('button', { name: 'Withdraw' })
      .click();
    await drawer.getByText('cancelled', { exact: true }).waitFor();
    await drawer.getByRole('button', { name: 'Let them be called again' }).click();
    await drawer.getByText('waiting', { exact: true }).waitFor();
    await drawer.getByRole('button', { name: 'Suppress' }).click();
    const question = page.getByRole('dialog', { name: 'Suppress Ben Birch?' });
    await question.getByLabel('Note').fill('asked on the telephone');
    await question.getByLabel('Until').fill('2001-01-01');
    await question.getByLabel('Note').press('Enter');
    const until = question.getByLabel('Until');
    await until.and(page.locator(':focus')).waitFor();
    expect(await until.getAttribute('aria-invalid')).toBe('true');
    await until.fill('');
    await question.getByLabel('Note').press('Enter');
    await drawer.getByText('suppressed', { exact: true }).waitFor();
    await drawer.getByText('asked on the telephone').first().waitFor();
    expect(await console.json<Person>('GET', '/api/v1/campaigns/trees/people/1-3')).toMatchObject({
      result: 'suppressed',
      suppressed: [{ phone: '+12125550101' }],
    });
    await page.keyboard.press('Escape');
    const row = page.getByRole('row').filter({ hasText: 'Ben Birch' });
    await row.getByText('suppressed').waitFor();

    // They change before the eye while they are called.
    await page.getByText('waiting', { exact: true }).nth(4).waitFor();
    const { id } = await console.json<{ id: string }>('POST', '/api/v1/campaigns/trees/start', {});
    await console.jobEnd(id);
    await expect.poll(() => page.getByText('waiting', { exact: true }).count()).toBe(0);
  });

  it('are read once more where the campaign ended while they were being read', async () => {
    const { page, console } = await aCampaign();
    let letGo: () => void = () => undefined;
    const isOver = new Promise<void>((resolve) => (letGo = resolve));
    const isOfPeople = ({ pathname }: URL) => pathname === '/api/v1/campaigns/trees/people';
    const hold = async (route: Route) => {
      const response = await route.fetch();
      await isOver;
      await route.fulfill({ response });
    };
    await page.route(isOfPeople, hold, { times: 1 });
    await page.clock.install();
    const asked = page.waitForRequest((request) => isOfPeople(new URL(request.url())));
    await page.goto('/campaigns/trees/people');
    await asked;
    const { id } = await console.json<{ id: string }>('POST', '/api/v1/campaigns/trees/start', {});
    await console.jobEnd(id);
    await page.getByText('completed', { exact: true }).waitFor();
    letGo();
    await page.getByRole('row').filter({ hasText: 'Ben Birch' }).waitFor();
    // The answer took long, so the page rests.
    await page.clock.fastForward(30_000);
    await expect.poll(() => page.getByText('waiting', { exact: true }).count()).toBe(0);
  });
});

it('a long list is read page by page, and every page that is shown is read again after a change', async () => {
  const here = desk();
  here.write('many.csv', listOf(250));
  expect(await here.run(['import', 'many', 'many.csv', ...SIMULATED])).toMatchObject({ code: 0 });
  const console = await aConsole({ folder: here.cwd, users: { ann: 'operator' } });
  const page = await aPage(console, { as: 'ann' });
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/api/v1/campaigns/many/people') asked.push(search);
  });
  await page.goto('/campaigns/many/people');
  await page.getByText('250 people; the first 100 are shown').waitFor();
  const table = page.getByRole('grid', { name: 'People' });
  await table.focus();
  await page.keyboard.press('End');
  expect(await selectedIn(page)).toBe('Person 99');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('250 people; the first 200 are shown').waitFor();
  await table.focus();
  await page.keyboard.press('ArrowDown');
  expect(await selectedIn(page)).toBe('Person 100');
  expect(asked).toEqual(['', '?after=1%3A101']);
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Person 100' });
  await drawer.getByRole('button', { name: 'Withdraw' }).click();
  await page
    .getByRole('dialog', { name: /^Withdraw/ })
    .getByRole('button', { name: 'Withdraw' })
    .click();
  await page.getByRole('row', { name: 'Person 100' }).getByText('cancelled').waitFor();
  expect(await page.getByRole('rowheader').count()).toBe(200);
  expect(asked).toEqual(['', '?after=1%3A101', '', '?after=1%3A101']);

  // They are read once more, and before that is done, a further page is.
  const held = new EventEmitter();
  const isFirst = ({ pathname, search }: URL) => pathname.endsWith('/people') && search === '';
  const hold = async (route: Route) => {
    await once(held, 'go');
    await route.continue();
  };
  await page.route(isFirst, hold, { times: 1 });
  await drawer.getByRole('button', { name: 'Let them be called again' }).click();
  await drawer.getByText('waiting', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByText('250 people', { exact: true }).waitFor();
  held.emit('go');
  await page.getByRole('row', { name: 'Person 100' }).getByText('waiting').waitFor();
  expect(await page.getByRole('rowheader').count()).toBe(250);
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
}, 60_000);

it('one person is called again from their page, where nobody reached them; else it says why not', async () => {
  const { cwd } = await listed('run');
  const console = await aConsole({ folder: cwd, users: { ann: 'operator' } });
  const { items } = await console.json<People>('GET', '/api/v1/campaigns/trees/people');
  const missed = items.find(({ result }) =>
    /^(no_answer|busy|voicemail|failed)$/.test(result ?? ''),
  );
  const reached = items.find(({ result }) => result === 'answered');
  if (missed === undefined || reached === undefined) throw new Error('each of them is needed');
  const page = await aPage(console, { as: 'ann' });
  await page.goto(`/campaigns/trees/people?person=${reached.id}`);
  await page.getByText('Not called again: only people whom nobody reached').waitFor();
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Call again' }).count()).toBe(
    0,
  );
  await moveTo(page, `/campaigns/trees/people?person=${missed.id}`);
  const drawer = page.getByRole('dialog', { name: missed.name ?? '' });
  await drawer.getByRole('button', { name: 'Call again' }).click();
  const question = page.getByRole('dialog', { name: `Call ${missed.name ?? ''} again?` });
  expect(await barriers(page)).toEqual([]);
  await question.getByRole('button', { name: 'Call again' }).click();
  await drawer.getByText('1 person of "trees" waits again.').waitFor();
  await drawer.getByText('waiting', { exact: true }).waitFor();
  const others = items.filter(({ id }) => id !== missed.id).map(({ state }) => state);
  const now = await console.json<People>('GET', '/api/v1/campaigns/trees/people');
  expect(now.items.filter(({ id }) => id !== missed.id).map(({ state }) => state)).toEqual(others);
}, 60_000);

it('a recording is asked for when it is played, with no word of where; what is no sound says so', async () => {
  const { cwd } = await listed('run');
  const console = await aConsole({ folder: cwd, users: { ann: 'operator' } });
  const elsewhere = /^https:\/\/recordings\.example\.com\//;
  const page = await aPage(console, { as: 'ann', expected: [elsewhere] });
  const address = '/api/v1/campaigns/trees/people/1-2';
  const somebody = await console.json<Person>('GET', address);
  const heard = (recordingUrl: string) => ({
    ...somebody,
    calls: somebody.calls.map((call) => ({ ...call, recordingUrl })),
  });
  const asked: (string | undefined)[] = [];
  await page.route(elsewhere, (route) => {
    asked.push(route.request().headers()['referer']);
    return route.fulfill({ contentType: 'text/html', body: 'Sign in' });
  });
  const url = 'https://recordings.example.com/1.wav';
  await page.route(`**${address}`, (route) => route.fulfill({ json: heard(url) }), { times: 1 });
  await page.goto('/campaigns/trees/people?person=1-2');
  const player = page.getByLabel('Recording of call 1');
  await player.waitFor();
  await page.getByRole('link', { name: 'Recording' }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await photograph(page, 'person with a recording');
  expect(asked).toEqual([]);
  await page.evaluate(`document.querySelector('audio').play().catch(() => undefined)`);
  await page.getByText('The recording cannot be played here; its link opens it.').waitFor();
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((referrer) => referrer !== undefined)).toEqual([]);
}, 60_000);

/** A folder with six people of one list, called or not. */
async function listed(done: 'run' | 'import', atEnd?: AtEnd): Promise<Desk> {
  const here = desk({}, atEnd);
  here.write('trees.csv', LIST);
  const command = done === 'run' ? ['run', 'trees.csv'] : ['import', 'trees', 'trees.csv'];
  expect(await here.run([...command, ...SIMULATED])).toMatchObject({ code: 0 });
  return here;
}

/** They wait, and an operator has a page that is not anywhere yet. */
async function aCampaign(): Promise<{ page: Page; console: TestConsole }> {
  const { cwd } = await listed('import');
  const users = { ann: 'operator' } as const;
  const console = await aConsole({ folder: cwd, users, io: { clock: hastyClock(10) } });
  return { console, page: await aPage(console, { as: 'ann' }) };
}

function namesIn(page: Page): Promise<string[]> {
  return page.getByRole('rowheader').locator('span:first-child').allInnerTexts();
}

/** The row that a reader of the screen is told of. */
function selectedIn(page: Page): Promise<string> {
  return page
    .getByRole('row', { selected: true })
    .getByRole('rowheader')
    .locator('span:first-child')
    .innerText();
}

it('all who match are counted, asked about, and called again, withdrawn or exported at once', async () => {
  const { cwd } = await listed('run');
  const users = { ann: 'operator' } as const;
  const console = await aConsole({ folder: cwd, users });
  const page = await aPage(console, { as: 'ann' });
  await page.goto('/campaigns/trees/people');
  const many = page.getByRole('group', { name: 'With all who match' });
  const file = page.waitForEvent('download');
  await page.getByLabel('Search').fill('cedar');
  await page.getByText('1 person of 6').waitFor();
  await many.getByRole('link', { name: 'Export' }).click();
  expect((await file).suggestedFilename()).toContain('trees');
  await page.getByLabel('Search').fill('');
  await page.getByText('6 people', { exact: true }).waitFor();
  const missed = await page
    .getByRole('gridcell')
    .getByText(/^(no answer|busy|voicemail|failed)$/)
    .count();
  expect(missed).toBeGreaterThan(0);

  await many.getByRole('button', { name: 'Call again' }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Please confirm' });
  await question
    .getByText(new RegExp(`^${missed} (person|people) of "trees" may be called`))
    .waitFor();
  expect(await barriers(page)).toEqual([]);
  await photograph(page, 'many-people-question');
  await question.getByRole('textbox').fill(`yes ${missed}`);
  await page.keyboard.press('Enter');
  await page.getByText(/wait again/).waitFor();
  await page.getByLabel('State').selectOption('waiting');
  await page.getByText(`${missed} ${missed === 1 ? 'person' : 'people'} of 6`).waitFor();
  const last = page.getByRole('gridcell').getByText(/last: (no answer|busy|voicemail|failed)$/);
  await last.first().waitFor();
  expect(await last.count()).toBe(missed);
  const heads = await page.getByRole('columnheader').allInnerTexts();
  expect(heads.filter((text) => /^name$/i.test(text))).toEqual(['Name']);
  expect(await page.getByRole('rowheader').count()).toBe(missed);

  await many.getByRole('button', { name: 'Withdraw' }).click();
  await question.getByRole('button', { name: 'Leave it' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await page.getByRole('rowheader').count()).toBe(missed);
  await photograph(page, 'many-people');
}, 60_000);

it('the people found become the list of a new campaign by one button, which its plan shows and calls nobody before', async () => {
  const { cwd } = await listed('run');
  const users = { ann: 'operator', vera: 'viewer' } as const;
  const console = await aConsole({ folder: cwd, users });
  const page = await aPage(console, { as: 'ann' });
  await page.goto('/campaigns/trees/people');
  await page.getByLabel('Search').fill('e');
  await page.getByText('3 people of 6').waitFor();
  const many = page.getByRole('group', { name: 'With all who match' });

  await many.getByRole('button', { name: 'New campaign of these people' }).click();

  await page.getByRole('heading', { name: 'trees-again' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/campaigns/trees-again/plan');
  await page.getByText('3 people are on the list of the new campaign "trees-again"').waitFor();
  await page.getByRole('button', { name: /^Start|^Call/ }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await photograph(page, 'new-campaign-of-people');
  const draft = await console.json<{ state: string; total: number }>(
    'GET',
    '/api/v1/campaigns/trees-again',
  );
  expect(draft).toMatchObject({ state: 'draft', total: 0, service: 'simulated' });

  const veras = await aPage(console, { as: 'vera' });
  await veras.goto('/campaigns/trees/people');
  await veras.getByText('6 people', { exact: true }).waitFor();
  expect(await veras.getByRole('button', { name: /New campaign/ }).count()).toBe(0);
}, 60_000);

it('some are chosen by mouse and keyboard, and what is done then is done with them alone', async () => {
  const { page, console } = await aCampaign();
  await page.goto('/campaigns/trees/people');
  await page.getByText('0 of 6 chosen').waitFor();
  await page.getByLabel('Choose Ben Birch').check();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('grid', { name: 'People' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.getByText('2 of 6 chosen').waitFor();
  expect(await page.getByLabel('Choose Cleo Cedar').isChecked()).toBe(true);
  expect(await barriers(page)).toEqual([]);
  await photograph(page, 'people-chosen');
  const those = page.getByRole('group', { name: 'With those chosen' });
  const file = page.waitForEvent('download');
  await those.getByRole('link', { name: 'Export' }).click();
  const text = await readFile(await (await file).path(), 'utf8');
  expect(text.trim().split('\r\n').slice(1)).toEqual([
    expect.stringContaining('Ben Birch'),
    expect.stringContaining('Cleo Cedar'),
  ]);

  await those.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('dialog', { name: 'Please confirm' }).getByRole('textbox').fill('yes 2');
  await page.keyboard.press('Enter');
  await page.getByText('Done with 2 people.').waitFor();

  const { items } = await console.json<People>('GET', '/api/v1/campaigns/trees/people');
  expect(items.map(({ result }) => result ?? 'waits')).toEqual([
    ...['waits', 'cancelled', 'cancelled'],
    ...['waits', 'waits', 'waits'],
  ]);
  await page.getByLabel('All', { exact: true }).check();
  await page.getByText('6 of 6 chosen').waitFor();
  await page.getByLabel('All', { exact: true }).uncheck();
  await page.getByRole('group', { name: 'With all who match' }).waitFor();

  // A row that goes takes nobody else's place: nothing is done with all instead.
  await page.goto('/campaigns/trees/people?state=waiting');
  await page.getByText('0 of 4 chosen').waitFor();
  const [first] = items.filter(({ result }) => result === null);
  await page.getByLabel(`Choose ${first?.name ?? ''}`).check();
  await console.json('POST', `/api/v1/campaigns/trees/people/${first?.id ?? ''}/cancel`, {});
  await page.getByText('0 of 3 chosen, 1 no longer here').waitFor();
  await those.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('0 people of "trees"').first().waitFor();
}, 60_000);
