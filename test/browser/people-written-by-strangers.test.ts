import { expect, it, onTestFinished } from 'vitest';
import type { People, PersonStory } from '../../src/console/contract/people.ts';
import { desk } from '../helpers/callsheet.ts';
import { callPayloads, PAYLOAD_CAMPAIGN } from '../helpers/services/payload-campaign.ts';
import { XSS_PAYLOADS } from '../helpers/xss-payloads.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage } from './helpers/a-page.ts';

const at = `/campaigns/${encodeURIComponent(PAYLOAD_CAMPAIGN)}`;
/** Of a cell the table shows so much. */
const SHOWN = 200;

// Each payload that runs sets `hit`, asks somebody, breaks the policy, or throws; all but the first two fail the page.
it('what strangers wrote is text in the table and beside it, and runs nowhere', async () => {
  const here = desk();
  const { ended, close } = await callPayloads(here);
  onTestFinished(close);
  expect(ended.err).toContain('Every lead is final.');
  const console = await aConsole({ folder: here.cwd, services: 'services.yaml' });
  const { items } = await console.json<People>('GET', `/api/v1${at}/people?limit=200`);
  // So high that every row is drawn.
  const page = await aPage(console, { viewport: { width: 1440, height: 9_000 } });
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(`${at}/people`);
  // Until its page of people has arrived, a row is empty.
  await expect
    .poll(async () => {
      const [, ...rows] = await page.evaluate<string[][]>(CELLS_OF_ROWS);
      return rows.map((texts) => texts.slice(-3));
    })
    .toEqual(items.map((person) => person.cells.map(shortened)));

  await page.setViewportSize({ width: 1_000, height: 600 });
  const said = new Set<string>();
  for (const { id, list, line } of items) {
    const story = await console.json<PersonStory>('GET', `/api/v1${at}/people/${id}`);
    const turns = story.attempts.flatMap((call) => call.turns.map(({ text }) => text));
    for (const text of turns) said.add(text);
    // As the browser's way back does it, without loading the page again for each.
    await page.evaluate(`history.pushState(null, '', '?person=${id}');
      dispatchEvent(new PopStateEvent('popstate'))`);
    // Sought beside the table alone, whose texts are many.
    await page
      .locator('dialog')
      .getByText(new RegExp(`^Line ${line} of list ${list}, `))
      .waitFor();
    expect(await page.evaluate(SHOWN_OF_PERSON)).toEqual({
      cells: story.cells.map(({ value }) => value || '–'),
      turns,
      otherLinks: [],
    });
  }
  expect(XSS_PAYLOADS.filter((payload) => said.has(payload)).length).toBeGreaterThan(80);
  await page.keyboard.press('Escape');
  await page.getByLabel('Search').fill(PAYLOAD_CAMPAIGN);
  await page.getByText(/^\d+ (person|people) of/).waitFor();
  expect([await page.evaluate('window.hit'), asked]).toEqual([undefined, []]);
}, 120_000);

const CELLS_OF_ROWS = `[...document.querySelectorAll('[role=row]')]
  .map((row) => [...row.children].map((cell) => cell.textContent))`;

const SHOWN_OF_PERSON = `(() => {
  const textsOf = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
  return {
    cells: textsOf('dialog section:last-of-type dd'),
    turns: textsOf('dialog .said p > :last-child'),
    otherLinks: [...document.querySelectorAll('dialog a')]
      .map((link) => link.href)
      .filter((href) => !/^https?:/.test(href)),
  };
})()`;

function shortened(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
