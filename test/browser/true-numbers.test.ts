import type { Page } from 'playwright-core';
import { request } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CampaignDetail } from '../../src/views/campaigns.ts';
import type { Filters } from '../../src/views/people.ts';
import { spawnCallsheet } from '../helpers/compiled-program.ts';
import { aCampaign } from './helpers/a-campaign.ts';
import { aPage } from './helpers/a-page.ts';
import { linkTo } from './helpers/a-program.ts';
import { liesOf, read, unseen } from './helpers/numbers/judge.ts';
import {
  AT_ONCE,
  begun,
  BUDGET,
  ledgerOf,
  liesOfStatus,
  lookAt,
  PEOPLE,
  type Look,
} from './helpers/numbers/looks.ts';
import { linesOfHtml, linesOfJson, linesOfPage } from './helpers/numbers/shown-lines.ts';

const EVERY_MS = 200;
/** A page shows a change within so long, and so long after a new start of a process that was killed. */
const LATE_MS = 2_000;
const LATE_AFTER_START_MS = 3_000;
/** Where a round takes long, the machine does: a page may be late by so many. */
const LATE_ROUNDS = 8;
const MOST_TOLD = 30;
const CALLS_A_KILL = 20;
const KILLS = 2;
/** The first minute is over after so long. */
const MINUTE_ENDS_AFTER_MS = 6_000;
/** What the browser itself writes of a console that went away. */
const CUT = [
  /ERR_CONNECTION_(REFUSED|RESET)|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED/,
  /^Blocked script execution in '\S+\/report/,
];
const PAGES: Readonly<Record<string, string>> = {
  'the first page': '/',
  'the overview': '/campaigns/spring',
  'the people': '/campaigns/spring/people',
  'the doubts': '/campaigns/spring/doubts',
  'the results': '/campaigns/spring/results',
  'the settings': '/campaigns/spring/settings',
  'the history': '/campaigns/spring/history',
  'the schedule': '/schedule',
  'the inbox': '/inbox',
  'the services': '/services',
};
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  status: ['status', 'spring'],
  report: ['report', 'spring'],
  'report --by night': ['report', 'spring', '--by', 'night'],
  'the report as a page': ['report', 'spring', '-o', '-'],
};

