import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import type { Campaign, CampaignDetail } from '../../src/views/campaigns.ts';
import type { Simulator } from '../../src/simulator/server.ts';
import type { TestConsole } from '../helpers/console.ts';
import { AGENT } from '../helpers/services/simulated-service.ts';
import { aCampaign, rings } from './helpers/a-campaign.ts';
import { aPage, moveTo } from './helpers/a-page.ts';
import { barriers } from './helpers/barriers.ts';
import { photograph, photographFailure } from './helpers/screenshots.ts';

/** Does something on the page, and waits until the console has answered it. */
async function answered(page: Page, path: string, act: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse((one) => one.url().endsWith(path) && one.status() < 300);
  await act();
  await answer;
}

const press = (page: Page, name: string) => () => page.getByRole('button', { name }).click();

describe('whoever runs a campaign on its page', { timeout: 60_000 }, () => {
  it('changes its concurrency, pauses and resumes it, and the service sees that', async () => {
    const { service, open } = await aCampaign();
    const page = await aPage(await open(), { as: 'ann' });
    await page.goto('/campaigns/spring');
    await press(page, 'Start')();
    await page.getByText('running', { exact: true }).waitFor();
    await expect.poll(() => service.peak()).toBe(2);

    await page.getByLabel('Calls at once', { exact: true }).fill('6');
    await press(page, 'Change limits')();
    await expect.poll(() => service.peak()).toBe(6);
    await page.getByText('at most 6 at once').waitFor();
    await page.getByText(/^\d+ of 900 done \([\d.]+%\), about (a minute|\d.*) left;/).waitFor();

    await press(page, 'Stop after these calls')();
    await page.getByText('No call is in progress.').waitFor();
    const before = rings(service).length;
    await page.getByText(/^Paused: \d+ people wait\.$/).waitFor();
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'campaign paused');
    expect(rings(service)).toHaveLength(before);

    await press(page, 'Go on calling now')();
    await expect.poll(() => rings(service).length).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'Stop after these calls' }).waitFor();
    expect(service.peak()).toBe(6);

    // What runs is found again by somebody who comes back.
    await page.reload();
    await page.getByRole('heading', { name: 'Calling' }).waitFor();
    await photograph(page, 'campaign running');
    await answered(page, '/pause', press(page, 'Stop after these calls'));

    // The first glance: what came of the calls here, and with which agent and when in the list.
    await page.getByText(/; \d+ calls made, 0 of them not answered$/).waitFor();
    await moveTo(page, '/');
    await page.getByText(`, agent ${AGENT}, ${service.url}`).waitFor();
    expect(await page.locator('.campaign-figures').innerText()).toMatch(/Last call\n\d\d:\d\d\n/);
  });
});

