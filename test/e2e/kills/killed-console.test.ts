import { mkdirSync, readdirSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { CampaignDetail } from '../../../src/views/campaigns.ts';
import type { Job } from '../../../src/views/jobs.ts';
import { aDesk, json } from '../../cli/commands/desk.ts';
import type { Desk } from '../../helpers/callsheet.ts';
import { spawnCallsheet } from '../../helpers/compiled-program.ts';
import { aPhone } from '../../helpers/factory.ts';
import { until } from '../../helpers/until.ts';

const ROWS = 4_000;
const MORE = 40;
const SPRING = '/api/v1/campaigns/spring';

/** The console as a process of its own, and requests to it with a token of an operator. */
async function openConsole(at: Desk, token: string) {
  const process = spawnCallsheet(at, ['console', '--port', '0', '--json', '--no-open']);
  await process.written('}\n');
  const { url } = JSON.parse(process.output.out) as { url: string };
  const headers = { authorization: `Bearer ${token}` };
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method, headers: { ...headers, ...type }, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  };
  const send = async (name: string, body: string) => {
    const answer = await fetch(`${url}/api/v1/uploads?name=${name}`, {
      ...{ method: 'POST', headers, body },
    });
    return ((await answer.json()) as { id: string }).id;
  };
  const jobEnd = async ({ id }: Job): Promise<Job> => {
    let job = await ask<Job>('GET', `/api/v1/jobs/${id}`);
    await until(async () => {
      job = await ask<Job>('GET', `/api/v1/jobs/${id}`);
      return job.endedAt !== null || job.question !== null;
    });
    return job;
  };
  return { process, ask, send, jobEnd };
}

function listOf(from: number, rows: number): string {
  return `phone\n${Array.from({ length: rows }, (_, i) => aPhone(from + i)).join('\n')}\n`;
}

/** A console that was killed with kill -9 in the middle of importing the first of the two lists of a draft. */
async function killedInImport() {
  const { at, service } = await aDesk();
  mkdirSync(at.path('campaigns'));
  at.write('campaigns/services.yaml', `desk:\n  url: ${service.url}\n  keyEnv: VOICE_API_KEY\n`);
  const made = await at.run(['tokens', 'add', 'desk', '--role', 'operator', '--json']);
  const { token } = JSON.parse(made.out) as { token: string };
  const first = await openConsole(at, token);
  const uploads = [
    await first.send('spring.csv', listOf(0, ROWS)),
    await first.send('more.csv', listOf(ROWS, MORE)),
  ];
  await first.ask('POST', '/api/v1/campaigns', { uploads });
  const set = { service: 'desk', agent: 'ag_1' };
  await first.ask('PATCH', `${SPRING}/settings`, { set });
  await first.ask('POST', `${SPRING}/import`, {});
  await until(() => leadsIn(at) > 0);
  first.process.kill('SIGKILL');
  expect((await first.process.ended).signal).toBe('SIGKILL');
  expect(leadsIn(at)).toBeLessThan(ROWS);
  return { at, service, token };
}

function leadsIn(at: Desk): number {
  if (!at.has('data/callsheet.db')) return 0;
  const db = new Sqlite(at.path('data/callsheet.db'), { readonly: true });
  try {
    return db.prepare('SELECT count(*) FROM leads').pluck().get() as number;
  } catch {
    return 0;
  } finally {
    db.close();
  }
}

const uploadsOf = (at: Desk) => readdirSync(at.path('data/uploads'));

it('a console that was killed in the middle of an import says so when it starts again, as serve and status do, and finds its list: Start brings in the missing rows of both lists once', async () => {
  const { at, service, token } = await killedInImport();
  at.write('leads.csv', 'phone\n+12125550100\n');
  const take = ['import', 'autumn', 'leads.csv', '--service', 'desk', '--agent', 'ag_1'];
  expect(await at.run(take)).toMatchObject({ code: 0 });
  const serve = spawnCallsheet(at, ['serve', '--port', '0']);
  await serve.written('Nobody calls autumn: ');
  await serve.written('Nobody calls spring: ');
  expect(serve.output.err).toContain('1 lead waits');
  serve.kill('SIGTERM');
  await serve.ended;
  const shown = (await json(at, ['status', 'spring'])) as { heldUpBy: string };
  expect(shown.heldUpBy).toContain('`callsheet run spring` goes on with it');

  const { process, ask, jobEnd } = await openConsole(at, token);
  await process.written('Nobody calls spring: ');
  expect(process.output.err).toMatch(/of spring\.csv, begun .* was broken off: .*`npx callsheet/);
  const found = await ask<CampaignDetail>('GET', SPRING);
  expect(found).toMatchObject({ state: 'draft', attention: 'import' });
  expect(found.why).toContain('was broken off');
  expect(found.why).not.toContain('not there');

  const started = await jobEnd(await ask('POST', `${SPRING}/start`, { yes: true, limit: 3 }));
  expect(started).toMatchObject({ state: 'done', problem: null });
  const { lists, total } = await ask<CampaignDetail>('GET', SPRING);
  expect(lists).toMatchObject([
    { path: 'spring.csv', finishedAt: expect.any(String) as unknown, good: ROWS },
    { path: 'more.csv', finishedAt: expect.any(String) as unknown, good: MORE },
  ]);
  expect(total).toBe(ROWS + MORE);
  expect(leadsIn(at)).toBe(ROWS + MORE + 1);
  expect(new Set(service.dialled).size).toBe(3);
  expect(uploadsOf(at)).toEqual([]);
});
