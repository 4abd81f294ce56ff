import { expect, it } from 'vitest';
import { SITUATIONS, type SituationWord } from '../../src/domain/situation.ts';
import { judged } from '../../src/app/run/situation.ts';
import { wordsOf, type CampaignRead } from '../../src/app/sentences/situations.ts';
import { beginsOf } from '../../src/app/watch/begins.ts';
import { campaignDetail } from '../../src/app/watch/campaigns.ts';
import type { BudgetView } from '../../src/app/nights/budgets.ts';
import type { UnfinishedImport } from '../../src/app/plan/unfinished-import.ts';
import type { CampaignDetail } from '../../src/views/campaigns.ts';
import { aCampaign as newCampaign } from '../helpers/factory.ts';
import { shareOf } from '../helpers/properties.ts';
import { aCampaign } from './helpers/a-campaign.ts';
import { aPage, moveTo } from './helpers/a-page.ts';

const NOW = Date.now();
const LATER = NOW + 3_600_000;
const campaign = {
  ...newCampaign({ settings: { timezone: 'UTC' } }),
  ...({ state: 'running', pauseReason: null, pauseDetail: null, version: 1 } as const),
};
const three = {
  ...{ total: 9, waiting: 3, calling: 0, unknown: 0, done: 6, results: {}, held: 0, open: 0 },
  ...{
    doubts: 0,
    dials: { made: 6, refused: 0, inDoubt: 0, notMade: 0 },
    answered: 0,
    lastCallAt: null,
    nextDueAt: null,
  },
};
const nobody = { ...three, waiting: 0, done: 9 };
const hours = { now: 3, later: 0, never: 0, next: null, shut: [] };
const opens = { at: LATER, zoneKey: 'Europe/London', by: 'uk', why: 'outside' };
const paused = (pauseReason: 'operator' | 'key' | 'profile' | 'breaker') => ({
  campaign: { ...campaign, state: 'paused' as const, pauseReason, pauseDetail: 'HTTP 401.' },
});
const gate = (why: string) => ({ gates: [{ why, until: null }] }) as Partial<CampaignRead>;
const spent = (until: 'night' | 'change' | 'calls_end') => {
  const night = { date: '2026-01-05', beginsAt: NOW, endsAt: LATER };
  const used = { calls: 9, open: 0, stuck: 0, answered: 0, talkMs: 0, unpriced: 0, costs: {} };
  const limit = { by: 'stop.calls', until, why: 'the budget of 9 calls is used up (stop.calls)' };
  const goesOnAt = until === 'night' ? LATER : null;
  const budget = { night, next: night, tonight: used, campaign: used, more: 0, limit, goesOnAt };
  return { budget: budget as BudgetView };
};
const unfinished = (is: UnfinishedImport['is']) => {
  const list = { path: '/lists/a.csv', file: 'a.csv', number: 1, at: NOW, importer: null };
  return { unfinished: { is, list } as unknown as UnfinishedImport };
};

/** What makes each situation. */
const MADE: Readonly<Record<SituationWord, Partial<CampaignRead>>> = {
  interrupted: { end: { interrupted: true } },
  key: paused('key'),
  profile: paused('profile'),
  breaker: paused('breaker'),
  database: { end: { dispatch: 'store_failing' } },
  disk_full: gate('disk_full'),
  machines: gate('machines_awaited'),
  list_too_old: { isListTooOld: true },
  doubts: { progress: { ...three, doubts: 1 } },
  cancelled: { campaign: { ...campaign, state: 'cancelled' }, progress: nobody },
  paused: paused('operator'),
  importing: unfinished('going_on'),
  import: unfinished('gone'),
  never_open: { hours: { ...hours, now: 0, never: 3 } },
  budget: spent('change'),
  budget_tonight: spent('night'),
  budget_in_use: spent('calls_end'),
  draft: { campaign: { ...campaign, state: 'draft' } },
  failing: { failing: { since: NOW, why: 'HTTP 503' } },
  hours: { hours: { ...hours, now: 0, later: 3, next: opens } },
  backoff: { gates: [{ why: 'service_backoff', until: LATER }] },
  no_free_slot: gate('no_free_slot'),
  pace: gate('pace'),
  waiting: {},
  collecting: { progress: { ...nobody, done: 7, calling: 2, open: 2 } },
  final: { progress: nobody },
};

const IDLE = { runner: null, calls: null, since: null, by: null, lostAt: null };
const SERVE = { ...IDLE, runner: 'pid 7', since: NOW, by: 'serve on host-1' };
/** What processes do for it; a started campaign is called by this console at its time, or by none. */
const WORKS = {
  calls: { ...SERVE, calls: 'pid 7' },
  collects: SERVE,
  awaited: IDLE,
  nobody: IDLE,
  killed: { ...IDLE, lostAt: NOW },
} as const;

