import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { desk } from '../helpers/callsheet.ts';
import { tempFolder } from '../helpers/files/temp.ts';
import { rowsXml, textCell, workbookFile } from '../helpers/files/workbook-file.ts';
import { aConsole } from './a-console.ts';
import { aPage } from './a-page.ts';
import { download, drop } from './page-files.ts';

const SAMPLE = new URL('../../data/samples/leads.csv', import.meta.url).pathname;
const LONG_ENOUGH = 60_000;

it('leads from a dropped list to its results, which are those of `callsheet export`', async () => {
  const here = desk();
  const console = await aConsole({ folder: here.cwd });
  const page = await aPage(console);
  await page.goto('/');
  await page.getByRole('link', { name: 'Upload a list' }).click();
  await drop(page.locator('.drop-box'), SAMPLE);
  await page.getByRole('row', { name: /phone .* number to call/ }).waitFor();
  await page.getByRole('link', { name: 'On to rows' }).click();
  // Without a country, numbers without + are refused.
  await page.getByRole('link', { name: 'On to settings' }).click();
  await page.getByLabel('Country').fill('US');
  await page.getByLabel('Service').selectOption('simulated');
  await page.getByLabel('Calls at once').fill('50');
  await page.getByLabel('Pace').focus();
  await page.getByRole('link', { name: 'On to plan' }).click();
  await page
    .locator('dd')
    .filter({ hasText: /^53nobody/ })
    .waitFor();
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

it('is gone by keyboard alone, from the first page to the end of the campaign', async () => {
  const console = await aConsole();
  const page = await aPage(console);
  await page.goto('/');
  await press(page, page.getByRole('link', { name: 'New campaign' }));
  // The browser's own window for choosing a file is outside the page.
  await tabTo(page, page.locator('input[type=file]'));
  await page.locator('input[type=file]').setInputFiles(SAMPLE);
  await page.getByRole('row', { name: /phone .* number to call/ }).waitFor();
  await press(page, page.getByRole('link', { name: 'On to rows' }));
  await press(page, page.getByRole('link', { name: 'On to settings' }));
  await tabTo(page, page.getByLabel('Service'));
  await page.keyboard.type('simulated');
  await tabTo(page, page.getByLabel('Country'));
  await page.keyboard.type('US');
  await tabTo(page, page.getByLabel('Calls at once'));
  await page.keyboard.type('50');
  await press(page, page.getByRole('link', { name: 'On to plan' }));
  await page.getByRole('button', { name: 'Start' }).waitFor();
  await press(page, page.getByRole('button', { name: 'Start' }));
  await page.getByRole('heading', { level: 1, name: 'leads' }).waitFor();
  await page.getByText('Every lead is final.').first().waitFor({ timeout: LONG_ENOUGH });
  await press(page, page.getByRole('link', { name: 'People' }));
  await page.getByText('53 people').waitFor();
  await press(page, page.getByRole('link', { name: 'Results' }));
  await tabTo(page, page.getByRole('link', { name: /^Download/ }).first());
}, 120_000);

it('has a column that was taken for the wrong thing corrected by a menu', async () => {
  const list = join(tempFolder(), 'two-numbers.csv');
  writeFileSync(list, 'name,office,extra\nAnn Ash,+12125550101,+12125550199\n');
  const page = await aPage(await aConsole());
  await page.goto('/new');
  await page.locator('input[type=file]').setInputFiles(list);
  const menu = page.getByLabel('What "office" is taken for');
  await menu.selectOption({ label: 'number to call' });
  await page.getByText('called first, chosen').waitFor();
  await page.getByRole('link', { name: 'On to rows' }).click();
  await page.getByText('will be leads').waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Back to columns' }).click();
  await expect.poll(() => menu.inputValue()).toBe('phone');
  // A list with the same columns is taken for the same, once a campaign has taken the first one.
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByLabel('Service').selectOption('simulated');
  await page.getByRole('link', { name: 'On to plan' }).click();
  await page.getByRole('button', { name: 'Only import' }).click();
  await page.getByRole('heading', { level: 1, name: 'two-numbers' }).waitFor();
  const next = join(tempFolder(), 'next.csv');
  writeFileSync(next, 'name,office,extra\nBen Birch,+12125550102,+12125550198\n');
  await page.goto('/new');
  await page.locator('input[type=file]').setInputFiles(next);
  await page.getByText('called first, chosen').waitFor();
  await expect.poll(() => menu.inputValue()).toBe('phone');
});

it('takes the refused rows back when they were mended', async () => {
  const list = join(tempFolder(), 'mend.csv');
  writeFileSync(list, 'name,phone\nAnn Ash,+12125550101\nBen Birch,12\n');
  const page = await aPage(await aConsole());
  await page.goto('/new');
  await page.locator('input[type=file]').setInputFiles(list);
  await page.getByRole('link', { name: 'On to rows' }).click();
  const rejects = await download(page, () =>
    page.getByRole('link', { name: '1 refused row as a file' }).click(),
  );
  writeFileSync(rejects, readFileSync(rejects, 'utf8').replace(/,12(?=[,\n\r])/, ',+12125550102'));
  await drop(page.locator('.drop-box'), rejects);
  await page.getByRole('heading', { level: 2, name: /mend/ }).nth(1).waitFor();
  await page.getByRole('link', { name: 'On to settings' }).click();
  await page.getByLabel('Service').selectOption('simulated');
  await page.getByRole('link', { name: 'On to plan' }).click();
  const now = page.locator('.figures > div').filter({ hasText: 'Call now' });
  await now
    .locator('dd')
    .filter({ hasText: /^2nobody/ })
    .waitFor();
});

it('reads a workbook, and says of what is no list what it looks like', async () => {
  const book = join(tempFolder(), 'people.xlsx');
  const rows = rowsXml([
    [textCell('name'), textCell('phone')],
    [textCell('Ann Ash'), textCell('+12125550101')],
  ]);
  writeFileSync(book, workbookFile({ sheets: [{ name: 'People', rows }] }));
  const picture = join(tempFolder(), 'list.png');
  writeFileSync(picture, Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  const page = await aPage(await aConsole());
  await page.goto('/new');
  await page.locator('input[type=file]').setInputFiles([book, picture]);
  await page.getByRole('row', { name: /phone .*number to call/ }).waitFor();
  await page.getByRole('link', { name: 'Back to upload' }).click();
  await page.getByLabel('Sheet', { exact: true }).waitFor();
  const said = page.getByRole('alert');
  expect(await said.innerText()).toMatch(/picture|image|PNG/i);
});

/** Goes on with the tabulator until the element has the focus: whoever has no mouse reaches it so. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let n = 0; n < 200; n++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the tabulator does not reach it');
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}
