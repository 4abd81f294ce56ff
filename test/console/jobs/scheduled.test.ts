import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CampaignDetail, ScheduleDay } from '../../../src/views/campaigns.ts';
import type { Job } from '../../../src/views/jobs.ts';
import { desk } from '../../helpers/callsheet.ts';
import { START, WholeMs } from '../../helpers/clock.ts';
import { startTestConsole } from '../../helpers/console.ts';
import { until } from '../../helpers/until.ts';

const LIST = 'phone\n+12125550101\n+12125550102\n+12125550103\n';
const SPRING = '/api/v1/campaigns/spring';
const MINUTE_MS = 60_000;

/** A console at three, and a campaign that is called at 15:20. */
async function scene() {
  const here = desk();
  here.write('spring.csv', LIST);
  const clock = new WholeMs();
  const flags = ['--service', 'simulated', '--timezone', 'UTC', '--rules', 'always'];
  const scheduled = ['--set', 'schedule=20 15 * * *'];
  const imported = await here.run(['import', 'spring', 'spring.csv', ...flags, ...scheduled], {
    clock,
  });
  expect(imported).toMatchObject({ code: 0 });
  const console = await startTestConsole({ folder: here.cwd, io: { clock } });
  onTestFinished(() => console.close());
  const job = async (id: string) => console.json<Job>('GET', `/api/v1/jobs/${id}`);
  /** @returns the job, once it has said when it calls, or begins to call */
  const start = async (body: object, how: 'start' | 'resume' = 'start') => {
    const { id } = await console.json<Job>('POST', `${SPRING}/${how}`, body);
    await until(async () => {
      const { endedAt, messages } = await job(id);
      const isTold = 'now' in body || messages.some(({ text }) => text.includes('next at'));
      return endedAt !== null || isTold;
    });
    return id;
  };
  const progress = () => console.json<CampaignDetail>('GET', SPRING);
  const firstCall = async () => {
    const { out } = await here.run([
      'report',
      '--by',
      'night',
      'spring',
      '--db',
      'data/simulated.db',
      '--json',
    ]);
    return (JSON.parse(out) as { items: { firstCallAt: string }[] }).items[0]?.firstCallAt;
  };
  return { console, clock, job, start, progress, firstCall };
}

function changeSettings(folder: string) {
  const db = new Database(join(folder, 'data', 'simulated.db'));
  db.exec(`UPDATE campaigns SET version = version + 1,
    settings = json_set(settings, '$.concurrency', 9)`);
  db.close();
}

