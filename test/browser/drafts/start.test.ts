import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/views/jobs.ts';
import { desk } from '../../helpers/callsheet.ts';
import { leadTo, LIVE, livePhone } from '../../helpers/services/live-service.ts';
import { AGENT, KEY, simulatedService } from '../../helpers/services/simulated-service.ts';
import { aConsole } from '../helpers/a-console.ts';
import { aPage } from '../helpers/a-page.ts';
import { barriers } from '../helpers/barriers.ts';
import { photograph } from '../helpers/screenshots.ts';

const USERS = { ann: 'operator', ben: 'operator' } as const;
const PHONES = [0, 1, 2].map(livePhone);
/** The draft, which has nobody yet. */
const NOTHING = { items: [{ name: 'spring', state: 'draft', total: 0 }] };

/** A console with a live service, which is the embedded one behind another address. */
async function aLiveConsole() {
  const service = await simulatedService();
  const here = desk();
  here.write('services.yaml', `lines: { url: "${LIVE}", keyEnv: LINES_KEY }\n`);
  const console = await aConsole({
    folder: here.cwd,
    io: { env: { LINES_KEY: KEY }, connect: leadTo({ [LIVE]: service.url }) },
    services: here.path('services.yaml'),
    users: USERS,
  });
  const rang = () =>
    service
      .ledger()
      .filter(({ rings }) => rings.length > 0)
      .map((entry) => entry.phone_number)
      .toSorted();
  const jobs = async () => (await console.json<{ items: Job[] }>('GET', '/api/v1/jobs')).items;
  const nothingIsMade = async () => {
    expect(rang()).toEqual([]);
    expect(await console.json('GET', '/api/v1/campaigns')).toMatchObject(NOTHING);
  };
  return { console, rang, jobs, nothingIsMade };
}

/** From a list to the plan of calling it by the live service, at any hour. */
async function planOf(page: Page): Promise<void> {
  await page.goto('/new');
  await page.locator('input[type=file]').setInputFiles({
    name: 'spring.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `name,phone\n${PHONES.map((phone, n) => `Person ${n},${phone}\n`).join('')}`,
    ),
  });
  for (const step of ['columns', 'rows', 'settings']) {
    await press(page, `On to the ${step}`);
    await page.waitForURL(new RegExp(`/${step}$`));
  }
  await page.getByLabel('Service').selectOption('lines');
  await page.getByLabel('Agent', { exact: true }).selectOption(AGENT);
  await page.locator('.setting-value').getByText(AGENT).waitFor();
  await press(page, 'Change rules');
  await page.getByRole('textbox', { name: 'rules' }).fill('always');
  await press(page, 'Save rules');
  await page.getByRole('button', { name: 'Save rules' }).waitFor({ state: 'detached' });
  await press(page, 'On to the plan');
  await page.getByText('3 rows, 3 good').waitFor();
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('a start that calls real people', { timeout: 60_000 }, () => {
  it('asks for a word over the plan, also after a reload, and calls nobody before it', async () => {
    const { console, rang, jobs, nothingIsMade } = await aLiveConsole();
    const page = await aPage(console, { as: 'ann' });
    await planOf(page);
    await page.getByText('Real people are called; you are asked to type a word first.').waitFor();
    await press(page, 'Start');
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
    await press(page, 'No, call nobody');
    await page.getByText('Not confirmed: nobody was called').waitFor();
    await nothingIsMade();
    expect((await jobs()).find(({ kind }) => kind === 'call')).toMatchObject({ state: 'failed' });
    // What was planned can be started again, and is found after a reload.
    await press(page, 'Start');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await nothingIsMade();
    await press(page, 'Start');
    await dialog.waitFor();
    await page.reload();
    await dialog.getByText('3 to call now').waitFor();
    await page.goto(page.url().replace(/plan$/, 'settings'));
    await dialog.getByText('3 to call now').waitFor();
    // Whoever else looks reads who is asked, and cannot answer.
    const other = await aPage(console, { as: 'ben' });
    await other.goto(new URL(page.url()).pathname.replace(/settings$/, 'plan'));
    await other.getByText('ann is asked to confirm; nobody is called before that.').waitFor();
    expect(await other.getByRole('dialog').count()).toBe(0);
    expect(await other.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true);
    await nothingIsMade();

    await dialog.getByRole('textbox').fill('Yes');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    for (const one of [page, other])
      await one.getByRole('heading', { level: 1, name: 'spring' }).waitFor();
    await expect.poll(rang).toEqual(PHONES);
    await page.getByText('Every lead is final.').first().waitFor();
  });
});
