import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CampaignDetail } from '../../../src/views/campaigns.ts';
import type { TestConsole } from '../../helpers/console.ts';
import { desk } from '../../helpers/callsheet.ts';
import { aConsole } from '../helpers/a-console.ts';
import { aPage } from '../helpers/a-page.ts';
import { barriers } from '../helpers/barriers.ts';
import { drop } from '../helpers/page-files.ts';
import { photograph } from '../helpers/screenshots.ts';

/** Sent slowly, it takes two minutes. */
const LARGE = 2_400_000;
const HEADER = 'name,phone\n';
/** A list of so many bytes. */
const listOf = (bytes: number) => HEADER + `Ann,+12125550101\n`.repeat(Math.ceil(bytes / 17));
const small = (n: number) => `${HEADER}Person ${n},+1212555010${n}\n`;

const uploadsKept = ({ folder }: TestConsole): string[] => {
  const uploads = join(folder, 'data', 'uploads');
  return existsSync(uploads) ? readdirSync(uploads) : [];
};
const campaignsOf = async (console: TestConsole) =>
  (await console.json<{ items: { name: string }[] }>('GET', '/api/v1/campaigns')).items;

/** Lets the page send so slowly that a large file is on its way for longer than any test lasts. */
async function sendSlowly(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20_000 },
  });
}

describe('a file that is sent', () => {
  it('can be cancelled on its way, and nothing of it is left', async () => {
    const here = desk();
    here.write('large.csv', listOf(LARGE));
    here.write('small.csv', small(1));
    const console = await aConsole({ folder: here.cwd });
    const page = await aPage(console);
    await page.goto('/new');
    await sendSlowly(page);
    await drop(page.locator('.drop'), here.path('large.csv'), here.path('small.csv'));
    await page.getByRole('progressbar', { name: 'large.csv is sent' }).waitFor();
    await expect.poll(() => uploadsKept(console)).toHaveLength(1);
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'upload, on its way');
    await page.getByRole('button', { name: 'Cancel large.csv' }).click();
    await page.getByText('large.csv').waitFor({ state: 'detached' });
    // What was dropped together with it comes all the same, and alone.
    await page.getByRole('button', { name: 'Go on with 1 list' }).waitFor();
    await expect.poll(() => uploadsKept(console)).toHaveLength(1);
    expect(await console.json('GET', '/api/v1/uploads')).toMatchObject({
      items: [{ name: 'small.csv' }],
    });
    expect(await campaignsOf(console)).toEqual([]);
  });

  it('is refused where it was dropped when it is too large, and the others come all the same', async () => {
    const here = desk();
    here.write('one.csv', small(1));
    here.write('large.csv', listOf(20_000));
    here.write('two.csv', small(2));
    const console = await aConsole({ folder: here.cwd, mostUploadBytes: 10_000 });
    const page = await aPage(console);
    await page.goto('/new');
    const paths = ['one.csv', 'large.csv', 'two.csv'].map((name) => here.path(name));
    await drop(page.locator('.drop'), ...paths);
    await page
      .getByRole('list', { name: 'Files on their way' })
      .getByRole('alert')
      .getByText(
        'large.csv: The file is larger than 10,000 bytes, the most that this console takes.',
      )
      .waitFor();
    await page.getByText('start the console with a larger --max-upload').waitFor();
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'upload, too large');
    await page.getByRole('button', { name: 'Go on with 2 lists' }).click();
    await page.waitForURL(/\/campaigns\/.+\/upload$/);
    await page.getByRole('heading', { name: 'two.csv' }).waitFor();
    const { lists } = await console.json<CampaignDetail>('GET', '/api/v1/campaigns/one');
    expect(lists.map((list) => list.path)).toEqual(['one.csv', 'two.csv']);
    expect(uploadsKept(console)).toHaveLength(2);
    // The same beside the lists of a campaign that has begun.
    await drop(page.locator('.drop'), here.path('large.csv'));
    await page.getByRole('alert').getByText('large.csv: The file is larger').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('large.csv').waitFor({ state: 'detached' });
    expect(uploadsKept(console)).toHaveLength(2);
  });
});