describe('Start in the console, with a schedule', () => {
  it('calls nobody before the time of the schedule, says when that is, and calls then', async () => {
    const { clock, job, start, progress, firstCall } = await scene();
    const text = 'Calling starts today at 15:20, until tomorrow at 05:00, then tomorrow at 15:20.';
    const before = { when: 'today at 15:20', text, at: '2026-01-05T15:20:00+00:00' };
    expect((await progress()).begins).toMatchObject({ ...before, isOn: false });
    const id = await start({});
    expect((await progress()).begins).toMatchObject({ ...before, isOn: true });
    expect((await job(id)).messages.map(({ text }) => text)).toContain(
      'spring: schedule 20 15 * * *, next at Mon 2026-01-05 15:20 UTC.',
    );
    await clock.advance(19 * MINUTE_MS);
    expect(await progress()).toMatchObject({ waiting: 3, dials: { made: 0 } });
    // In small steps: the service answers in the time of the machine.
    while ((await job(id)).endedAt === null) await clock.advance(2_000);
    expect(await progress()).toMatchObject({ done: 3, dials: { made: 3 }, begins: null });
    expect(await firstCall()).toMatch(/^2026-01-05T15:2\d:/);
  });

  it('calls at once where somebody has asked for that', async () => {
    const { clock, job, start, progress, firstCall } = await scene();
    const id = await start({ now: true });
    while ((await job(id)).endedAt === null) await clock.advance(2_000);
    const { done, history } = await progress();
    expect(done).toBe(3);
    expect(history.map(({ text }) => text)).toContain(
      'token operator called the campaign at once, not at the times of its schedule.',
    );
    expect(await firstCall()).toMatch(/T15:0\d:/);
  });

  it('goes on at the next time of the schedule once the night is over in which somebody has called at once', async () => {
    const { clock, job, start, progress, firstCall, console } = await scene();
    // It is four in the morning there: this night ends at five.
    const set = { timezone: 'Pacific/Auckland', schedule: '05:30', 'stop.at': '04:10' };
    await console.json('PATCH', `${SPRING}/settings`, { set });
    await clock.advance(15 * MINUTE_MS);
    const id = await start({ now: true });
    // It has begun: no call of this night may begin any more.
    while (!(await progress()).status.text.startsWith('Waiting for 05:30'))
      await clock.advance(1_000);
    await clock.advance(60 * MINUTE_MS);
    expect(await progress()).toMatchObject({ waiting: 3, dials: { made: 0 } });
    while ((await job(id)).endedAt === null) await clock.advance(2_000);
    expect(await firstCall()).toMatch(/^2026-01-06T05:3\d:/);
  });

  it('ends a call of some now where nobody may be called now, and does not wait for the schedule', async () => {
    const { clock, job, start, progress, console } = await scene();
    const set = { rules: 'local', 'hours.from': '15:10', 'hours.to': '15:50' };
    await console.json('PATCH', `${SPRING}/settings`, { set });
    const id = await start({ now: true, limit: 10 });
    for (let s = 0; s < 60 && (await job(id)).endedAt === null; s += 2) await clock.advance(2_000);
    expect((await job(id)).endedAt).not.toBeNull();
    expect(await progress()).toMatchObject({ waiting: 3, dials: { made: 0 } });
  });

  it('has no calls of a time on the page of days ahead that was over when somebody started it', async () => {
    const { clock, start, progress, console } = await scene();
    await clock.advance(30 * MINUTE_MS);
    await start({});
    expect((await progress()).begins).toMatchObject({ when: 'tomorrow at 15:20' });
    type Ahead = { items: { days: ScheduleDay[] }[] };
    const { items } = await console.json<Ahead>('GET', '/api/v1/schedule');
    const [today, tomorrow] = items[0]?.days ?? [];
    expect([today?.spans, tomorrow?.spans.map(({ from }) => from)]).toEqual([
      [],
      ['2026-01-06T15:20:00+00:00'],
    ]);
  });

  it('resumes for the schedule also while calls of a call at once are on the line', async () => {
    const { clock, start, progress, console } = await scene();
    await console.json('PATCH', `${SPRING}/settings`, { set: { concurrency: '1' } });
    await start({ now: true });
    while ((await progress()).open === 0) await clock.advance(100);
    await console.json('POST', `${SPRING}/pause`, {});
    await start({}, 'resume');
    await clock.advance(18 * MINUTE_MS);
    expect(await progress()).toMatchObject({ waiting: 2, dials: { made: 1 } });
    while ((await progress()).done < 3) await clock.advance(2_000);
    expect(clock.now() - START).toBeGreaterThan(20 * MINUTE_MS);
  });

  it('resumes for the schedule, too', async () => {
    const { console, clock, start, progress } = await scene();
    await start({});
    await console.json('POST', `${SPRING}/pause`, {});
    await start({}, 'resume');
    await clock.advance(19 * MINUTE_MS);
    expect(await progress()).toMatchObject({ waiting: 3, dials: { made: 0 } });
  });

  it('calls nobody by the yes to a resume where somebody changes the campaign before the calls', async () => {
    const { console, clock, job, start, progress } = await scene();
    const first = await start({});
    await console.json('POST', `${SPRING}/pause`, {});
    while ((await job(first)).endedAt === null) await clock.advance(1_000);
    const { newId } = console.world;
    // Between the two jobs: the one that resumes, and the one that calls.
    let jobs = 0;
    const changed = (kind: string) => {
      if (kind === 'job' && ++jobs === 2) changeSettings(console.folder);
      return newId(kind);
    };
    Object.assign(console.world, { newId: changed });
    const { id } = await console.json<Job>('POST', `${SPRING}/resume`, {});
    const ended = async (each: string) => {
      await until(async () => (await job(each)).endedAt !== null);
      return job(each);
    };
    expect((await ended(id)).result).toEqual({ changed: true });
    const { items } = await console.json<{ items: Job[] }>('GET', '/api/v1/jobs');
    const call = await ended(items.find(({ kind }) => kind === 'call')?.id ?? '');
    expect(call).toMatchObject({ state: 'failed', problem: { code: 'CAMPAIGN_CHANGED' } });
    expect(await progress()).toMatchObject({ waiting: 3, dials: { made: 0 } });
  });

  it('ends when the campaign is paused while it waits', async () => {
    const { console, clock, job, start } = await scene();
    const id = await start({});
    await console.json('POST', `${SPRING}/pause`, {});
    while ((await job(id)).endedAt === null) await clock.advance(1_000);
    expect((await job(id)).state).toBe('done');
  });
});
