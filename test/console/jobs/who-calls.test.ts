import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { createToken } from '../../../src/app/access/sessions.ts';
import { openConsoleStore } from '../../../src/app/access/listening.ts';
import type { CampaignDetail } from '../../../src/views/campaigns.ts';
import type { Job } from '../../../src/views/jobs.ts';
import { desk } from '../../helpers/callsheet.ts';
import { START, WholeMs } from '../../helpers/clock.ts';
import { startTestConsole } from '../../helpers/console.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { shareOf } from '../../helpers/properties.ts';
import { until } from '../../helpers/until.ts';

const LIST = 'phone\n+12125550101\n+12125550102\n+12125550103\n';
const SPRING = '/api/v1/campaigns/spring';
const MINUTE_MS = 60_000;
/** Above the greatest that a process can have. */
const NO_PID = 2 ** 22 + 1;
const DATABASE = 'data/simulated.db';

/** When the three people may be called: it is 15:00. */
const PEOPLE = {
  'due now': ['rules=always'],
  'due later': ['rules=always'],
  'their hours closed': ['rules=local', 'hours.from=15:03', 'hours.to=15:50'],
  'a schedule ahead': ['rules=always', 'schedule=3 15 * * *'],
} as const;
type People = keyof typeof PEOPLE;

/** What a person does before the page is looked at. */
const DONE = ['nothing', 'start', 'call now', 'stop', 'pause', 'kill'] as const;

/** A console, alone or within `serve`, on a folder with the campaign. */
async function scene(by: 'console' | 'serve', people: People) {
  const here = desk();
  here.write('spring.csv', LIST);
  const clock = new WholeMs();
  const set = ['timezone=UTC', 'concurrency=1', ...PEOPLE[people]];
  const flags = ['--service', 'simulated', ...set.flatMap((one) => ['--set', one])];
  const imported = await here.run(['import', 'spring', 'spring.csv', ...flags], { clock });
  expect(imported).toMatchObject({ code: 0 });
  const inDatabase = (sql: string) => {
    const db = new Database(join(here.cwd, DATABASE));
    db.exec(sql);
    db.close();
  };
  if (people === 'due later') inDatabase(`UPDATE leads SET not_before = ${START + 3 * MINUTE_MS}`);
  /** @returns what asks it, and what ends it */
  const open = async () => {
    if (by === 'console') {
      const { json, close } = await startTestConsole({ folder: here.cwd, io: { clock } });
      return { json, close };
    }
    const world = fakeWorld({ cwd: here.cwd });
    const access = await openConsoleStore({ db: DATABASE }, world);
    await access.removeToken('test');
    const { token } = await createToken(access, { name: 'test', role: 'operator' }, world);
    await access.close();
    const ports = ['--port', '0', '--console', '--console-port', '0'];
    const { io, ended } = here.begin(['serve', ...ports, '--service', 'simulated'], { clock });
    await io.written('The console is at');
    const [, url = ''] = /The console is at (\S+);/.exec(io.err()) ?? [];
    return {
      json: async <T>(method: string, path: string, body?: unknown) => {
        const answer = await fetch(url + path, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return (await answer.json()) as T;
      },
      close: async () => {
        io.signal();
        io.signal();
        await ended;
      },
    };
  };
  return { clock, open, inDatabase };
}

/** Does as a person does, and lets the clock go on until it has had its effect. */
async function shownAfter(
  done: (typeof DONE)[number],
  { clock, open, inDatabase }: Awaited<ReturnType<typeof scene>>,
) {
  let running = await open();
  onTestFinished(() => running.close());
  const detail = () => running.json<CampaignDetail>('GET', SPRING);
  const start = async (now: boolean) => {
    const { id } = await running.json<Job>('POST', `${SPRING}/start`, { now });
    // It has begun: it calls, waits, or has ended as `serve` calls.
    await until(async () => {
      const { endedAt, messages } = await running.json<Job>('GET', `/api/v1/jobs/${id}`);
      const waits = !now && messages.some(({ text }) => text.includes('next at'));
      return endedAt !== null || waits || (await detail()).runnerCalls;
    });
    return id;
  };
  if (done !== 'nothing') await start(false);
  if (done === 'call now' || done === 'stop') {
    const id = await start(true);
    if (done === 'stop') await running.json('POST', `/api/v1/jobs/${id}/stop`, {});
    const jobs = () => running.json<{ items: Job[] }>('GET', '/api/v1/jobs');
    // What calls beside it ends, too.
    while (done === 'stop' && (await jobs()).items.some(({ endedAt }) => endedAt === null))
      await clock.advance(1_000);
  }
  if (done === 'pause') await running.json('POST', `${SPRING}/pause`, {});
  if (done === 'kill') {
    await running.close();
    // As a process that was killed leaves it.
    const { host, boot } = fakeWorld({ cwd: '/' }).owner;
    inDatabase(`INSERT INTO runners (campaign_id, host, boot, pid, since, seen_at, dials)
      SELECT id, '${host}', '${boot}', ${NO_PID}, ${START}, ${START}, 1 FROM campaigns`);
    running = await open();
  }
  // Calls on the line end; nobody's time comes meanwhile.
  for (let s = 0; s < 6 || (s < 100 && (await detail()).open > 0); s += 2)
    await clock.advance(2_000);
  const shown = await detail();
  const made = shown.dials.made;
  // The time of everybody comes, without a person's doing.
  for (let s = 0; s < 300 && (await detail()).dials.made === made; s += 10)
    await clock.advance(10_000);
  return { shown, isCalled: (await detail()).dials.made > made };
}

/** By whom people are called: `serve` at any of these times in the same way. */
const SCENES: readonly (readonly ['console' | 'serve', People])[] = [
  ...(Object.keys(PEOPLE) as People[]).map((people) => ['console', people] as const),
  ['serve', 'due later'],
  ['serve', 'a schedule ahead'],
];

it.each(SCENES)(
  'a page says that calls are ahead only where they are made: %s, %s',
  async (by, people) => {
    const wrong: string[] = [];
    // Half of it, and the other half in the next scene.
    const from = SCENES.findIndex((scene) => scene[0] === by && scene[1] === people) % 2;
    for (const done of shareOf([...DONE.slice(from), ...DONE.slice(0, from)], 2)) {
      const { shown, isCalled } = await shownAfter(done, await scene(by, people));
      const { status, begins, runnerCalls, waiting } = shown;
      const says = ['waiting', 'calling'].includes(status.is);
      // The button is then Pause, else one that goes on.
      const isAhead = shown.shown !== 'paused' && (runnerCalls || begins?.isOn === true);
      const is = `${done}: ${status.text} Pause: ${isAhead}, ${waiting} wait, called: ${isCalled}`;
      if (waiting > 0 && (says !== isCalled || isAhead !== isCalled)) wrong.push(is);
    }
    expect(wrong).toEqual([]);
  },
  120_000,
);