/** The situations in which a process that calls may call the next person. */
const CALLED: readonly SituationWord[] = ['doubts', 'pace', 'waiting'];
/** The situations in which the campaign is not shown as started. */
const NOT_STARTED: readonly SituationWord[] = [
  ...(['key', 'profile', 'breaker', 'paused', 'cancelled', 'draft'] as const),
];
/** Two people are on the line; then everybody has a result in no case. */
const LINE = { calling: 2, held: 2, open: 2 };
const LINES = [
  ...SITUATIONS.map((is) => ({ is, line: {} })),
  ...SITUATIONS.filter((is) => is !== 'final').map((is) => ({ is, line: LINE })),
];

const CASES = LINES.flatMap(({ is, line }) =>
  Object.entries(WORKS).map(([work, works]) => {
    const isOnLine = line === LINE;
    const name = `${is.replaceAll('_', '-')}-${work}${isOnLine ? '-on-line' : ''}`;
    const made = MADE[is];
    const read = {
      ...{ now: NOW, unfinished: undefined, hours, budget: null, gates: [], serviceSlots: null },
      ...{ failing: null, isListTooOld: false, end: {} },
    };
    const progress = { ...(made.progress ?? three), ...line };
    const found = { ...read, ...made, progress, works };
    const view = judged({ ...found, campaign: { ...(made.campaign ?? campaign), name } });
    const places = [
      { zoneKey: 'Europe/London', waiting: view.progress.waiting, firstNotBefore: 0 },
    ];
    const none = { lists: [], held: [], ended: [], shares: [], heldByDoubts: [], doubts: [] };
    const begins = beginsOf(view, [], places, work === 'awaited');
    const rest = { ...none, blank: 0, history: [], unknownWords: [], begins };
    const detail: CampaignDetail = campaignDetail({ ...view, ...rest });
    const mayBeCalled = isOnLine ? !NOT_STARTED.includes(is) : CALLED.includes(is);
    const isCalled = work === 'calls' && mayBeCalled;
    return { name, is, work, view, detail, isCalled };
  }),
);

/** Not where nobody is to be called, or a process goes on now or at its time. */
const needsAPerson = ({ is, work, view }: (typeof CASES)[number]): boolean => {
  if (view.situation.attention !== null || (is === 'failing' && work === 'calls')) return true;
  const isWanted = ['draft', 'paused', 'cancelled', 'importing', 'final'].includes(is);
  const goesOn = is === 'collecting' ? ['calls', 'collects'] : ['calls', 'awaited'];
  return !isWanted && !goesOn.includes(work);
};

/** The lines that say that somebody is called now: `calling hours` and `Calling starts` do not. */
const saying = (text: string): string[] =>
  text.split('\n').filter((line) => {
    const said = line.replaceAll(/go on calling|calling (starts|goes on|hours)/gi, '');
    return /\brunning\b|\bcalling\b|\bpid 7 calls\b/i.test(said);
  });
const job = (about: string) => ({
  ...{ id: 'job_1', kind: 'call', about, who: 'ann', startedAt: new Date(NOW).toISOString() },
  ...{ endedAt: null, state: 'running', messages: [], progress: null, question: null },
  ...{ problem: null, result: null },
});

