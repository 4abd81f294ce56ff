import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

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
 * What keeps somebody from using the page as it stands, by axe: colours in both themes, narrow and wide, and all else
 * once in each theme and at each width.
 *
 * @param within only what is in the element of this selector; default: the whole page
 * @returns a line for each element, e.g. `dark, 360 px: color-contrast (serious) at .hint: Fix any of ...`
 */
export function barriers(page: Page, within?: string): Promise<string[]> {
  return inAllStates(page, within, OF_COLOURS);
}

/** The same, by all rules in both themes, narrow and wide. */
export function allBarriers(page: Page): Promise<string[]> {
  return inAllStates(page);
}

/** @param rules in the second and the last state; default: all */
async function inAllStates(page: Page, within?: string, rules?: string[]): Promise<string[]> {
  const before = page.viewportSize();
  const lines: string[] = [];
  for (const [n, [colorScheme, width]] of STATES.entries()) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const found: string[] = [];
    for (const frame of await framesThatRun(page))
      found.push(...(await look(frame, within, n % 2 === 0 ? undefined : rules)));
    lines.push(...found.map((line) => `${colorScheme}, ${width} px: ${line}`));
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
  return lines;
}

/** A sandboxed frame runs no script, so not axe either: what it shows is looked at as a page of its own. */
async function framesThatRun(page: Page): Promise<Frame[]> {
  const sandboxed = await page.locator('iframe[sandbox]').elementHandles();
  const frames = await Promise.all(sandboxed.map((element) => element.contentFrame()));
  return page.frames().filter((frame) => !frames.includes(frame));
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

async function look(frame: Frame, within?: string, runOnly?: string[]): Promise<string[]> {
  // As a script element it would break the page's policy. It is read once a page: that is half of its time.
  if (!(await frame.evaluate("'axe' in window"))) await frame.evaluate(`${AXE}; undefined`);
  await frame.evaluate(SETTLED);
  const violations = await frame.evaluate<AxeResults['violations']>(
    `axe.run(${within === undefined ? 'document' : JSON.stringify(within)}, ${JSON.stringify({ iframes: false, resultTypes: ['violations'], runOnly })})
      .then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id} (${impact ?? ''}) at ${target.join(' ')}: ${(failureSummary ?? '').replaceAll(/\s+/g, ' ')}`,
    ),
  );
}