describe('a campaign on its page', { timeout: 60_000 }, () => {
  let service: Simulator;
  let console: TestConsole;
  let page: Page;
  beforeAll(async () => {
    const campaign = await aCampaign({ people: 3, atEnd: afterAll });
    ({ service } = campaign);
    console = await campaign.open();
    page = await aPage(console, { as: 'ann', atEnd: afterAll });
    await page.goto('/');
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await photographFailure(page, task.name);
  });

  it('is asked when somebody else was faster, and overwrites nothing unasked', async () => {
    await moveTo(page, '/campaigns/spring');
    await page.getByLabel('Calls at once', { exact: true }).fill('3');
    const settings = '/api/v1/campaigns/spring/settings';
    await console.json<Campaign>('PATCH', settings, { set: { concurrency: '9' } });
    await page.getByText('Somebody has changed the campaign meanwhile').waitFor();
    await press(page, 'Change limits')();

    const asked = page.getByRole('dialog');
    await asked.getByText('concurrency from 2 to 9').waitFor();
    await asked.getByText('Calls at once: 9; Calls begun, at most: none now.').waitFor();
    const stored = async () =>
      (await console.json<CampaignDetail>('GET', '/api/v1/campaigns/spring')).concurrency;
    expect(await stored()).toBe(9);
    expect(await barriers(page, { within: 'dialog[open]' })).toEqual([]);
    await asked.getByRole('button', { name: 'Leave it' }).click();
    expect(await page.getByLabel('Calls at once', { exact: true }).inputValue()).toBe('3');

    await press(page, 'Change limits')();
    await answered(page, '/settings', press(page, 'Do it all the same'));
    expect(await stored()).toBe(3);
    await moveTo(page, '/campaigns/spring/history');
    await page
      .getByRole('cell', { name: 'ann changed the settings: calls at once from 9 to 3.' })
      .waitFor();
  });

  it('reads what is refused at the field that it is about, and changes any setting in its place', async () => {
    await moveTo(page, '/campaigns/spring');
    await page.getByLabel('Calls begun, at most', { exact: true }).fill('quickly');
    await press(page, 'Change limits')();
    await page.getByRole('alert').waitFor();
    expect(
      await page.getByLabel('Calls begun, at most', { exact: true }).getAttribute('aria-invalid'),
    ).toBe('true');
    await page.waitForFunction('document.activeElement.value === "quickly"');

    await moveTo(page, '/campaigns/spring/settings?change=hours');
    await page.getByLabel('When they begin').fill('18:00');
    await page.getByLabel('When they end').fill('21:00');
    await page.getByLabel('The days on which they begin').fill('mon-fri');
    await press(page, 'Save')();
    await page.getByText('18:00-21:00 mon-fri', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.getByText('Saved.').first().waitFor();
    expect(await page.getByText(' -> ').count()).toBe(0);
    await press(page, 'Change Your own hours')();
    const ends = page.getByLabel('When they end');
    expect(await ends.inputValue()).toBe('21:00');
    await ends.fill('20:30');
    await press(page, 'Save')();
    await page.getByText('18:00-20:30 mon-fri', { exact: true }).waitFor();
    await press(page, 'Change Your own hours')();
    await page.getByLabel('The days on which they begin').fill('');
    await press(page, 'Save')();
    await page.getByText('18:00-20:30 mon-sun', { exact: true }).waitFor();
    // Nothing that protects people is taken away by an empty field.
    await press(page, 'Change Calling rules')();
    const which = page.getByLabel('Calling rules: which');
    expect(await which.locator('option:checked').innerText()).toBe('no hours and no caps');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await which.selectOption('by the law of each place');
    expect(await save.getAttribute('aria-disabled')).toBe('false');
    await which.selectOption('other');
    await page.getByRole('textbox', { name: 'Calling rules' }).fill('');
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    await press(page, 'Leave it')();
    await photograph(page, 'campaign settings');
  });

  it('is called nightly by its own words, each mistake at its field, and cron stays with experts', async () => {
    await moveTo(page, '/campaigns/spring/settings');
    await page.getByText('As soon as it is started, within the hours that the rules').waitFor();
    await press(page, 'Change Calls are made')();
    const how = page.getByRole('combobox', { name: 'Call', exact: true });
    await how.selectOption('once, not before a day and time');
    await press(page, 'Save')();
    await page.getByText('"no day" is not').waitFor();
    await page.getByLabel('Not before', { exact: true }).fill('2126-01-07 09:00');
    await press(page, 'Save')();
    const once = 'Once, not before 2126-01-07 09:00 (America/New_York)';
    await page.getByText(once).waitFor();
    await press(page, 'Change Calls are made')();
    await how.selectOption('every week, on chosen days');
    await page.getByLabel('Fri', { exact: true }).uncheck();
    const [time, until, from] = ['From', 'Until', 'Beginning on'].map((name) =>
      page.getByLabel(name, { exact: true }),
    ) as [Locator, Locator, Locator];
    await time.fill('6pm');
    await until.fill('25:00');
    await until.press('Enter');
    await page.getByText('"25:00" is not a time of day').waitFor();
    await page.getByText('"6pm mon,tue,wed,thu" is not a schedule').waitFor();
    for (const field of [time, until])
      expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await from.getAttribute('aria-invalid')).toBeNull();
    await time.and(page.locator(':focus')).waitFor();
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'campaign settings, two mistakes');

    await time.fill('18:00');
    await until.fill('21:00');
    await from.fill('2126-01-07');
    await press(page, 'Save')();
    const hours = 'only within 18:00-20:30 mon-sun';
    const nightly = `Every Mon-Thu from 18:00 until 21:00 (America/New_York), from 2126-01-07 on, ${hours}`;
    await page.getByText(nightly, { exact: true }).waitFor();
    const stored = async () =>
      (await console.json<CampaignDetail>('GET', '/api/v1/campaigns/spring')).settings;
    // It begins in a hundred years.
    await page.getByText('None of them may be called on these days.').waitFor();
    expect(await stored()).toMatchObject({
      ...{ schedule: '0 18 * * 1-4', stop: 'until 21:00', notBefore: '2126-01-07 00:00' },
    });

    await page.getByLabel('Find a setting').fill('cron');
    await page.getByText('0 18 * * 1-4', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Change/ }).count()).toBe(1);
    expect(await barriers(page)).toEqual([]);
    // Found by the words of its key, too, and named by its own.
    await page.getByLabel('Find a setting').fill('zones.unknown');
    await page.getByRole('heading', { name: 'People whose time zone is not known' }).waitFor();
    await expect.poll(() => page.getByText('zones.unknown').count()).toBe(0);
    await page.getByLabel('Find a setting').fill('cron');
    await press(page, 'Change Schedule in cron notation')();
    await page.getByRole('textbox', { name: 'Schedule in cron notation' }).fill('0 18 1 * *');
    await press(page, 'Save')();
    await page.getByText('0 18 1 * *', { exact: true }).waitFor();
    // A link to a setting leads to it, however far below it is.
    await page.goto('/campaigns/spring/settings?change=agent');
    const editor = page.getByRole('textbox', { name: 'Agent', exact: true });
    await editor.and(page.locator(':focus')).waitFor();
    const seen = (await editor.boundingBox())?.y ?? Infinity;
    expect(seen).toBeLessThan(page.viewportSize()?.height ?? 0);
    await moveTo(page, '/campaigns/spring/settings?change=notBefore');
    await page.getByText('By the schedule 0 18 1 * * until 21:00').waitFor();
    await how.selectOption('soon');
    await press(page, 'Save')();
    await page.getByText('As soon as it is started').waitFor();
    await page.getByText('18:00–20:28, up to 3', { exact: true }).last().waitFor();
    expect(await stored()).toMatchObject({ schedule: 'none', notBefore: 'none' });
    const set = { stop: 'none' };
    await console.json('PATCH', '/api/v1/campaigns/spring/settings', { set });
  });

  it('has budgets as rows of at most so many, each added, changed and removed', async () => {
    await page.goto('/campaigns/spring/settings?change=stop');
    const budget = (at: number) => page.getByRole('group', { name: `Budget ${at}` });
    expect(await budget(1).count()).toBe(0);
    const focused = (one: Locator) => one.and(page.locator(':focus')).waitFor();
    await press(page, 'Add a budget')();
    await focused(budget(1).getByLabel('At most'));
    await budget(1).getByLabel('At most').fill('100');
    await press(page, 'Add another budget')();
    await budget(2).getByLabel('Of').selectOption('cost in all');
    await budget(2).getByLabel('At most').fill('40');
    await press(page, 'Save')();
    await budget(2).getByText('has no currency').waitFor();
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'campaign settings, budgets');
    await budget(2).getByLabel('At most').fill('40 USD');
    await press(page, 'Save')();
    await page.getByText('100 calls a night; in all 40 USD', { exact: true }).waitFor();
    await focused(page.getByRole('button', { name: 'Change Budgets' }));
    await console.json('PATCH', '/api/v1/campaigns/spring/settings', {
      set: { 'stop.at': '21:00' },
    });
    await page.getByText('until 21:00').waitFor();
    await page.getByText('100 calls a night; in all 40 USD', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    const remove = page.getByRole('button', { name: 'Remove', exact: true });
    await remove.first().press('Enter');
    await focused(remove);
    await remove.press('Enter');
    await focused(page.getByRole('button', { name: 'Add a budget' }));
    await press(page, 'Save')();
    await page.getByText('Saved.').first().waitFor();
    const stored = await console.json<CampaignDetail>('GET', '/api/v1/campaigns/spring');
    expect(stored.settings['stop']).toBe('until 21:00');
    const set = { stop: 'none' };
    await console.json('PATCH', '/api/v1/campaigns/spring/settings', { set });
  });

  it('rehearses it, renames it, cancels it and takes that back', async () => {
    await moveTo(page, '/campaigns/spring');
    const more = (name: string) => async () => {
      await page.getByText('More', { exact: true }).click();
      await press(page, name)();
    };
    await more('Rehearse')();
    await page.getByRole('region', { name: 'Nights of the rehearsal' }).waitFor();
    await photograph(page, 'campaign rehearsed');
    await more('Rename')();
    await page.getByLabel('New name').fill('autumn');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'autumn', level: 1 }).waitFor();
    await more('Cancel the campaign')();
    await page.getByText('3 people who wait').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the campaign' }).click();
    await press(page, 'Take back the cancelling')();
    await page.getByRole('button', { name: 'Go on calling' }).waitFor();
    expect(service.ledger()).toEqual([]);
  });
});
