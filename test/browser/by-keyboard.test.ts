import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { desk } from '../helpers/callsheet.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage } from './helpers/a-page.ts';
import { press, tabTo } from './helpers/keyboard.ts';
import { download } from './helpers/page-files.ts';

const LONG_ENOUGH = 60_000;
/** Without a country, the first numbers are refused. */
const LIST = ['2125550101', '(212) 555-0102', '+12125550103', '+12125550104', '12'];

it('the whole way is gone by keyboard alone, from a list to its results, which are those of `callsheet export`', async () => {
  const here = desk();
  const list = here.write(
    'leads.csv',
    `name,phone\n${LIST.map((phone, n) => `Person ${n},${phone}\n`).join('')}`,
  );
  const io = { clock: hastyClock(40) };
  const page = await aPage(await aConsole({ folder: here.cwd, io }));
  await page.goto('/');
  await press(page, page.getByRole('link', { name: 'New campaign' }));
  // The browser's own window for choosing a file is outside the page.
  await tabTo(page, page.locator('input[type=file]'));
  await page.locator('input[type=file]').setInputFiles(list);
  await press(page, page.getByRole('button', { name: 'On to the columns' }));
  await page.getByRole('row', { name: /phone .* number to call/ }).waitFor();
  await press(page, page.getByRole('button', { name: 'On to the rows' }));
  await page.getByText('2 of 5 rows').waitFor();
  await tabTo(page, page.getByLabel('Country of numbers'));
  await page.keyboard.type('US');
  await press(page, page.getByRole('button', { name: 'Read them as US' }));
  await page.getByText('4 of 5 rows').waitFor();
  await press(page, page.getByRole('button', { name: 'On to the settings' }));
  await tabTo(page, page.getByLabel('Service'));
  await page.keyboard.type('simulated');
  await page.getByText('Built into callsheet').waitFor();
  await press(page, page.getByRole('button', { name: 'Change Calls at once' }));
  await tabTo(page, page.getByRole('textbox', { name: 'Calls at once' }));
  await page.keyboard.type('50');
  const save = page.getByRole('button', { name: 'Save' });
  await press(page, save);
  await save.waitFor({ state: 'detached' });
  await press(page, page.getByRole('button', { name: 'On to the plan' }));
  await page.getByText('5 rows, 4 good').waitFor();
  await press(page, page.getByRole('button', { name: 'Start' }));
  await page.getByRole('heading', { level: 1, name: 'leads' }).waitFor();
  await page.getByText('Every lead is final.').first().waitFor({ timeout: LONG_ENOUGH });
  await press(page, page.getByRole('link', { name: 'People' }));
  await page.getByText('4 people').waitFor();
  await press(page, page.getByRole('link', { name: 'Results' }));
  const file = await download(page, () =>
    press(page, page.getByRole('link', { name: 'Download the results' })),
  );
  await here.run(['export', 'leads', '-o', 'exported.csv']);
  expect(readFileSync(file, 'utf8')).toBe(here.read('exported.csv'));
  expect(here.read('exported.csv')).toContain('Person 3');
}, 120_000);
