import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Theme and CSS pixels, of a telephone and of a desk; from one to the next changes one of them, as each change takes time. */
const STATES = [
  ['light', 360],
  ['dark', 360],
  ['dark', 1440],
  ['light', 1440],
] as const;

/** All that a theme changes of what a width shows already; they take a third of the time of all rules. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * What keeps somebody from using the page as it stands, by axe: light on a telephone, and dark at a desk. Frames are not
 * looked into: the console's only one is sandboxed, so that axe does not run there; what it shows is looked at as a page
 * of its own.
 *
 * @param within only what is in the element of this selector; default: the whole page
 * @param each the colours of each theme at each width, too
 * @returns a line for each element, e.g. `dark, 1440 px: color-contrast (serious) at .hint: Fix any of ...`
 */
export async function barriers(
  page: Page,
  { within, each = false }: { within?: string; each?: boolean } = {},
): Promise<string[]> {
  const before = page.viewportSize();
  // As a script element it would break the page's policy. To send and read it takes as long as to run it once.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(`${AXE}; undefined`);
  const lines: string[] = [];
  for (const [n, [colorScheme, width]] of STATES.entries()) {
    if (n % 2 === 1 && !each) continue;
    await page.emulateMedia({ colorScheme });
    if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 900 });
    const found = await look(page, within, n % 2 === 0 ? undefined : OF_COLOURS);
    lines.push(...found.map((line) => `${colorScheme}, ${width} px: ${line}`));
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
  return lines;
}

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

async function look(page: Page, within?: string, runOnly?: string[]): Promise<string[]> {
  const where = within === undefined ? 'document' : JSON.stringify(within);
  const options = { iframes: false, resultTypes: ['violations'], runOnly };
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
