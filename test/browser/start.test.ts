import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/domain/time-units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { Job } from '../../src/views/jobs.ts';
import { desk } from '../helpers/callsheet.ts';
import type { TestConsole } from '../helpers/console.ts';
import { leadTo, LIVE, livePhone } from '../helpers/services/live-service.ts';
import { AGENT, KEY, simulatedService } from '../helpers/services/simulated-service.ts';
import { aCampaign, rings } from './helpers/a-campaign.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage, moveTo } from './helpers/a-page.ts';
import { barriers } from './helpers/barriers.ts';
import { photograph } from './helpers/screenshots.ts';

/** Three in the afternoon, a day later: lists were taken before that. */
const offsetMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 15 * HOUR_MS - Date.now();
const clock = { ...systemClock, now: () => systemClock.now() + offsetMs };
const NIGHTLY = ['timezone=UTC', 'schedule=0 18 * * *', 'stop.at=21:00'];

const PHONES = [0, 1, 2].map(livePhone);
const LIST = `phone\n${PHONES.join('\n')}\n`;

/** A draft to call three people by a live service, which is the embedded one behind another address. */
async function aLiveDraft() {
  const service = await simulatedService();
  const here = desk();
  here.write('services.yaml', `lines: { url: "${LIVE}", keyEnv: LINES_KEY }\n`);
  const console = await aConsole({
    folder: here.cwd,
    io: { env: { LINES_KEY: KEY }, connect: leadTo({ [LIVE]: service.url }) },
    services: here.path('services.yaml'),
    users: { ann: 'operator', ben: 'operator' },
  });
  await draftOf(console, 'spring', LIST);
  const rang = () => rings(service);
  const nothingIsMade = async () => {
    expect(rang()).toEqual([]);
    expect(await console.json('GET', '/api/v1/campaigns')).toMatchObject({
      items: [{ name: 'spring', state: 'draft', total: 0 }],
    });
  };
  return { console, rang, nothingIsMade };
}

/** A draft of a list that was sent, ready to be started at any hour. */
async function draftOf(console: TestConsole, name: string, list: string): Promise<void> {
  await console.json('POST', '/api/v1/campaigns', { uploads: [await sent(console, name, list)] });
  const set = { service: 'lines', agent: AGENT, rules: 'always', 'polling.floor': '20ms' };
  await console.json('PATCH', `/api/v1/campaigns/${name}/settings`, { set });
}

/** @returns the id of the upload */
async function sent(console: TestConsole, name: string, list: string): Promise<string> {
  const answer = await fetch(`${console.url}/api/v1/uploads?name=${name}.csv`, {
    ...{ method: 'POST', body: list },
    headers: { authorization: `Bearer ${console.tokens.operator ?? ''}` },
  });
  return ((await answer.json()) as { id: string }).id;
}

