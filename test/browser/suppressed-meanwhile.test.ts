import { expect, it } from 'vitest';
import { phoneOf, rings } from './helpers/a-campaign.ts';
import { moveTo } from './helpers/a-page.ts';
import { aCampaignOnPages } from './helpers/on-pages.ts';

it(
  'whoever is suppressed on the page while a campaign runs is not called any more',
  { timeout: 60_000 },
  async () => {
    const { service, page } = await aCampaignOnPages({ people: 8 });
    // The last two wait for as long as the test wants them to.
    await page.getByLabel('Pace').fill('2/min');
    await page.getByRole('button', { name: 'Change limits' }).click();
    await page.getByText('pace none -> 2/min').waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('running', { exact: true }).waitFor();
    await expect.poll(() => rings(service).length).toBeGreaterThan(0);

    await page.getByRole('link', { name: 'Suppression' }).click();
    await page.getByRole('link', { name: 'Add a number' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a number' });
    await adding.getByLabel('Number', { exact: true }).fill(phoneOf(6));
    await adding.getByRole('button', { name: 'Suppress it' }).click();
    await adding.waitFor({ state: 'detached' });

    await moveTo(page, '/campaigns/spring/people?person=1-9');
    const drawer = page.getByRole('dialog', { name: 'Person 7' });
    await drawer.getByText('waiting', { exact: true }).waitFor();
    await drawer.getByRole('button', { name: 'Suppress' }).click();
    const asked = page.getByRole('dialog', { name: 'Suppress Person 7?' });
    await asked.getByRole('button', { name: 'Suppress' }).click();
    await drawer.getByText('suppressed', { exact: true }).waitFor();
    expect(rings(service).length).toBeLessThan(6);

    await moveTo(page, '/campaigns/spring');
    await page.getByText('running', { exact: true }).waitFor();
    await page.getByLabel('Pace').fill('none');
    await page.getByRole('button', { name: 'Change limits' }).click();
    await page.getByText('Every lead is final.').first().waitFor();
    expect(
      rings(service)
        .map(({ phone }) => phone)
        .toSorted(),
    ).toEqual([0, 1, 2, 3, 4, 5].map(phoneOf));
    for (const [line, name] of [
      [8, 'Person 6'],
      [9, 'Person 7'],
    ] as const) {
      await moveTo(page, `/campaigns/spring/people?person=1-${line}`);
      const told = page.getByRole('dialog', { name });
      await told.getByText('suppressed', { exact: true }).waitFor();
      await told.getByText('none in this campaign').waitFor();
    }
  },
);