it('no place says of a campaign that it runs or calls unless somebody is called', async () => {
  for (const { name, is, view, detail, isCalled } of CASES) {
    const { shown, status, why, begins } = detail;
    // A process that is about to start a draft makes another one of it.
    if (!name.startsWith('draft-calls')) expect(view.situation.is, name).toBe(is);
    expect([name, shown === 'running'], name).toEqual([name, isCalled]);
    const said = [status.text, status.reason, why, wordsOf(view, is), begins?.text, begins?.when];
    if (!isCalled) expect(saying(said.join('\n')), name).toEqual([]);
    const isSaid = /Calling since|calls are on the line/.test(status.text);
    expect(isCalled ? isSaid : status.is === 'calling', name).toBe(isCalled);
  }

  const { open } = await aCampaign({ people: 1 });
  const page = await aPage(await open(), { as: 'ann' });
  const items = CASES.map(({ detail }) => detail);
  const reply = (glob: string, json: object) =>
    page.route(glob, (route) => route.fulfill({ json }));
  await reply('**/api/v1/campaigns?*', { items, next: null, hidden: 0 });
  await reply('**/api/v1/campaigns', { items, next: null, hidden: 0 });
  const days = { days: [], counted: 0, nextOpeningAt: null };
  const ahead = items.map((item) => ({ ...item, ...days, campaign: item.name }));
  await reply('**/api/v1/schedule*', {
    items: ahead,
    next: null,
    now: new Date(NOW).toISOString(),
  });
  const wrongIn = (texts: readonly string[]) =>
    texts.filter((text) => {
      const { isCalled } = CASES.find(({ name }) => text.split('\n').includes(name)) ?? {};
      return saying(text).length > 0 !== isCalled;
    });
  for (const [address, each] of [
    ['/', 'main li:has(h2)'],
    ['/schedule', '.days-ahead'],
  ] as const) {
    await page.goto(address);
    await page
      .locator(each)
      .nth(CASES.length - 1)
      .waitFor();
    const rows = page.locator(each);
    const texts = await rows.allInnerTexts();
    expect(texts).toHaveLength(CASES.length);
    expect(wrongIn(texts), address).toEqual([]);
    expect(texts.filter((text) => text.includes('another process'))).toEqual([]);
    if (address !== '/') continue;
    const red = rows.filter({ has: page.locator('.campaign-says .icon-image') });
    const warned = await red.locator('h2').allInnerTexts();
    const toldFirst = CASES.filter(needsAPerson).map(({ name }) => name);
    expect(warned.toSorted()).toEqual(toldFirst.toSorted());
    const inOrder = (await rows.locator('h2').allInnerTexts()).slice(warned.length);
    const does = inOrder.map((name) => CASES.find((one) => one.name === name)?.detail.status.is);
    const order = ['calling', 'waiting', 'paused', 'draft', 'over'];
    expect([...new Set(does)]).toEqual(order);
    expect(does).toEqual(order.flatMap((is) => does.filter((one) => one === is)));
    const waiting = CASES.filter(
      ({ detail: { status, shown } }) => status.is === 'waiting' && shown === 'open',
    );
    expect(await rows.getByText('waiting', { exact: true }).count()).toBe(waiting.length);
  }

  // The lists above have all of them; of the pages, which take a third of a second each, every third is opened.
  for (const { name, detail, isCalled } of shareOf(CASES, 3)) {
    await page.unrouteAll();
    await reply(`**/api/v1/campaigns/${name}`, detail);
    await reply('**/api/v1/jobs', { items: [job(name)] });
    await reply('**/api/v1/jobs/job_1', job(name));
    await moveTo(page, `/campaigns/${name}`);
    await page.getByText(detail.status.text, { exact: true }).waitFor();
    await page.getByRole('region', { name: /, started by/ }).waitFor();
    const text = `${await page.title()} ${await page.locator('main').innerText()}`;
    if (isCalled) expect(saying(text), name).toContain('running');
    else expect(saying(text), name).toEqual([]);
    const stops = page.getByRole('button', { name: 'Stop after these calls' });
    expect(await stops.count(), name).toBe(isCalled ? 1 : 0);
  }
}, 120_000);

it('a page shows no job of the campaign before, and takes no guess of the running minute for the most', async () => {
  const { open } = await aCampaign({ people: 1 });
  const page = await aPage(await open(), { as: 'ann' });
  const [one, other] = CASES.filter(({ is, work }) => is === 'waiting' && work === 'calls');
  if (one === undefined || other === undefined) throw new Error('there are two');
  for (const { name, detail } of [one, other]) {
    const json = { ...detail, perMinute: 600, held: 1 };
    await page.route(`**/api/v1/campaigns/${name}`, (route) => route.fulfill({ json }));
    const minutes = { from: new Date(NOW - 180_000).toISOString(), begun: [3, 12], held: [2, 4] };
    const answer = { json: minutes };
    await page.route(`**/api/v1/campaigns/${name}/minutes*`, (route) => route.fulfill(answer));
  }
  const items = [job(one.name)];
  await page.route('**/api/v1/jobs', (route) => route.fulfill({ json: { items } }));
  await page.route('**/api/v1/jobs/job_1', (route) => route.fulfill({ json: job(one.name) }));
  await page.goto(`/campaigns/${one.name}`);
  await page.getByRole('region', { name: /, started by/ }).waitFor();
  await page.getByLabel(/^Calls a minute since .*: 600 now, at most 12\.$/).waitFor();
  await page.getByLabel(/^Calls at once since .*: 1 of \d+ now, at most 4\.$/).waitFor();

  await moveTo(page, `/campaigns/${other.name}`);
  await page.getByText(other.detail.status.text, { exact: true }).waitFor();
  expect(await page.getByRole('region', { name: /, started by/ }).count()).toBe(0);
});
