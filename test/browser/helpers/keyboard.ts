import type { Locator, Page } from 'playwright-core';

const STANDING = (one: { isConnected: boolean; ownerDocument: { activeElement: unknown } }) => ({
  isShown: one.isConnected,
  hasFocus: one.ownerDocument.activeElement === one,
});

/** Goes on with the tabulator until the element has the focus: somebody without a mouse reaches it so. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  // Sought once: at each key, its name and those of all others would be computed.
  let element = await target.elementHandle();
  for (let n = 0; n < 200; n++) {
    const { isShown, hasFocus } = await element.evaluate(STANDING);
    if (hasFocus) return;
    if (isShown) await page.keyboard.press('Tab');
    else element = await target.elementHandle();
  }
  throw new Error('the tabulator does not reach it');
}

/** Reaches it by the tabulator, and presses the key. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}
