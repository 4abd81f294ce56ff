import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CampaignDetail } from '../../../src/views/campaigns.ts';
import { plan as planView, type PlanView } from '../../../src/views/plan.ts';
import type { Reading, SentLists, Surveyed } from '../../../src/views/lists.ts';
import type { Job } from '../../../src/views/jobs.ts';
import { desk } from '../../helpers/callsheet.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { rowsXml, textCell, workbookFile } from '../../helpers/files/workbook-file.ts';

const SAMPLE = readFileSync('data/samples/leads.csv');

/** The embedded service has answers at once; they need not be waited for. */
const QUICK = { 'polling.floor': '20ms', 'polling.ceiling': '200ms' };

interface Upload {
  id: string;
  name: string;
  bytes: number;
}

let console: TestConsole;
beforeAll(async () => {
  console = await startTestConsole({ mostUploadBytes: 50_000, io: { clock: hastyClock(20) } });
});
afterAll(async () => {
  await console.close();
});

const send = (name: string, body: string | Uint8Array<ArrayBuffer>, method = 'POST') =>
  fetch(`${console.url}/api/v1/uploads?name=${encodeURIComponent(name)}`, {
    method,
    headers: { authorization: `Bearer ${console.tokens.operator ?? ''}` },
    body,
  });
const sent = async (name: string, body: string | Uint8Array<ArrayBuffer>) =>
  (await (await send(name, body)).json()) as Upload;
const begin = async (...uploads: string[]) =>
  (await console.json<{ name: string }>('POST', '/api/v1/campaigns', { uploads })).name;
const campaign = (name: string) => console.json<CampaignDetail>('GET', `/api/v1/campaigns/${name}`);
const set = (name: string, settings: Record<string, string>) =>
  console.json('PATCH', `/api/v1/campaigns/${name}/settings`, { set: settings });
const sentLists = (name: string) =>
  console.json<SentLists>('GET', `/api/v1/campaigns/${name}/lists/sent`);
const read = async (name: string, reading: Partial<Reading>, n = 0) => {
  const { lists } = await sentLists(name);
  await console.json('PATCH', `/api/v1/campaigns/${name}/lists/${lists[n]?.list ?? ''}`, reading);
};
const work = async (name: string, what: string, body: unknown = {}, answers: string[] = []) => {
  const job = await console.json<Job>('POST', `/api/v1/campaigns/${name}/${what}`, body);
  return console.jobEnd(job.id, answers);
};
const here = (...args: string[]) =>
  desk({}).run(args, { cwd: console.folder, clock: console.world.clock });
const uploadsKept = () => {
  const folder = join(console.folder, 'data', 'uploads');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('a list that is sent', () => {
  it('is kept under its own name, whatever tricks that name tries', async () => {
    for (const [given, kept] of [
      ['leads.csv', 'leads.csv'],
      ['../../etc/passwd', 'passwd'],
      ['C:\\Users\\ann\\list.csv', 'list.csv'],
      ['..', 'list'],
      ['a\u0000b\u202Ec.csv', 'abc.csv'],
      [`${'ä'.repeat(300)}.csv`, expect.stringMatching(/^ä+\.csv$/)],
    ] as const) {
      const { id, name } = await sent(given, 'phone\n+12125550101\n');
      expect(name).toEqual(kept);
      expect(uploadsKept()).toContain(id);
      await console.json('DELETE', `/api/v1/uploads/${id}`);
      expect(uploadsKept()).not.toContain(id);
    }
  });

  it('may come by PUT, as curl -T sends it', async () => {
    const answer = await send('leads.csv', 'phone\n', 'PUT');
    expect(answer.status).toBe(201);
  });

  it('leaves nothing behind when it is too large, announced or not', async () => {
    const before = uploadsKept();
    const large = await send('large.csv', 'x'.repeat(60_000));
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ code: 'UPLOAD_TOO_LARGE' });
    const { hostname, port } = new URL(console.url);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname);
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => {
        resolve(text);
      });
      socket.on('error', () => {
        resolve(text);
      });
      socket.write(
        `POST /api/v1/uploads?name=x HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${console.tokens.operator ?? ''}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
      );
      for (let n = 0; n < 60; n++) socket.write(`3e8\r\n${'y'.repeat(1_000)}\r\n`);
      socket.write('0\r\n\r\n');
    });
    expect(answer).toContain('413');
    expect(uploadsKept()).toEqual(before);
  });

  it('leaves nothing behind when its sender is gone in the middle', async () => {
    const before = uploadsKept();
    const { hostname, port } = new URL(console.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /api/v1/uploads?name=x HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${console.tokens.operator ?? ''}\r\nContent-Length: 1000\r\n\r\nphone\n`,
    );
    while (uploadsKept().length === before.length) await console.world.clock.sleep(5);
    socket.destroy();
    while (uploadsKept().length > before.length) await console.world.clock.sleep(5);
    expect(uploadsKept()).toEqual(before);
  });
});

