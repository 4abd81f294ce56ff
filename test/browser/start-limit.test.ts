import { expect, it } from 'vitest';
import { aCampaign, rings } from './helpers/a-campaign.ts';
import { aPage } from './helpers/a-page.ts';
import { barriers } from './helpers/barriers.ts';
import { photograph } from './helpers/screenshots.ts';

it('a campaign is called a few people at a time, from its page', async () => {
  const { service, open } = await aCampaign({ people: 7 });
  const page = await aPage(await open(), { as: 'ann' });
  const limit = page.getByLabel('Calls at most');
  const start = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.goto('/campaigns/spring');
  await limit.fill('0');
  await start('Start');
  await page.getByRole('alert').getByText('a whole number from 1 to 1000000000').waitFor();
  await limit.and(page.locator(':focus')).waitFor();
  expect(await barriers(page)).toEqual([]);
  await photograph(page, 'campaign, limit refused');
  await page.setViewportSize({ width: 360, height: 780 });
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await photograph(page, 'campaign, limit refused, narrow');
  await page.setViewportSize({ width: 1280, height: 720 });
  expect(service.ledger()).toEqual([]);

  await limit.fill('3');
  await start('Start');
  await page.getByText('Stopped at Calls at most: 4 leads wait').waitFor();
  await page.getByText('Press Go on calling to call those who wait.').waitFor();
  expect(rings(service)).toHaveLength(3);
  // Whoever looks elsewhere meanwhile still reads why it stopped.
  await page.getByRole('link', { name: 'Schedule' }).click();
  await page.getByRole('heading', { level: 1, name: 'Schedule' }).waitFor();
  await page.goBack();
  await page.getByText('Stopped at Calls at most: 4 leads wait').waitFor();
  expect(await barriers(page)).toEqual([]);
  await photograph(page, 'campaign, stopped at its limit');

  await limit.fill('');
  await start('Go on calling');
  await page.getByText('Every lead is final.').first().waitFor();
  expect(rings(service)).toHaveLength(7);
});