/** Moves this process's clock, and that of processes with the given options, to so long before the end of a minute. */
function beforeTheMinute(ms: number): { NODE_OPTIONS: string } {
  const { now } = Date;
  const ahead = (120_000 - ms - (now() % 60_000)) % 60_000;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
  onTestFinished(() => {
    spy.mockRestore();
  });
  const code = `const {now}=Date;Date.now=()=>now()+${ahead}`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` };
}

/**
 * Tells how old what a page shows may be: it has asked and waits, or it rests after an answer, for 20 times as long as that
 * took and at least a second, and a second more.
 */
const NOTE_ANSWERS = `(() => {
  const { fetch } = window;
  const answers = new Map();
  window.shownAge = () => {
    const now = performance.now();
    const shown = [...answers.values()].filter(({ began, ended, isAsked }) =>
      isAsked || now < ended + Math.max(1_000, 20 * (ended - began)) + 1_000);
    return Math.max(0, ...shown.map(({ began }) => now - began));
  };
  window.fetch = async (address, ...more) => {
    const { pathname } = new URL(address, location.href);
    const before = answers.get(pathname);
    const began = performance.now();
    answers.set(pathname, { ...(before ?? { began, ended: began }), isAsked: true });
    const isThere = () => answers.set(pathname, { began, ended: performance.now(), isAsked: false });
    try {
      const answer = await fetch(address, ...more);
      isThere();
      const json = answer.json.bind(answer);
      answer.json = () => json().finally(isThere);
      return answer;
    } catch (error) {
      answers.set(pathname, { began: 0, ended: 0, ...before, isAsked: false });
      throw error;
    }
  };
})()`;

describe('numbers', { timeout: 240_000 }, () => {
  it('of every page, the command line and the API are true while a campaign has faults, doubts and kills', async () => {
    const { service, here } = await aCampaign({
      people: PEOPLE,
      concurrency: String(AT_ONCE),
      faults: { 'drop-response': 0.04, '429': 0.1, 'read-500': 0.1 },
      settings: [
        ...['unknown.reconcileFor=1s', 'longestCall=2s'],
        ...[`stop.calls=${BUDGET}`, 'stop.total.talkMinutes=900'],
      ],
    });
    const clock = beforeTheMinute(MINUTE_ENDS_AFTER_MS + 2_500);
    // The same ones after a kill.
    let [port, metrics] = ['0', '0'];
    const serve = async () => {
      const flags = ['--console', '--console-port', port, '--port', '0', '--metrics', metrics];
      const env = { ...here.env, ...clock };
      const started = spawnCallsheet({ cwd: here.cwd, env }, ['serve', ...flags]);
      await started.written('The console is at');
      await started.written('/metrics');
      const { out, err } = started.output;
      port = /The console is at http:\S+?:(\d+)/.exec(out + err)?.[1] ?? port;
      metrics = /http:\S+?:(\d+)\/metrics/.exec(out + err)?.[1] ?? metrics;
      return started;
    };
    let process = await serve();
    const url = `http://127.0.0.1:${port}`;
    const first = await aPage({ url, link: await linkTo(url, here.cwd) }, { expected: CUT });
    await first.context().addInitScript(NOTE_ANSWERS);
    const pages: [place: string, page: Page][] = [];
    for (const [place, address] of Object.entries(PAGES)) {
      const page = pages.length === 0 ? first : await first.context().newPage();
      await page.goto(address);
      pages.push([place, page]);
    }
    expect((await here.run(['resume', 'spring'])).code).toBe(0);

    const ask = async (path: string) =>
      (await first.context().request.get(`/api/v1/${path}`)).json() as Promise<unknown>;
    const api = 'campaigns/spring';
    const overHttp: Readonly<Record<string, () => Promise<string[]>>> = {
      'API campaign': async () => linesOfJson(await ask(api)),
      'API campaigns': async () => linesOfJson(await ask('campaigns')),
      'API filters': async () => {
        const { states, results, ...others } = (await ask(`${api}/filters`)) as Filters;
        return linesOfJson({
          ...others,
          states: Object.fromEntries(states.map(({ state, people }) => [state, people])),
          results: Object.fromEntries(results.map(({ result, people }) => [result, people])),
        });
      },
      'API summary': async () => linesOfJson(await ask(`${api}/summary`)),
      'API nights': async () => linesOfJson(await ask(`${api}/nights`)),
      'API minutes': async () => linesOfJson(await ask(`${api}/minutes`)),
      'API doubts': async () => linesOfJson(await ask(`${api}/doubts`)),
      'API people': async () => linesOfJson(await ask(`${api}/people`)),
      'API schedule': async () => linesOfJson(await ask('schedule')),
      'API inbox': async () => linesOfJson(await ask('inbox')),
      'API services': async () => linesOfJson(await ask('services')),
      metrics: async () => {
        const { body } = await request(`http://127.0.0.1:${metrics}/metrics`);
        return (await body.text()).split('\n').filter((line) => line.startsWith('callsheet'));
      },
    };

    const looks: Look[] = [];
    const lies: string[] = [];
    let [round, kills, base] = [0, 0, { begun: 0, ended: 0 }];
    const look = async () => {
      const before = ledgerOf(service);
      const { out } = await here.run(['status', 'spring', '--json']);
      const given = { round, base, lost: kills * AT_ONCE };
      const seen = lookAt(service, JSON.parse(out) as CampaignDetail, given, before);
      lies.push(...liesOfStatus(seen, ledgerOf(service)));
      looks.push(seen);
      return seen;
    };
    /** When processes were killed, and when the next one was there. */
    const gaps: { from: number; to: number; round: number }[] = [];
    /** What a page must show by now at least: what was so before, long enough ago. */
    const isDue = ({ at, round: then }: Look, now: number) => {
      const gap = gaps.find(({ from, to }) => at <= to && at + LATE_MS >= from);
      const from = Math.max(at + LATE_MS, gap === undefined ? 0 : gap.to + LATE_AFTER_START_MS);
      return from <= now && Math.max(then, gap?.round ?? 0) + LATE_ROUNDS <= round;
    };
    /** The last look that a page must show, which may be older than this by so much. */
    const seenBy = (now: number, ageMs: number) => {
      const index = looks.findLastIndex((one) => one.at <= now - ageMs && isDue(one, now));
      return Math.max(0, index);
    };
    const readAll = async (isServed: boolean) => {
      const shown = await Promise.all(
        pages.map(async ([place, page]) => {
          const at = Date.now();
          const ageMs = await page.evaluate<number>('shownAge()');
          return [read(place, await linesOfPage(page)), seenBy(at, ageMs)] as const;
        }),
      );
      const told = isServed
        ? await Promise.all(
            Object.entries(overHttp).map(async ([place, lines]) => read(place, await lines())),
          )
        : [];
      const [place = '', argv = []] = Object.entries(COMMANDS)[round % 4] ?? [];
      const { out, err } = await here.run(argv);
      told.push(read(place, out.startsWith('<') ? linesOfHtml(out) : `${out}\n${err}`.split('\n')));
      await look();
      for (const [one, due] of shown) lies.push(...liesOf(one, looks.slice(due)));
      for (const one of told) lies.push(...liesOf(one, looks.slice(-2)));
      round += 1;
      return Math.min(...shown.map(([, due]) => due));
    };

    await look();
    for (let [end, seen] = [Infinity, 0]; seen < end;) {
      const began = Date.now();
      seen = await readAll(true);
      const { rings, status } = looks.at(-1) as Look;
      if (kills < KILLS && rings > (kills + 1) * CALLS_A_KILL) {
        const from = Date.now();
        gaps.push({ from, to: Infinity, round: Infinity });
        process.kill('SIGKILL');
        await process.ended;
        kills += 1;
        const { status: then } = await look();
        base = { begun: then.made + then.inDoubt, ended: then.ended };
        await readAll(false);
        process = await serve();
        gaps[kills - 1] = { from, to: Date.now(), round };
      }
      if (status.waiting + status.calling === 0) end = Math.min(end, looks.length - 1);
      const left = EVERY_MS - (Date.now() - began);
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    }
    expect(lies.slice(0, MOST_TOLD)).toEqual([]);
    expect([kills, round > 20]).toEqual([KILLS, true]);
    expect(unseen(), 'rows that no line had').toEqual([]);

    // In the end the ledger and callsheet say the same.
    const { rings, answered, status } = looks.at(-1) as Look;
    expect(status).toMatchObject({ waiting: 0, calling: 0, held: 0, done: PEOPLE });
    expect(status.made).toBeLessThanOrEqual(rings);
    expect(status.answered).toBeLessThanOrEqual(answered);
    expect(begun(looks.at(-1) as Look)).toBeGreaterThanOrEqual(rings);
  });
});
