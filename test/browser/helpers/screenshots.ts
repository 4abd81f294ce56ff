import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/**
 * Takes the whole page, light and dark, into the folder that `CALLSHEET_SCREENSHOTS` names; without it, nothing.
 *
 * @param name of the files, without ending; all but letters, digits, dots and underscores becomes hyphens
 */
export async function photograph(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const path = placeOf(`${name}-${colorScheme}`);
    if (path === undefined) return;
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path, fullPage: true, animations: 'disabled' });
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Takes what a failed test saw last, there too. That it cannot be taken is no second failure. */
export async function photographFailure(page: Page, test: string): Promise<void> {
  const path = placeOf(`FAILED ${test}`);
  if (path === undefined || page.isClosed()) return;
  await page.screenshot({ path, timeout: 5_000 }).catch(() => undefined);
}

function placeOf(name: string): string | undefined {
  const folder = process.env['CALLSHEET_SCREENSHOTS'];
  if (folder === undefined || folder === '') return undefined;
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name.replaceAll(/[^\w.]+/g, '-')}.png`);
}
