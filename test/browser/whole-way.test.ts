import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { desk } from '../helpers/callsheet.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage } from './helpers/a-page.ts';
import { download, drop } from './helpers/page-files.ts';

const SAMPLE = new URL('../../data/samples/leads.csv', import.meta.url).pathname;
const LONG_ENOUGH = 60_000;

it('leads from a dropped list to its results, which are those of `callsheet export`', async () => {
  const here = desk();
  const console = await aConsole({ folder: here.cwd });
  const page = await aPage(console);
  await page.goto('/');
  await page.getByRole('link', { name: 'Begin with a list' }).click();
  await drop(page.locator('.drop'), SAMPLE);
  await page.getByRole('button', { name: 'On to the columns' }).click();
  await page.getByRole('row', { name: /phone .* number to call/ }).waitFor();
  await page.getByRole('button', { name: 'On to the rows' }).click();
  // Without a country, numbers without + are refused.
  await page.getByText('22 of 60 rows').waitFor();
  await page.getByRole('button', { name: 'On to the settings' }).click();
  await page.waitForURL(/\/settings$/);
  await page.getByLabel('Country').fill('US');
  await page.getByLabel('Service').selectOption('simulated');
  await page.getByLabel('Calls at once').fill('50');
  await page.getByRole('button', { name: 'On to the plan' }).click();
  await page.getByText('60 rows, 53 good').waitFor();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { level: 1, name: 'leads' }).waitFor();
  await page.getByText('Every lead is final.').first().waitFor({ timeout: LONG_ENOUGH });

  await page.getByRole('link', { name: 'Results' }).click();
  const file = await download(page, () =>
    page
      .getByRole('link', { name: /^Download/ })
      .first()
      .click(),
  );
  await here.run(['export', 'leads', '-o', 'exported.csv']);
  expect(readFileSync(file)).toEqual(readFileSync(join(here.cwd, 'exported.csv')));
  expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeGreaterThan(53);
}, 120_000);