describe('a new campaign', () => {
  it('is a draft for the terminal, too, and goes to results that equal those of the terminal', async () => {
    const { id: upload } = await sent('leads.csv', new Uint8Array(SAMPLE));
    const name = await begin(upload);
    expect(await campaign(name)).toMatchObject({ name: 'leads', state: 'draft', service: '' });
    const listed = await here('list');
    expect(listed.out).toMatch(/leads\s+draft/);
    expect((await here('check', 'leads')).err).toContain('--service');
    await set(name, { service: 'simulated', country: 'US', concurrency: '60', ...QUICK });

    const { lists } = await sentLists(name);
    expect(lists[0]).toMatchObject({ kind: 'text', delimiter: ',', headerLine: 1, rows: 60 });
    expect(lists[0]?.columns.find(({ meaning }) => meaning === 'phone')?.samples).toHaveLength(3);

    const survey = (await work(name, 'survey')).result as Surveyed;
    expect(survey.lists[0]).toMatchObject({ rows: 60, good: 53, rejected: 6, duplicates: 1 });
    expect(survey.ahead).toMatchObject({ waiting: 53, nextOpeningAt: null });
    expect(survey.ahead?.days.map(({ spans }) => spans.map(({ people }) => people))).toEqual(
      Array(8).fill([53]),
    );
    for (const { kind, count, rows } of survey.lists[0]?.reasons ?? []) {
      expect(rows.length).toBe(Math.min(5, count));
      expect(kind).toMatch(/rejected|duplicate|suppressed/);
    }

    const plan = (await work(name, 'plan')).result;
    expect(plan).toMatchObject({
      ...{ callNow: 53, missing: [], service: { simulated: true, live: false } },
    });
    expect(planView.parse(plan)).toEqual(plan);
    expect((await here('check', 'leads')).err).toContain('53 to call now');

    expect(await work(name, 'start')).toMatchObject({
      state: 'done',
      result: { state: 'completed' },
    });
    expect(uploadsKept()).not.toContain(upload);
    expect(await campaign(name)).toMatchObject({
      ...{ total: 53, done: 53 },
      lists: [{ path: 'leads.csv', good: 53, finishedAt: expect.any(String) as unknown }],
    });

    for (const format of ['csv', 'excel', 'jsonl']) {
      const answer = await console.ask('GET', `/api/v1/campaigns/leads/results?format=${format}`);
      const { out } = await here('export', 'leads', '--format', format, '-o', '-');
      const bytes = await answer.arrayBuffer();
      expect(Buffer.from(bytes).toString()).toBe(out);
    }
  });

  it('is started in the terminal, which imports what was sent', async () => {
    const { id: upload } = await sent('night.csv', 'phone\n+12125550101\n');
    const name = await begin(upload);
    await set(name, { service: 'simulated', ...QUICK });
    expect(await here('check', '--rehearse', name)).toMatchObject({ code: 0 });
    expect((await campaign(name)).total).toBe(0);
    expect(await here('run', name)).toMatchObject({ code: 0 });
    expect(await campaign(name)).toMatchObject({ state: 'completed', done: 1 });
    expect(uploadsKept()).not.toContain(upload);
  });

  it('takes at most 200 chosen columns of a list', async () => {
    const name = await begin((await sent('wide.csv', 'phone\n+12125550101\n')).id);
    const list = (await sentLists(name)).lists[0]?.list ?? '';
    const columns = Object.fromEntries(
      Array.from({ length: 201 }, (_, n) => [`#${n + 1}`, 'ignore'] as const),
    );

    const answer = await console.ask('PATCH', `/api/v1/campaigns/${name}/lists/${list}`, {
      columns,
    });

    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('has at most 200'),
    ]);
  });

  it('says of a list with unclear columns what is wrong, and takes what is chosen', async () => {
    const list = 'name,office,own\nAnn,+12125550101,+12125550102\n';
    const name = await begin((await sent('odd.csv', list)).id);
    await set(name, { service: 'simulated' });
    await read(name, { columns: { '#3': 'phone', '#2': 'ignore' } });
    const { lists, meanings } = await sentLists(name);
    expect(lists[0]?.problem).toBeNull();
    expect(lists[0]?.columns.map(({ meaning }) => meaning)).toEqual(['name', 'ignore', 'phone']);
    expect(meanings.map(({ meaning }) => meaning)).toEqual(
      expect.arrayContaining(['firstName', 'lastName', 'phone']),
    );
    await work(name, 'import');
    const people = await console.json<{ items: { phone: string }[] }>(
      'GET',
      '/api/v1/campaigns/odd/people',
    );
    expect(people.items.map(({ phone }) => phone)).toEqual(['+12125550102']);
    expect((await campaign('odd')).state).toBe('draft');
    // A list with the same columns is taken for the same.
    const next = await begin((await sent('next.csv', list.replaceAll('555010', '555011'))).id);
    expect((await sentLists(next)).lists[0]?.reading.columns).toEqual({
      '#2': 'ignore',
      '#3': 'phone',
    });
  });

  it('gives out the rows that are not taken, and takes them mended with the rest', async () => {
    const { id: upload } = await sent('mend.csv', 'name,phone\nAnn,+12125550101\nBen,12345\n');
    const name = await begin(upload);
    await set(name, { service: 'simulated', country: 'US', ...QUICK });
    const rejects = await console.ask('GET', `/api/v1/campaigns/${name}/rejects?list=mend.csv`);
    const text = await rejects.text();
    expect(text).toMatch(/^name,phone,line,reason\r?\nBen,12345,3,/);
    const { id: mended } = await sent('mend.csv', text.replace('12345', '+12125550102'));
    await console.json('POST', `/api/v1/campaigns/${name}/lists`, { uploads: [mended] });
    const survey = (await work(name, 'survey')).result as Surveyed;
    expect(survey.lists.map((list) => list.name)).toEqual(['mend.csv', 'mend-2.csv']);
    expect(survey.good).toBe(2);
    expect(await work(name, 'start')).toMatchObject({ state: 'done' });
    expect(await campaign(name)).toMatchObject({ total: 2, done: 2 });
  });

  it('comes from a workbook, too, by the sheet that is chosen', async () => {
    const sheet = (...rows: string[][]) => rowsXml(rows.map((cells) => cells.map(textCell)));
    const book = workbookFile({
      sheets: [
        { name: 'Notes', rows: sheet(['word'], ['lead']) },
        { name: 'People', rows: sheet(['name', 'phone'], ['Ann', '+12125550101']) },
      ],
    });
    const name = await begin((await sent('people.xlsx', new Uint8Array(book))).id);
    await read(name, { sheet: 'People' });
    expect((await sentLists(name)).lists[0]).toMatchObject({
      ...{ kind: 'workbook', sheet: 'People', problem: null },
    });
    await set(name, { service: 'simulated' });
    expect(await work(name, 'import')).toMatchObject({ state: 'done' });
    expect((await campaign(name)).total).toBe(1);
    expect((await campaign(name)).lists).toHaveLength(1);
  });

  it('is named after its first list, however that is packed, by a name that no campaign has', async () => {
    const list = new Uint8Array(gzipSync('phone\n+12125550101\n'));
    for (const [file, name] of [
      ['spring.csv.gz', 'spring'],
      ['spring.csv.gz', 'spring-2'],
      ['autumn.2026.csv', 'autumn.2026'],
      [`${'x'.repeat(150)}.csv`, 'x'.repeat(95)],
    ] as const)
      expect(await begin((await sent(file, list)).id)).toBe(name);
  });

  it('takes the same file once', async () => {
    const list = 'phone\n+12125550101\n';
    const name = await begin((await sent('once.csv', list)).id);
    const uploads = [(await sent('again.csv', list)).id];
    await console.json('POST', `/api/v1/campaigns/${name}/lists`, { uploads });
    expect((await sentLists(name)).lists.map((one) => one.name)).toEqual(['once.csv']);
    expect(uploadsKept()).not.toContain(uploads[0]);
  });

  it('says what a file is that is no list', async () => {
    const page = '<!DOCTYPE html><html><body>Sign in</body></html>';
    const name = await begin((await sent('page.csv', page)).id);
    const { lists } = await sentLists(name);
    expect(lists[0]).toMatchObject({ kind: null, problem: { code: 'LIST_UNREADABLE' } });
    expect(JSON.stringify(lists[0])).not.toContain(console.folder);
    await set(name, { service: 'simulated' });
    const started = await work(name, 'start');
    expect(started.state).toBe('failed');
    expect(JSON.stringify(started)).not.toContain(console.folder);
    await console.json('DELETE', `/api/v1/campaigns/${name}/lists/${lists[0]?.list ?? ''}`);
    expect((await sentLists(name)).lists).toEqual([]);
  });

  it('changed in two tabs is asked about, not overwritten', async () => {
    const name = await begin((await sent('two.csv', 'phone\n+12125550101\n')).id);
    const { version } = await campaign(name);
    const { lists } = await sentLists(name);
    const at = `/api/v1/campaigns/${name}`;
    await console.json('PATCH', `${at}/settings`, { set: { country: 'US' }, ifVersion: version });
    for (const [method, path, body] of [
      ['PATCH', `${at}/lists/${lists[0]?.list ?? ''}`, { encoding: 'utf-8', ifVersion: version }],
      ['PATCH', `${at}/settings`, { set: { service: 'simulated' }, ifVersion: version }],
      ['DELETE', `${at}?ifVersion=${version}`, undefined],
    ] as const) {
      const late = await console.ask(method, path, body);
      expect(late.status).toBe(409);
      expect(await late.json()).toMatchObject({ code: 'CAMPAIGN_CHANGED' });
    }
    expect((await sentLists(name)).lists[0]?.reading.encoding).toBeNull();
  });

  it('says what is still to be chosen', async () => {
    const name = await begin((await sent('later.csv', 'phone\n12345\n+12125550101\n')).id);
    const { missing } = (await work(name, 'plan')).result as PlanView;
    expect(missing.map(({ give }) => give)).toEqual([
      '--service NAME',
      '--agent ID',
      '--country CC',
    ]);
  });

  it('has the rules that its service needs, unless a person has chosen others', async () => {
    const name = await begin((await sent('rules.csv', 'phone\n+12125550101\n')).id);
    const rules = async () => (await campaign(name)).settings['rules'];
    expect(await rules()).toBe('local');
    await set(name, { service: 'simulated' });
    expect(await rules()).toBe('always');
    await set(name, { rules: 'conservative' });
    await set(name, { service: 'simulated' });
    expect(await rules()).toBe('conservative');
  });

  it('keeps who asks not to be called, though nobody else is on its list', async () => {
    const list = 'phone,DNC\n+12125550171,yes\n+12125550172,yes\n';
    const name = await begin((await sent('asked.csv', list)).id);
    await set(name, { service: 'simulated' });
    expect(await work(name, 'plan')).toMatchObject({
      state: 'failed',
      problem: { code: 'LIST_HAS_NO_GOOD_ROW' },
    });
    const later = await begin((await sent('later.csv', 'phone\n+12125550171\n')).id);
    await set(later, { service: 'simulated' });
    const { lists } = (await work(later, 'survey')).result as Surveyed;
    expect(lists[0]).toMatchObject({ rows: 1, good: 0, suppressed: 1 });
  });

  it('is rehearsed before it has people, and given up: nobody is called, and nothing is left', async () => {
    const { id: upload } = await sent('dry.csv', 'phone\n+12125550101\n+12125550102\n');
    const name = await begin(upload);
    await set(name, { service: 'simulated' });
    expect(JSON.stringify((await work(name, 'rehearse')).result)).toContain('2 calls');
    expect((await campaign(name)).total).toBe(0);
    await console.json('DELETE', `/api/v1/campaigns/${name}`);
    expect((await console.ask('GET', `/api/v1/campaigns/${name}`)).status).toBe(404);
    expect(uploadsKept()).not.toContain(upload);
  });

  it('with people is not given up: what was done is kept', async () => {
    const name = await begin((await sent('kept.csv', 'phone\n+12125550101\n')).id);
    await set(name, { service: 'simulated' });
    await work(name, 'import');
    const refused = await console.ask('DELETE', `/api/v1/campaigns/${name}`);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: 'CAMPAIGN_STARTED' });
  });
});
