import type { Page } from 'playwright-core';

/** Every page by its address; `NAME` stands for a campaign. */
export const PAGES = [
  '/',
  '/?archived=true',
  '/new',
  '/campaigns/NAME',
  '/campaigns/NAME/people',
  '/campaigns/NAME/people?person=1-2',
  '/campaigns/NAME/doubts',
  '/campaigns/NAME/results',
  '/campaigns/NAME/settings',
  '/campaigns/NAME/history',
  '/suppression',
  '/agents',
  '/services',
  '/inbox',
  '/schedule',
  '/access',
  '/log',
  '/account',
  '/there-is-no-such-page',
];

/** Waits until nothing is being read any more: no page says "Loading". */
export async function isShown(page: Page): Promise<void> {
  await page.locator('#content > *').first().waitFor();
  await page
    .getByText(/^Loading /)
    .first()
    .waitFor({ state: 'hidden' });
}