describe('a start that calls real people', { timeout: 60_000 }, () => {
  it('asks for a word over the plan, also after a reload, and calls nobody before it', async () => {
    const { console, rang, nothingIsMade } = await aLiveDraft();
    const page = await aPage(console, { as: 'ann' });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.goto('/campaigns/spring/plan');
    await page.getByText('Real people are called; you are asked to type a word first.').waitFor();
    await press('Start now');
    const dialog = page.getByRole('dialog', { name: 'Please confirm' });
    await dialog.getByText(`LIVE ${LIVE} agent`).waitFor();
    await dialog.getByText('3 to call now').waitFor();
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'start, asks for the word');
    const confirm = dialog.getByRole('button', { name: 'Confirm' });
    const word = dialog.getByLabel('This calls 3 real people. Type yes to start:');
    for (const wrong of ['', 'y', 'no']) {
      await word.fill(wrong);
      expect(await confirm.isDisabled()).toBe(true);
      await word.press('Enter');
    }
    await word.fill('yes');
    expect(await confirm.isEnabled()).toBe(true);
    await press('No, call nobody');
    await page.getByText('Not confirmed: nobody was called').waitFor();
    await nothingIsMade();
    const { items } = await console.json<{ items: Job[] }>('GET', '/api/v1/jobs');
    expect(items.find(({ kind }) => kind === 'call')).toMatchObject({ state: 'failed' });
    // What was planned can be started again, and is found after a reload.
    await press('Start now');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await nothingIsMade();
    await press('Start now');
    await dialog.waitFor();
    await page.goto('/campaigns/spring/settings');
    await dialog.getByText('3 to call now').waitFor();
    // Whoever else looks reads who is asked, and cannot answer.
    const other = await aPage(console, { as: 'ben' });
    await other.goto('/campaigns/spring/plan');
    await other.getByText('ann is asked to confirm; nobody is called before that.').waitFor();
    expect(await other.getByRole('dialog').count()).toBe(0);
    expect(await other.getByRole('button', { name: 'Start now', exact: true }).isDisabled()).toBe(
      true,
    );
    await nothingIsMade();

    await dialog.getByRole('textbox').fill('Yes');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    for (const one of [page, other])
      await one.getByRole('heading', { level: 1, name: 'spring' }).waitFor();
    await expect.poll(() => rang().toSorted()).toEqual(PHONES);
    await page.getByText('Every lead is final.').first().waitFor();
  });

  it('is offered again after somebody else was faster only with the order that was given, its limit, too', async () => {
    const { console, rang } = await aLiveDraft();
    const page = await aPage(console, { as: 'ann' });
    await page.goto('/campaigns/spring/plan');
    await page.getByLabel('Limit of this start').fill('1');
    await page.getByRole('button', { name: 'Start now', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Please confirm' });
    await dialog.getByText('1 of').first().waitFor();
    await page.reload();
    await dialog.waitFor();
    const set = { concurrency: '2' };
    await console.json('PATCH', '/api/v1/campaigns/spring/settings', { set });
    await dialog.getByRole('textbox').fill('yes');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('concurrency from 5 to 2').first().waitFor();
    // This window does not know the order any more: all three would be called.
    expect(await page.getByRole('button', { name: 'Do it all the same' }).count()).toBe(0);
    expect(rang()).toEqual([]);
  });

  it('asks anew whether a list is called again that took the place of the one that was asked about', async () => {
    const { console } = await aLiveDraft();
    const { id } = await console.json<Job>('POST', '/api/v1/campaigns/spring/start', { yes: true });
    await console.jobEnd(id);
    await draftOf(console, 'twice', LIST);
    const page = await aPage(console, { as: 'ann' });
    await page.goto('/campaigns/twice/plan');
    await page.getByRole('button', { name: 'Start now', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Please confirm' });
    await dialog.getByText('Its people are called again').waitFor();
    await dialog.getByRole('button', { name: 'No, call nobody' }).click();
    const again = page.getByRole('button', { name: 'Call this list again' });
    await again.waitFor();
    const other = await sent(console, 'other', `phone\n${livePhone(3)}\n`);
    await console.json('POST', '/api/v1/campaigns/twice/lists', { uploads: [other] });
    await page.getByRole('button', { name: 'Start now', exact: true }).waitFor();
    expect(await again.count()).toBe(0);
  });
});

it('a campaign is called a few people at a time, from its page', async () => {
  const { service, open } = await aCampaign({ people: 5, concurrency: '5' });
  const page = await aPage(await open(), { as: 'ann' });
  const limit = page.getByLabel('Limit of this start');
  const start = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.goto('/campaigns/spring');
  await limit.fill('0');
  await start('Start now');
  await page.getByRole('alert').getByText('a whole number from 1 to 1000000000').waitFor();
  await limit.and(page.locator(':focus')).waitFor();
  expect(await limit.getAttribute('aria-invalid')).toBe('true');
  expect(await barriers(page)).toEqual([]);
  await photograph(page, 'campaign, limit refused');
  expect(service.ledger()).toEqual([]);

  await limit.fill('3');
  await start('Start now');
  await page.getByText('Stopped at Limit of this start: 2 leads wait').waitFor();
  await page.getByText('Standing still: 2 people wait, and nobody calls.').waitFor();
  expect(rings(service)).toHaveLength(3);
  // Whoever looks elsewhere meanwhile still reads why it stopped.
  await page.getByRole('link', { name: 'Schedule' }).click();
  await page.getByRole('heading', { level: 1, name: 'Schedule' }).waitFor();
  await page.goBack();
  await page.getByText('Stopped at Limit of this start: 2 leads wait').waitFor();

  await limit.fill('');
  await start('Go on calling now');
  await page.getByText('Every lead is final.').first().waitFor();
  expect(rings(service)).toHaveLength(5);
});

it('a start says when it calls, before and after it is pressed, and is called at once instead', async () => {
  // Tomorrow at 15:00: lists were taken before that.
  const { service, open } = await aCampaign({ people: 3, clock, settings: NIGHTLY });
  const page = await aPage(await open(), { as: 'ann' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const willCall = 'Calling starts tonight at 18:00, until 21:00, then tomorrow at 18:00.';
  await page.goto('/campaigns/spring');
  await page.getByText(willCall).waitFor();
  await page.getByText(/^\d+ from 18:00$/).waitFor();
  await page.getByText('Every Mon-Sun from 18:00 until 21:00 (UTC)').first().waitFor();
  await page.getByText('no hours and no caps').waitFor();
  await photograph(page, 'campaign, starts tonight');
  await button('Start tonight at 18:00').press('Enter');
  await button('Pause').waitFor();
  await button('Pause').and(page.locator(':focus')).waitFor();
  const does = 'Pause: no call begins until somebody presses “Go on calling”.';
  await page.getByText(does).waitFor();
  await moveTo(page, '/campaigns/spring/people');
  await button('Pause').waitFor();
  expect(await page.getByText(does).count()).toBe(0);
  const head = await page.locator('.page-head .title .row:last-child > *').all();
  const boxes = await Promise.all(head.map((one) => one.boundingBox()));
  const middles = boxes.map((box) => (box === null ? NaN : box.y + box.height / 2));
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(2);
  await photograph(page, 'people, starts tonight');
  await moveTo(page, '/campaigns/spring');
  // What ends the calls, what begins them earlier, and nothing else.
  const status = page.getByRole('region', { name: 'Status' });
  expect(await status.getByRole('button').allInnerTexts()).toEqual(['Pause', 'Call now instead']);
  const job = page.getByRole('region', { name: /^Calls, started by/ });
  expect(await job.getByRole('button').count()).toBe(0);
  await page.getByText(willCall).waitFor();
  await page.getByText(/^What it has told, \d+ lines$/).waitFor();
  expect(await page.getByLabel('Limit of this start').count()).toBe(0);
  expect(await barriers(page)).toEqual([]);
  expect(service.ledger()).toEqual([]);

  await button('Call now instead').click();
  const dialog = page.getByRole('dialog', { name: 'Call spring now?' });
  await dialog.getByText(willCall).waitFor();
  // It belongs to what is called now, not to Pause.
  const limit = page.getByLabel('Limit of this start');
  await limit.fill('0');
  await dialog.getByRole('button', { name: 'Call now' }).click();
  await dialog.getByText('a whole number from 1 to 1000000000').waitFor();
  await limit.fill('');
  await dialog.getByRole('button', { name: 'Call now' }).click();
  await expect.poll(() => rings(service).length).toBe(3);
  await page.getByText('Every lead is final.').first().waitFor();
  expect(await button('Call now instead').count()).toBe(0);
});

it('before five in the morning a night is over that ends in the evening: nothing offers to call in it', async () => {
  const late = { ...clock, now: () => clock.now() + 13 * HOUR_MS };
  const { open } = await aCampaign({ people: 3, clock: late, settings: NIGHTLY });
  const page = await aPage(await open(), { as: 'ann' });
  await page.goto('/campaigns/spring');
  await page.getByRole('button', { name: /^Start .* at 18:00$/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Call now instead' }).count()).toBe(0);
});

it('after the end of its job a page says that nobody calls, in a sentence, and offers to go on', async () => {
  const { service, open } = await aCampaign({ people: 40, clock, settings: NIGHTLY });
  const page = await aPage(await open(), { as: 'ann' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto('/campaigns/spring');
  await button('Start tonight at 18:00').click();
  await button('Pause').waitFor();
  await button('Call now instead').click();
  await button('Call now').click();
  await expect.poll(() => rings(service).length).toBeGreaterThan(2);
  await button('Stop, and do not go on by itself').click();
  const toast = page.locator('.toasts');
  await toast.getByText(/^Stopped\. \d+ people wait\.$/).waitFor();
  expect(await toast.locator('.notice').count()).toBe(1);
  await page.getByText(/^Standing still: \d+ people wait, and nobody calls\.$/).waitFor();
  await page.getByText('Once started again, calling goes on tonight at 18:00').waitFor();
  await button('Go on calling tonight at 18:00').waitFor();
  await button('Call now instead').waitFor();
  await page.getByRole('button', { name: 'Pause' }).waitFor({ state: 'detached' });
  const before = rings(service).length;

  await button('Go on calling tonight at 18:00').click();
  const willCall = 'Calling goes on tonight at 18:00, until 21:00, then tomorrow at 18:00.';
  await page.getByText(willCall, { exact: true }).waitFor();
  // The time is said once, and no card says that it calls.
  expect(
    (await page.getByRole('region', { name: 'Status' }).innerText()).split('18:00').length - 1,
  ).toBe(2);
  await page.getByText(/^waiting, started by ann/).waitFor();
  expect(rings(service)).toHaveLength(before);
}, 60_000);

it('a message of many lines scrolls, and its Close button is seen', async () => {
  const { open } = await aCampaign({ people: 1, clock, settings: NIGHTLY });
  const page = await aPage(await open(), { as: 'ann' });
  await page.goto('/campaigns/spring');
  const messages = Array.from({ length: 80 }, (_, i) => ({ text: `Line ${i}.`, kind: 'told' }));
  const campaign = { name: 'spring', version: 1 };
  await page.route('**/api/v1/campaigns/spring/settings', (route) =>
    route.fulfill({ json: { messages, campaign } }),
  );
  await page.getByLabel('Calls at once', { exact: true }).fill('3');
  await page.getByRole('button', { name: 'Change limits' }).click();
  const toast = page.locator('.toasts .notice');
  await toast.getByText('Line 79.').waitFor();
  const seen = (await toast.boundingBox())?.height;
  expect(seen).toBeLessThanOrEqual(0.4 * (page.viewportSize()?.height ?? 0));
  await toast.getByText('Line 79.').scrollIntoViewIfNeeded();
  await toast.getByRole('button', { name: 'Close' }).click();
  await toast.waitFor({ state: 'detached' });
}, 60_000);
