import { describe, expect, it, onTestFinished } from 'vitest';
import type { People, Person } from '../../src/views/people.ts';
import { desk } from '../helpers/callsheet.ts';
import { callPayloads, PAYLOAD_CAMPAIGN } from '../helpers/services/payload-campaign.ts';
import { XSS_PAYLOADS } from '../helpers/xss-payloads.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage, moveTo } from './helpers/a-page.ts';
import { isShown, PAGES } from './helpers/pages.ts';

const at = `/campaigns/${encodeURIComponent(PAYLOAD_CAMPAIGN)}`;
/** Of a cell the table shows so much. */
const SHOWN = 200;

// Each payload that runs sets `hit`, asks somebody, breaks the policy, or throws; all but the first two fail the page.
describe('cells, transcripts, agents, errors and names that are attacks', () => {
  it('are text in the table of people, beside it and on every other page, and run nowhere', async () => {
    const here = desk();
    const { ended, close } = await callPayloads(here);
    onTestFinished(close);
    expect(ended.err).toContain('Every lead is final.');
    const console = await aConsole({
      folder: here.cwd,
      users: { ann: 'admin' },
      services: here.path('services.yaml'),
      io: { env: { VOICE_API_KEY: 'key-of-the-hostile-service' } },
    });
    const { items } = await console.json<People>('GET', `/api/v1${at}/people?limit=200`);
    const page = await aPage(console, { as: 'ann' });
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(`${at}/people`);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect
      .poll(async () => {
        const [, ...rows] = await page.evaluate<string[][]>(CELLS_OF_ROWS);
        // Of the check box, the name with the number, and the last column: others repeat the names.
        return rows.map(([, name, ...texts]) => [name, texts.at(-1)]);
      })
      .toEqual(
        items.map(({ name, phone, cells }) => [
          `${shortened(name ?? '')}${phone}`,
          shortened(cells[1] ?? ''),
        ]),
      );

    // So small that little is painted.
    await page.setViewportSize({ width: 360, height: 240 });
    // What one of them proves of the drawer, its neighbours prove again.
    const some = items.filter((_, n) => n % 4 === 0);
    const people = some.map(({ id, list, line }) => ({
      id,
      place: `Line ${line} of list ${list}, `,
    }));
    const shown = await page.evaluate<unknown[]>(`(${SHOWN_OF_PEOPLE})(${JSON.stringify(people)})`);
    const said = new Set<string>();
    for (const [n, { id }] of some.entries()) {
      const story = await console.json<Person>('GET', `/api/v1${at}/people/${id}`);
      const turns = story.calls.flatMap((call) => (call.turns ?? []).map(({ text }) => text));
      for (const text of turns) said.add(text);
      const cells = story.cells.map(({ value }) => value || '–');
      expect(shown[n]).toEqual({ cells, turns, otherLinks: [] });
    }
    expect(XSS_PAYLOADS.filter((payload) => said.has(payload)).length).toBeGreaterThan(20);
    await page.keyboard.press('Escape');
    await page.getByLabel('Search').fill(PAYLOAD_CAMPAIGN);
    await page.getByText(/^\d+ (person|people) of/).waitFor();

    await page.setViewportSize({ width: 1440, height: 1_500 });
    const others = PAGES.filter((one) => !one.startsWith('/campaigns/NAME/people'));
    for (const other of [...others, '/agents?service=hostile', '/inbox?service=hostile']) {
      await moveTo(page, other.replace('/campaigns/NAME', at));
      await isShown(page);
      expect(await page.evaluate('window.hit'), other).toBeUndefined();
    }
    await page.goto(at);
    await page.getByRole('heading', { level: 1, name: PAYLOAD_CAMPAIGN }).waitFor();
    expect([await page.evaluate('window.hit'), asked]).toEqual([undefined, []]);
  }, 120_000);
});

const CELLS_OF_ROWS = `[...document.querySelectorAll('[role=row]')]
  .map((row) => [...row.children].map((cell) => cell.textContent))`;

/**
 * Goes to each person as the browser's way back does, without loading the page again, and reads what is shown after
 * the next frame, when the browser has done all that the texts could make it do at once.
 */
const SHOWN_OF_PEOPLE = `async (people) => {
  const textsOf = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const shown = [];
  for (const { id, place } of people) {
    history.pushState(null, '', '?person=' + id);
    dispatchEvent(new PopStateEvent('popstate'));
    const latest = performance.now() + 25_000;
    do {
      if (performance.now() > latest) throw new Error('person ' + id + ' is not shown');
      await frame();
    } while (!textsOf('dialog section:last-of-type p').some((text) => text.startsWith(place)));
    await frame();
    shown.push({
      cells: textsOf('dialog section:last-of-type dd'),
      turns: textsOf('dialog .said p > :last-child'),
      otherLinks: [...document.querySelectorAll('dialog a')]
        .map((link) => link.href)
        .filter((href) => !/^https?:/.test(href)),
    });
  }
  return shown;
}`;

function shortened(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
