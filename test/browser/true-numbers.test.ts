import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CampaignDetail, Campaigns } from '../../src/views/campaigns.ts';
import type { Filters } from '../../src/views/people.ts';
import type { Summary } from '../../src/views/results.ts';
import type { Simulator } from '../../src/simulator/server.ts';
import { spawnCallsheet } from '../helpers/compiled-program.ts';
import { until } from '../helpers/until.ts';
import { aCampaign } from './helpers/a-campaign.ts';
import { aPage } from './helpers/a-page.ts';
import { linkTo } from './helpers/a-program.ts';

const PEOPLE = 60;
const AT_ONCE = 8;
const EVERY_MS = 200;
/** What the browser itself writes of a console that went away. */
const CUT = [
  /ERR_CONNECTION_(REFUSED|RESET)|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED/,
];

/** What really happened so far. */
function truth(service: Simulator) {
  const rings = service
    .ledger()
    .flatMap(({ phone_number: phone, rings: all }) =>
      all.map(({ call_id: id, ended_at: endedAt, outcome }) => ({ phone, id, endedAt, outcome })),
    );
  return {
    rings: rings.length,
    people: new Set(rings.map(({ phone }) => phone)).size,
    ended: rings.filter(({ endedAt }) => endedAt !== null).length,
    answered: rings.filter(({ outcome }) => outcome === 'answered').length,
    live: new Set(rings.filter(({ endedAt }) => endedAt === null).map(({ id }) => id)),
  };
}
type Truth = ReturnType<typeof truth>;

/** Numbers that somebody reads somewhere, with the words that stand beside them; left out: they do not stand there. */
interface Read {
  where: string;
  total?: number;
  waiting?: number;
  onTheLine?: number;
  unknown?: number;
  done?: number;
  answered?: number;
  results?: number;
  made?: number;
  inDoubt?: number;
  held?: number;
}

/** What of it cannot be true, when that was true before it was read and this after. */
function lies(read: Read, before: Truth, after: Truth): string[] {
  const { where, total, waiting, onTheLine, unknown, done, results, made, held } = read;
  const found: string[] = [];
  const hold = (isTrue: boolean, what: string) => {
    if (!isTrue) found.push(`${where}: ${what}: ${JSON.stringify({ read, before, after })}`);
  };
  if (total !== undefined) hold(total === PEOPLE, `there are ${PEOPLE} people`);
  if (waiting !== undefined && done !== undefined && onTheLine !== undefined)
    hold(waiting + onTheLine + (unknown ?? 0) + done === PEOPLE, 'everybody is somewhere once');
  if (results !== undefined && done !== undefined)
    hold(results === done, 'who is done has a result');
  if (read.answered !== undefined) hold(read.answered <= after.answered, 'nobody else answered');
  if (made !== undefined) {
    hold(made <= after.rings, 'no other call was made');
    if (read.inDoubt !== undefined && held !== undefined)
      hold(made + read.inDoubt + held >= before.rings, 'each call that rang is counted');
  }
  if (waiting !== undefined)
    hold(PEOPLE - waiting >= before.people, 'who was called waits no more');
  if (held !== undefined) {
    hold(held <= AT_ONCE, 'no more slots than there are');
    const both = [...before.live].filter((id) => after.live.has(id)).length;
    hold(both <= held, 'a call on the line holds a slot');
  }
  return found;
}

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);

function ofCampaign(where: string, of: Omit<CampaignDetail, 'openDoubts'> | Campaigns['items'][0]) {
  const { total, waiting, calling, unknown, done, results, dials, held } = of;
  const { made, inDoubt } = dials;
  const answered = results['answered'] ?? 0;
  const counted = { total, waiting, onTheLine: calling - unknown, unknown, done, answered };
  return { where, ...counted, results: sum(Object.values(results)), made, inDoubt, held };
}

function ofSummary(where: string, { figures: { leads, results, calls } }: Summary): Read {
  const { total, waiting, calling, done } = leads;
  const { made, inDoubt, answered } = calls;
  const ended = sum(results.map(({ leads: people }) => people));
  return {
    where,
    total,
    waiting,
    onTheLine: calling,
    done,
    results: ended,
    made,
    inDoubt,
    answered,
  };
}

function ofFilters(where: string, { total, states, results }: Filters): Read {
  const of = (state: string) => states.find((one) => one.state === state)?.people ?? 0;
  const [waiting, onTheLine, unknown, done] = ['waiting', 'calling', 'unknown', 'done'].map(of);
  const answered = results.find(({ result }) => result === 'answered')?.people ?? 0;
  const ended = sum(results.map(({ people }) => people));
  return {
    where,
    total,
    ...{ waiting, onTheLine, unknown, done },
    answered,
    results: ended,
  } as Read;
}

/** The numbers under the words of a page, e.g. `{ Waiting: 12 }`; empty before they are there. */
const figuresOn = (page: Page) =>
  page.evaluate<Record<string, number>>(`Object.fromEntries(
    [...document.querySelectorAll('dl[aria-label=Figures] > div')].map((one) => [
      one.querySelector('dt').textContent,
      Number.parseInt(one.querySelector('dd').textContent.replaceAll(',', ''), 10)]))`);

