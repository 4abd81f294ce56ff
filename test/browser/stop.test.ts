import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/domain/time-units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { aCampaign, rings } from './helpers/a-campaign.ts';
import { aPage } from './helpers/a-page.ts';

/** Three in the afternoon, a day later: lists were taken before that. */
const offsetMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 15 * HOUR_MS - Date.now();
const clock = { ...systemClock, now: () => systemClock.now() + offsetMs };
const NIGHTLY = ['timezone=UTC', 'schedule=0 18 * * *', 'stop.at=21:00'];

it('after Stop a page says that nobody calls, in a sentence, and offers to go on', async () => {
  const { service, open } = await aCampaign({ people: 40, clock, settings: NIGHTLY });
  const page = await aPage(await open(), { as: 'ann' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto('/campaigns/spring');
  await button('Start tonight at 18:00').click();
  await button('Pause').waitFor();
  await button('Call now instead').click();
  await button('Call now').click();
  await expect.poll(() => rings(service).length).toBeGreaterThan(2);
  await button('Stop').click();
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
  await page.getByText(/^waiting, begun by ann/).waitFor();
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
  await page.getByLabel('Concurrency').fill('3');
  await page.getByRole('button', { name: 'Change limits' }).click();
  const toast = page.locator('.toasts .notice');
  await toast.getByText('Line 79.').waitFor();
  const seen = (await toast.boundingBox())?.height;
  expect(seen).toBeLessThanOrEqual(0.4 * (page.viewportSize()?.height ?? 0));
  await toast.getByText('Line 79.').scrollIntoViewIfNeeded();
  await toast.getByRole('button', { name: 'Close' }).click();
  await toast.waitFor({ state: 'detached' });
}, 60_000);
