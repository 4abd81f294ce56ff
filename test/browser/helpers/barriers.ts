import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Theme and CSS pixels, of a telephone and of a desk. */
export const TELEPHONE = ['light', 360] as const;
export const DESK = ['dark', 1440] as const;
type Look = typeof TELEPHONE | typeof DESK;

/**
 * What keeps somebody from using the page as it stands, by axe: on a telephone, where it must fit. Frames are not looked
 * into: the console's only one is sandboxed, so that axe does not run there; what it shows is looked at as a page of its own.
 *
 * @param within only what is in the element of this selector; default: the whole page
 * @param looks where axe looks; the page must fit on a telephone in any case
 * @returns a line for each element, e.g. `dark, 1440 px: color-contrast (serious) at .hint: Fix any of ...`
 */
export async function barriers(
  page: Page,
  { within, looks = [TELEPHONE] }: { within?: string; looks?: readonly Look[] } = {},
): Promise<string[]> {
  const before = page.viewportSize();
  // As a script element it would break the page's policy. To send and read it takes as long as to run it once.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(`${AXE}; undefined`);
  const lines: string[] = [];
  for (const one of new Set<Look>([TELEPHONE, ...looks])) {
    const [colorScheme, width] = one;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const found = looks.includes(one) ? await look(page, within) : [];
    const takes = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (takes > width) found.push(`${takes} px wide`);
    if (one === TELEPHONE) found.push(...(await page.evaluate<string[]>(BESIDE)));
    lines.push(...found.map((line) => `${colorScheme}, ${width} px: ${line}`));
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
  return lines;
}

/** What can be done with a row of a table, and cannot be seen without moving the table aside. */
const BESIDE = `[...document.querySelectorAll('.row-action button, .log td:last-child, .doubts td')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth)
  .map((one) => 'beside the screen: ' + one.innerText)`;

/** Colours on their way from one theme to the other would be measured half-way; those that inherit them begin later. */
const SETTLED = `(async () => {
  for (;;) {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const moving = document.getAnimations()
      .filter((one) => one.playState === 'running' && one.effect.getComputedTiming().endTime < Infinity);
    if (moving.length === 0) return;
    await Promise.all(moving.map((one) => one.finished.catch(() => {})));
  }
})()`;

async function look(page: Page, within?: string): Promise<string[]> {
  const where = within === undefined ? 'document' : JSON.stringify(within);
  const rules = { 'target-size': { enabled: true } };
  const options = { iframes: false, resultTypes: ['violations'], rules };
  const violations = await page.evaluate<AxeResults['violations']>(
    `${SETTLED}.then(() => axe.run(${where}, ${JSON.stringify(options)})).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id} (${impact ?? ''}) at ${target.join(' ')}: ${(failureSummary ?? '').replaceAll(/\s+/g, ' ')}`,
    ),
  );
}