function ofTiles(tiles: Record<string, number>): Read {
  const { Waiting, Done, Answered } = tiles;
  // The page knows it from a second ago: a call may have ended since, none can be taken back.
  return { where: 'the tiles', waiting: Waiting, done: Done, answered: Answered } as Read;
}

/** The numbers of the first page's line of a campaign: how many wait, are called and are done. */
async function ofFirstPage(page: Page): Promise<Read | undefined> {
  const text = await page.evaluate<string>(
    `document.querySelector('[role=progressbar] + p')?.textContent ?? ''`,
  );
  const [waiting, calling, done, total] = [...text.matchAll(/\d+/g)].map(Number);
  if (total === undefined) return undefined;
  return { where: 'the first page', waiting, onTheLine: calling, done, total } as Read;
}

describe('numbers', { timeout: 120_000 }, () => {
  it('of every page, the command line and the API are true while a campaign has faults, doubts and kills', async () => {
    const { service, here } = await aCampaign({
      people: PEOPLE,
      concurrency: String(AT_ONCE),
      faults: { 'drop-response': 0.04, '429': 0.1, 'read-500': 0.1 },
      settings: ['unknown.reconcileFor=1s', 'longestCall=2s'],
    });
    // The same one after a kill.
    let port = '0';
    const serve = async () => {
      const flags = ['--console', '--console-port', port, '--port', '0'];
      const started = spawnCallsheet(here, ['serve', ...flags]);
      await started.written('The console is at');
      const { out, err } = started.output;
      port = /The console is at http:\S+?:(\d+)/.exec(out + err)?.[1] ?? port;
      return started;
    };
    let process = await serve();
    const url = `http://127.0.0.1:${port}`;
    const console = { url, link: await linkTo(url, here.cwd) };
    const overview = await aPage(console, { expected: CUT });
    await overview.goto('/campaigns/spring');
    const first = await overview.context().newPage();
    await first.goto('/');
    expect((await here.run(['resume', 'spring'])).code).toBe(0);

    const ask = async <T>(path: string) =>
      (await overview.context().request.get(`/api/v1/${path}`)).json() as Promise<T>;
    const say = async <T>(...argv: string[]) =>
      JSON.parse((await here.run([...argv, '--json'])).out) as T;
    const found: string[] = [];
    let reads = 0;
    /** Each place is read between two looks at the truth. */
    const judge = async (read: () => Promise<Read | undefined>) => {
      const before = truth(service);
      const answer = await read();
      reads += 1;
      if (answer !== undefined) found.push(...lies(answer, before, truth(service)));
    };
    const api = 'campaigns/spring';
    const overHttp = [
      async () => ofCampaign('API', await ask<CampaignDetail>(api)),
      async () =>
        ofCampaign('API, all', (await ask<Campaigns>('campaigns')).items[0] as CampaignDetail),
      async () => ofFilters('filters', await ask<Filters>(`${api}/filters`)),
      async () => ofSummary('summary', await ask<Summary>(`${api}/summary`)),
    ];
    const always = [
      async () => ofCampaign('status', await say<CampaignDetail>('status', 'spring')),
      async () => ofSummary('report', await say<Summary>('report', 'spring')),
    ];
    const onPages = [async () => ofTiles(await figuresOn(overview)), () => ofFirstPage(first)];
    let kills = 0;
    for (;;) {
      const round = Date.now();
      for (const read of [...overHttp, ...always]) await judge(read);
      // A page was true a moment ago: what happened before the round before is on it.
      for (const read of onPages) {
        const answer = await read();
        reads += 1;
        if (answer !== undefined) found.push(...lies(answer, NOTHING, truth(service)));
      }
      const { rings } = truth(service);
      if (kills < 2 && rings > (kills + 1) * 20) {
        process.kill('SIGKILL');
        await process.ended;
        for (const read of always) await judge(read);
        process = await serve();
        kills += 1;
      }
      const { waiting, calling } = await say<CampaignDetail>('status', 'spring');
      if (waiting + calling === 0) break;
      const left = EVERY_MS - (Date.now() - round);
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    }
    expect(found).toEqual([]);
    expect([kills, reads > 100]).toEqual([2, true]);

    // In the end all say the same, and that is what the service has in its ledger.
    const { rings, answered } = truth(service);
    const status = await say<CampaignDetail>('status', 'spring');
    expect(status.dials.made + status.dials.inDoubt).toBeGreaterThanOrEqual(rings);
    expect(status.dials.made).toBeLessThanOrEqual(rings);
    const all = await Promise.all([...overHttp, ...always].map((read) => read()));
    for (const read of all) {
      const { total, waiting, done, made } = read;
      const want = {
        total: PEOPLE,
        waiting: 0,
        done: PEOPLE,
        ...(made !== undefined && { made: status.dials.made }),
      };
      expect({
        where: read.where,
        total,
        waiting,
        done,
        ...(made !== undefined && { made }),
      }).toEqual({ where: read.where, ...want });
    }
    expect(status.results['answered']).toBeLessThanOrEqual(answered);
    await until(async () => {
      const tiles = await figuresOn(overview);
      return tiles['Done'] === PEOPLE && tiles['Answered'] === status.results['answered'];
    });
    await until(async () => (await ofFirstPage(first))?.done === PEOPLE);
  });
});

const NOTHING: Truth = { rings: 0, people: 0, ended: 0, answered: 0, live: new Set() };
