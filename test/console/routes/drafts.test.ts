import { readFileSync, readdirSync, existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CampaignDetail } from '../../../src/console/contract/campaigns.ts';
import type {
  Draft,
  DraftColumns,
  Planned,
  Surveyed,
} from '../../../src/console/contract/drafts.ts';
import type { Job } from '../../../src/console/contract/common.ts';
import { desk } from '../../helpers/callsheet.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
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
  console = await startTestConsole({ mostUploadBytes: 50_000 });
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
const begin = (...uploads: string[]) => console.json<Draft>('POST', '/api/v1/drafts', { uploads });
const change = (id: string, body: unknown) =>
  console.json<Draft>('PATCH', `/api/v1/drafts/${id}`, body);
const work = async (id: string, what: string, body: unknown = {}, answers: string[] = []) => {
  const job = await console.json<Job>('POST', `/api/v1/drafts/${id}/${what}`, body);
  return console.jobEnd(job.id, answers);
};
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
  it('goes from the sample list to results that equal those of the command line', async () => {
    const { id: upload } = await sent('leads.csv', new Uint8Array(SAMPLE));
    const draft = await begin(upload);
    expect(draft).toMatchObject({ name: 'leads', version: 1, step: 'upload' });
    await change(draft.id, {
      service: 'simulated',
      settings: { country: 'US', concurrency: '60', ...QUICK },
      ifVersion: 1,
    });

    const { lists } = await console.json<DraftColumns>('GET', `/api/v1/drafts/${draft.id}/columns`);
    expect(lists[0]).toMatchObject({ kind: 'text', delimiter: ',', headerLine: 1, rows: 60 });
    expect(lists[0]?.columns.find(({ meaning }) => meaning === 'phone')?.samples).toHaveLength(3);

    const survey = (await work(draft.id, 'survey')).result as Surveyed;
    expect(survey.lists[0]).toMatchObject({ rows: 60, good: 53, rejected: 6, duplicates: 1 });
    for (const { kind, count, rows } of survey.lists[0]?.reasons ?? []) {
      expect(rows.length).toBe(Math.min(5, count));
      expect(kind).toMatch(/rejected|duplicate|suppressed/);
    }

    const plan = (await work(draft.id, 'plan')).result as Planned;
    expect(plan).toMatchObject({ callNow: 53, simulated: true, live: false, missing: [] });

    const end = await work(draft.id, 'start');
    expect(end).toMatchObject({ state: 'done', result: { campaign: 'leads', state: 'completed' } });
    expect(uploadsKept()).not.toContain(upload);
    expect((await console.ask('GET', `/api/v1/drafts/${draft.id}`)).status).toBe(404);
    const { progress, lists: taken } = await console.json<CampaignDetail>(
      'GET',
      '/api/v1/campaigns/leads',
    );
    expect(progress).toMatchObject({ total: 53, done: 53 });
    expect(taken.map(({ path }) => path)).toEqual(['leads.csv']);

    for (const format of ['csv', 'excel', 'jsonl']) {
      const answer = await console.ask('GET', `/api/v1/campaigns/leads/results?format=${format}`);
      const here = desk({});
      const { out } = await here.run(['export', 'leads', '--format', format, '-o', '-'], {
        cwd: console.folder,
      });
      const bytes = await answer.arrayBuffer();
      expect(Buffer.from(bytes).toString()).toBe(out);
    }
  });

  it('says of a list with unclear columns what is wrong, and takes what is chosen', async () => {
    const { id: upload } = await sent(
      'odd.csv',
      'name,office,own\nAnn,+12125550101,+12125550102\n',
    );
    const draft = await begin(upload);
    await change(draft.id, {
      service: 'simulated',
      lists: { [upload]: { columns: { '#3': 'phone', '#2': 'ignore' } } },
    });
    const { lists, meanings } = await console.json<DraftColumns>(
      'GET',
      `/api/v1/drafts/${draft.id}/columns`,
    );
    expect(lists[0]?.problem).toBeNull();
    expect(lists[0]?.columns.map(({ meaning }) => meaning)).toEqual(['name', 'ignore', 'phone']);
    expect(meanings.map(({ meaning }) => meaning)).toEqual(
      expect.arrayContaining(['firstName', 'lastName', 'phone']),
    );
    await work(draft.id, 'start', { start: false });
    const people = await console.json<{ items: { phone: string }[] }>(
      'GET',
      '/api/v1/campaigns/odd/people',
    );
    expect(people.items.map(({ phone }) => phone)).toEqual(['+12125550102']);
    expect((await console.json<CampaignDetail>('GET', '/api/v1/campaigns/odd')).state).toBe(
      'draft',
    );
  });

  it('gives out the rows that are not taken, and takes them mended with the rest', async () => {
    const { id: upload } = await sent('mend.csv', 'name,phone\nAnn,+12125550101\nBen,12345\n');
    const draft = await begin(upload);
    await change(draft.id, { service: 'simulated', settings: { country: 'US', ...QUICK } });
    const rejects = await console.ask('GET', `/api/v1/drafts/${draft.id}/rejects?upload=${upload}`);
    const text = await rejects.text();
    expect(text).toMatch(/^name,phone,line,reason\r?\nBen,12345,3,/);
    const { id: mended } = await sent('mended.csv', text.replace('12345', '+12125550102'));
    await change(draft.id, { uploads: [upload, mended] });
    const survey = (await work(draft.id, 'survey')).result as Surveyed;
    expect(survey.good).toBe(2);
    expect(await work(draft.id, 'start')).toMatchObject({ state: 'done' });
    const { progress } = await console.json<CampaignDetail>('GET', '/api/v1/campaigns/mend');
    expect(progress).toMatchObject({ total: 2, done: 2 });
  });

  it('comes from a workbook, too', async () => {
    const rows = rowsXml(
      [
        ['name', 'phone'],
        ['Ann', '+12125550101'],
      ].map((cells) => cells.map(textCell)),
    );
    const bytes = new Uint8Array(workbookFile({ sheets: [{ name: 'People', rows }] }));
    const { id: upload } = await sent('people.xlsx', bytes);
    const draft = await begin(upload);
    const { lists } = await console.json<DraftColumns>('GET', `/api/v1/drafts/${draft.id}/columns`);
    expect(lists[0]).toMatchObject({ kind: 'workbook', problem: null });
  });

  it('is named after its first list, however that is packed, by a name that a campaign may have', async () => {
    const list = new Uint8Array(gzipSync('phone\n+12125550101\n'));
    for (const [file, name] of [
      ['spring.csv.gz', 'spring'],
      ['autumn.2026.csv', 'autumn.2026'],
      [`${'x'.repeat(150)}.csv`, 'x'.repeat(100)],
    ] as const) {
      const { id: upload } = await sent(file, list);
      const draft = await begin(upload);
      expect(draft.name).toBe(name);
      await change(draft.id, { service: 'simulated', name: '' });
      const made = await work(draft.id, 'start', { start: false });
      expect(made).toMatchObject({ problem: null, result: { campaign: name } });
    }
  });

  it('says what a file is that is no list', async () => {
    const { id: upload } = await sent(
      'page.csv',
      '<!DOCTYPE html><html><body>Sign in</body></html>',
    );
    const draft = await begin(upload);
    const { lists } = await console.json<DraftColumns>('GET', `/api/v1/drafts/${draft.id}/columns`);
    expect(lists[0]).toMatchObject({ kind: null, problem: { field: upload } });
    expect(JSON.stringify(lists[0])).not.toContain(console.folder);
    expect((await work(draft.id, 'start')).state).toBe('failed');
  });

  it('changed in two tabs is asked about, not overwritten', async () => {
    const draft = await begin();
    await change(draft.id, { name: 'one', ifVersion: 1 });
    const late = await console.ask('PATCH', `/api/v1/drafts/${draft.id}`, {
      name: 'two',
      ifVersion: 1,
    });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({
      code: 'DRAFT_CHANGED',
      now: { name: 'one', version: 2 },
    });
  });

  it('says what is still to be chosen', async () => {
    const { id: upload } = await sent('later.csv', 'phone\n+12125550101\n');
    const draft = await begin(upload);
    const { missing } = (await work(draft.id, 'plan')).result as Planned;
    expect(missing.length).toBeGreaterThan(0);
  });

  it('keeps who asks not to be called, though nobody else is on its list', async () => {
    const list = 'phone,DNC\n+12125550171,yes\n+12125550172,yes\n';
    const draft = await begin((await sent('asked.csv', list)).id);
    await change(draft.id, { service: 'simulated' });
    expect(await work(draft.id, 'plan')).toMatchObject({
      state: 'failed',
      problem: { code: 'LIST_HAS_NO_GOOD_ROW' },
    });
    const later = await begin((await sent('later.csv', 'phone\n+12125550171\n')).id);
    await change(later.id, { service: 'simulated' });
    const { lists } = (await work(later.id, 'survey')).result as Surveyed;
    expect(lists[0]).toMatchObject({ rows: 1, good: 0, suppressed: 1 });
  });

  it('is not planned under the name of a campaign that is there', async () => {
    const first = await begin((await sent('taken.csv', 'phone\n+12125550101\n')).id);
    await change(first.id, { service: 'simulated' });
    await work(first.id, 'start', { start: false });
    const second = await begin((await sent('more.csv', 'phone\n+12125550102\n')).id);
    await change(second.id, { service: 'simulated', name: 'taken' });
    expect(await work(second.id, 'plan')).toMatchObject({
      state: 'failed',
      problem: { code: 'CAMPAIGN_EXISTS' },
    });
  });

  it('never takes the campaign of somebody else for its own, not even with the same list', async () => {
    const list = 'phone\n+12125550103\n';
    const { folder } = console;
    writeFileSync(join(folder, 'theirs.csv'), list);
    const here = desk({});
    const theirs = ['import', 'theirs', 'theirs.csv', '--service', 'simulated'];
    expect(await here.run(theirs, { cwd: folder })).toMatchObject({ code: 0 });
    const draft = await begin((await sent('theirs.csv', list)).id);
    await change(draft.id, { service: 'simulated' });
    const refused = await console.ask('POST', `/api/v1/drafts/${draft.id}/start`, { start: false });
    expect(await refused.json()).toMatchObject({ code: 'CAMPAIGN_EXISTS' });
    expect(await work(draft.id, 'plan')).toMatchObject({ problem: { code: 'CAMPAIGN_EXISTS' } });
    expect(uploadsKept()).toContain(draft.uploads[0]);
  });

  it('is rehearsed before it exists: nobody is called', async () => {
    const { id: upload } = await sent('dry.csv', 'phone\n+12125550101\n+12125550102\n');
    const draft = await begin(upload);
    await change(draft.id, { service: 'simulated' });
    expect(JSON.stringify((await work(draft.id, 'rehearse')).result)).toContain('2 calls');
    expect((await console.ask('GET', '/api/v1/campaigns/dry')).status).toBe(404);
    await console.json('DELETE', `/api/v1/drafts/${draft.id}`);
    expect(uploadsKept()).not.toContain(upload);
  });
});
