import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { html } from '../../src/results/report/charts.ts';
import { writeReport } from '../../src/results/report/page.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/port.ts';
import {
  addList,
  aPlacedCall,
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  rejected,
  settled,
} from '../conformance/store/setup.ts';
import { START } from '../helpers/clock.ts';
import { aLead, someAnalytics } from '../helpers/factory.ts';
import { tempFolder } from '../helpers/files/temp.ts';

let store: Store;
let path: string;

beforeEach(() => {
  const folder = tempFolder();
  path = join(folder, 'report.html');
  store = openSqliteStore({ path: join(folder, 'callsheet.db'), mode: 'dial' });
  onTestFinished(() => store.close());
});

async function report(calls = 500): Promise<string> {
  await writeReport({ store, campaign: { id: CAMPAIGN }, to: path, calls, at: START });
  return readFileSync(path, 'utf8');
}

const EVIL = '<script>alert("x")</script> & \u202eevil\u0007';

async function someCalls(): Promise<void> {
  const leads = [0, 1, 2, 3].map((n) => aLead(n, { cells: [n === 0 ? EVIL : `Person ${n}`, 'x'] }));
  await aRunningCampaign(store, { leads: [] });
  const mapping = { phones: [1], fields: { name: 0 }, doNotCall: [] };
  await addList(store, CAMPAIGN, leads, { id: 'list_2', sha256: 'bb22', mapping });
  for (const n of [0, 1]) {
    const { attemptId } = await aPlacedCall(store, `call_${n}`);
    const turns = [
      { speaker: 'agent', text: 'Hello.' },
      { speaker: 'person', text: EVIL },
    ] as const;
    const analytics = someAnalytics({ turns: n === 0 ? [...turns] : [], transcript: `plain ${n}` });
    await store.recordPoll(attemptId, settled(`call_${n}`, { analytics }));
  }
  const { attemptId } = await claimedOne(store);
  await store.recordDial(attemptId, rejected());
}

test('it is one page that asks for nothing else and runs nothing', async () => {
  await someCalls();
  const page = await report();
  expect(page).toContain("default-src 'none'");
  expect(page.replace(/http-equiv/, '')).not.toMatch(
    /https?:|<script|<link|<img|<iframe|@import|url\(/i,
  );
  expect(page).not.toMatch(/\son\w+=/i);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('what people said and are called is text, whatever it looks like', async () => {
  await someCalls();
  const page = await report();
  const escaped = '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; \u{fffd}evil\u{fffd}';
  expect(page).toContain(`<span class="who">${escaped}</span`);
  expect(page).toContain(`<span>${escaped}</span>`);
  expect(html`<a href="${`"><b>`}">${[html`<br />`]}${null}${1}</a>`.html).toBe(
    '<a href="&quot;&gt;&lt;b&gt;"><br />1</a>',
  );
});

test('every figure has its count, every call its transcript', async () => {
  await someCalls();
  const page = (await report()).replaceAll(/\s+/g, ' ');
  const text = page.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(text).toContain('Leads 4 3 done, 1 open');
  expect(text).toContain(
    'Calls made 2 1 refused, 0 in doubt, 0 not made Answered 100% 2 of 2 calls',
  );
  expect(text).toContain('Talk time 1 min 24 s in 2 answered calls');
  expect(text).toContain('answered a person spoke 2 67%');
  expect(text).toContain('10 2 2 100%');
  expect(text).toContain("Mean of the service's own score: 0.80, in 2 calls.");
  expect(text).toContain('All 2 calls made, 1 refused, 0 in doubt; each opens to its transcript.');
  expect(page.match(/<details class="call">/g)).toHaveLength(3);
  expect(text).toContain('plain 1');
  expect(text).not.toContain('plain 0');
  // The newest first.
  expect(text.indexOf('+12005550102')).toBeLessThan(text.indexOf('+12005550100'));
});

test('it holds so many calls as were asked for, the newest, and says so', async () => {
  await someCalls();
  const one = await report(2);
  expect(one).toContain('The newest 2 of 3: 2 calls made, 1 refused, 0 in doubt');
  expect(one).not.toContain('+12005550100');
  const none = await report(0);
  expect(none).not.toContain('+1200555');
  expect(none).not.toContain('<details class="call">');
});

test('a campaign that called nobody has a page, too', async () => {
  await aRunningCampaign(store, { leads: 0 });
  expect(await report()).toContain('Nobody was called yet.');
});

test.each([0, 500])(
  'every element is closed where it ends, with up to %i calls in the page',
  async (calls) => {
    await someCalls();
    const open: string[] = [];
    const page = await report(calls);
    for (const [, end, name = '', empty] of page.matchAll(/<(\/?)([a-z]\w*)[^>]*?(\/?)>/g)) {
      if (empty === '/' || ['meta', 'link', 'br'].includes(name)) continue;
      if (end === '') open.push(name);
      else
        expect(`${open.join('>')} ends ${name}`).toBe(
          `${[...open.slice(0, -1), name].join('>')} ends ${open.pop() ?? ''}`,
        );
    }
    expect(open).toEqual([]);
    expect(page.indexOf('class="call"')).toBeLessThan(page.indexOf('</main>'));
  },
);
