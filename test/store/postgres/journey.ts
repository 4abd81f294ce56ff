import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { spawnCallsheet } from '../../helpers/compiled-program.ts';
import { aPage } from '../../browser/helpers/a-page.ts';
import { download } from '../../browser/helpers/page-files.ts';
import { aDesk } from './a-desk.ts';

it('a list is imported, called by the embedded service and its results are read, all on the pages', async () => {
  const { at } = aDesk();
  expect(await at.run(['migrate'])).toMatchObject({ code: 0 });
  // A journal in memory is refused.
  const journal = mkdtempSync('node_modules/.cache/journal-');
  onTestFinished(() => {
    rmSync(journal, { recursive: true, force: true });
  });
  const flags = ['--port', '0', '--json', '--journal', resolve(journal)];
  const program = spawnCallsheet(at, ['console', ...flags]);
  await program.written('}\n');
  const { out } = await at.run(['console', '--link', '--json']);
  const page = await aPage(JSON.parse(out) as { url: string; link: string });
  // The processes of all tests and of the server may share two cores.
  page.setDefaultTimeout(100_000);
  const press = (name: string) => page.getByRole('button', { name }).click();

  await page.goto('/new');
  const buffer = Buffer.from('name,phone\nAnn,+12125550101\nBen,+12125550102\n');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'spring.csv', mimeType: 'text/csv', buffer });
  await press('On to the columns');
  await page.getByLabel('phone is taken for').waitFor();
  await press('On to the rows');
  await page.getByText('2 of 2 rows').waitFor();
  await press('On to the settings');
  await page.getByLabel('Service').selectOption('simulated');
  await page.getByText('The week ahead').waitFor();
  await press('On to the plan');
  await press('Start');
  await page.getByText('Every lead is final.').first().waitFor();
  await page.goto('/campaigns/spring/results');
  const results = await download(page, () =>
    page.getByRole('link', { name: 'Download the results' }).click(),
  );
  expect(readFileSync(results, 'utf8')).toMatch(/\+12125550101.*done[^]*\+12125550102.*done/);
}, 240_000);
