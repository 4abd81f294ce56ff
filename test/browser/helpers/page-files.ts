import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { tempFolder } from '../../helpers/files/temp.ts';

/**
 * Drops files where they can be dropped, as from a folder of the desk. A field of files takes them by
 * `locator.setInputFiles`.
 *
 * @param paths of files that fit into memory
 */
export async function drop(onto: Locator, ...paths: string[]): Promise<void> {
  const files = paths.map((path) => ({
    name: basename(path),
    base64: readFileSync(path).toString('base64'),
  }));
  const dataTransfer = await onto.page().evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of ${JSON.stringify(files)}) {
      const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    return transfer;
  })()`);
  for (const event of ['dragenter', 'dragover', 'drop'])
    await onto.dispatchEvent(event, { dataTransfer });
}

/** Does what makes the browser save a file, and saves it. @returns its path, with the name that it was offered by */
export async function download(page: Page, act: () => Promise<unknown>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), act()]);
  const path = join(tempFolder(), file.suggestedFilename());
  await file.saveAs(path);
  return path;
}
