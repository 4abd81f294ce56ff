import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/**
 * Takes the whole page, light and dark, into the folder that `CALLSHEET_SCREENSHOTS` names; without it, nothing.
 *
 * @param name of the files, without ending; all but letters, digits and dots becomes a hyphen
 */
export async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env['CALLSHEET_SCREENSHOTS'];
  if (folder === undefined || folder === '' || page.isClosed()) return;
  mkdirSync(folder, { recursive: true });
  const file = name.replaceAll(/[^\w.]+/g, '-');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const path = join(folder, `${file}-${colorScheme}.png`);
    await page.screenshot({ path, fullPage: true, animations: 'disabled' });
  }
  await page.emulateMedia({ colorScheme: null });
}
