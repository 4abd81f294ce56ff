import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { surveyList } from '../../src/leads/import.ts';
import { CALL_COLUMNS } from '../../src/results/columns.ts';
import { assertWritable } from '../../src/results/target.ts';
import { writeResults, type WriteOptions } from '../../src/results/write.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Campaign, Snapshot, Store } from '../../src/store/port.ts';
import {
  addList,
  aPlacedCall,
  aRunningCampaign,
  aSweep,
  CAMPAIGN,
  claimedOne,
  ENTRY,
  placed,
  rejected,
  released,
  settled,
  unknown,
} from '../conformance/store/setup.ts';
import { START } from '../helpers/clock.ts';
import { aLead, someAnalytics } from '../helpers/factory.ts';
import { tempFolder } from '../helpers/files/temp.ts';

let folder: string;
let store: Store;

beforeEach(() => {
  folder = tempFolder();
  store = openSqliteStore({ path: join(folder, 'callsheet.db'), mode: 'dial' });
  onTestFinished(() => store.close());
});

const write = (campaign: Campaign, overrides: Partial<WriteOptions> = {}) =>
  writeResults({ store, campaign, to: join(folder, 'out.csv'), format: 'csv', ...overrides });

async function csvOf(campaign: Campaign): Promise<Record<string, string>[]> {
  await write(campaign);
  return parse(readFileSync(join(folder, 'out.csv'), 'utf8'), { columns: true });
}

async function jsonOf(campaign: Campaign): Promise<Record<string, unknown>[]> {
  const stream = new PassThrough();
  const read = text(stream);
  await write(campaign, { to: stream, format: 'jsonl' });
  stream.end();
  const lines = (await read).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a called lead has its own columns first, then ours in their fixed order', async () => {
  const zoneKey = 'America/Chicago|America/Denver;US';
  const campaign = await aRunningCampaign(store, { leads: [aLead(0, { line: 2, zoneKey })] });
  await aPlacedCall(store, 'call_1');
  const [intent] = await store.exportPage(CAMPAIGN, null, 1);
  expect(intent?.state).toBe('calling');
  const [attempt] = await store.heldSlots(CAMPAIGN, START);
  await store.recordPoll(attempt?.attemptId ?? '', settled('call_1'));

  const [row] = await csvOf(campaign);

  expect(Object.keys(row ?? {})).toEqual(['name', 'phone', ...CALL_COLUMNS]);
  expect(row).toEqual({
    name: 'Person 0',
    phone: '+12005550100',
    call_phone: '+12005550100',
    call_state: 'done',
    call_result: 'answered',
    call_result_source: 'derived',
    call_reason: '',
    call_attempts: '1',
    call_id: 'call_1',
    call_first_attempt_at: '2026-01-05T10:00:00-05:00',
    call_last_attempt_at: '2026-01-05T10:00:00-05:00',
    call_ended_at: '2026-01-05T10:01:00-05:00',
    call_duration_seconds: '42',
    call_sentiment: 'positive',
    call_sentiment_score: '0.8',
    call_summary: 'A short call.',
    call_transcript: 'agent: Hello.\nperson: Hello, yes.',
    call_captured_lead: '',
    call_recording_url: '',
    call_cost: '0.12',
    call_cost_currency: 'USD',
    call_next_attempt_at: '',
    call_timezone: 'America/Chicago|America/Denver',
    call_campaign: CAMPAIGN,
    call_service: 'main',
    call_agent: 'ag_1',
    call_list: 'leads.csv',
    call_lead_line: '2',
    call_extracted: '',
    call_dialled_phone: '',
    call_callback_at: '',
    call_outcome: '',
    call_refusal_heard: '',
  });
});

test('every lead is there, whatever became of it, and says why', async () => {
  const campaign = await aRunningCampaign(store, { leads: 6, settings: { concurrency: 20 } });
  const lost = await claimedOne(store, { now: START - 700_000 });
  await store.recordDial(lost.attemptId, unknown(START - 699_000));
  await store.sweep(aSweep());
  const refused = await claimedOne(store);
  await store.recordDial(refused.attemptId, rejected());
  const inDoubt = await claimedOne(store);
  await store.recordDial(inDoubt.attemptId, unknown());
  const later = await claimedOne(store);
  await store.recordDial(later.attemptId, released('never_sent', START + 3_600_000));
  const open = await claimedOne(store);
  await store.recordDial(open.attemptId, placed('call_9'));

  const rows = await csvOf(campaign);

  expect(rows.map((row) => [row['call_state'], row['call_result'], row['call_attempts']])).toEqual([
    ['done', 'unconfirmed', '1'],
    ['done', 'rejected', '1'],
    ['calling', '', '1'],
    ['waiting', '', '0'],
    ['calling', '', '1'],
    ['waiting', '', '0'],
  ]);
  expect(rows.map((row) => row['call_reason'])).toEqual([
    'the answer was lost (no answer within 30 s), and no evidence of the call came in time',
    'this number is not served',
    'the call was requested and the answer was lost (no answer within 30 s): it may have taken place, and is not repeated',
    'over capacity',
    '',
    '',
  ]);
  expect(rows.map((row) => row['call_next_attempt_at'])).toEqual([
    '',
    '',
    '',
    '2026-01-05T11:00:00-05:00',
    '',
    '',
  ]);
  expect(rows[4]).toMatchObject({
    call_id: 'call_9',
    call_first_attempt_at: expect.any(String) as string,
  });
});

test('who waited in a cancelled campaign is cancelled, who is on the line is not', async () => {
  await aRunningCampaign(store, { leads: 2 });
  await aPlacedCall(store);
  const campaign = await store.changeCampaign(CAMPAIGN, { state: 'cancelled' }, ENTRY);
  const rows = await csvOf(campaign);
  expect(rows.map((row) => [row['call_state'], row['call_result']])).toEqual([
    ['calling', ''],
    ['done', 'cancelled'],
  ]);
  expect(rows[1]).toMatchObject({ call_result_source: 'callsheet', call_next_attempt_at: '' });
});

test('what the service read out of the conversation is there as JSON under its own names', async () => {
  const campaign = await aRunningCampaign(store, { leads: 2 });
  const intent = await aPlacedCall(store);
  const extracted = { budget: 12_000, plan: 'gold, yearly', notes: null };
  const analytics = someAnalytics({ extracted });
  await store.recordPoll(intent.attemptId, settled('call_1', { analytics }));

  const [row, other] = await csvOf(campaign);

  expect(JSON.parse(row?.['call_extracted'] ?? '')).toEqual(extracted);
  expect(other?.['call_extracted']).toBe('');
});

test('JSON lines hold own columns, numbers as numbers, turns and the raw answer', async () => {
  const leads = [aLead(0, { cells: ['A', 'B', 'C'] })];
  const campaign = await aRunningCampaign(store, { leads: [] });
  await addList(store, CAMPAIGN, leads, { id: 'l2', sha256: 'b', headers: ['x', '', 'x'] });
  const intent = await aPlacedCall(store);
  await store.recordPoll(
    intent.attemptId,
    settled('call_1', { analytics: someAnalytics({ durationMs: 1_234, summary: null }) }),
  );

  const [row] = await jsonOf(campaign);

  expect(row).toMatchObject({
    lead: { name: '', phone: '', x: 'A', column_4: 'B', x_2: 'C' },
    call_phone: '+12005550100',
    call_attempts: 1,
    call_duration_seconds: 1.234,
    call_sentiment_score: 0.8,
    call_summary: null,
    call_lead_line: 2,
    turns: someAnalytics().turns,
    analytics: { status: 'completed' },
  });
  expect(Object.keys(row ?? {})).toEqual(['lead', ...CALL_COLUMNS, 'turns', 'analytics']);
});

test('an answer that could not be read is kept in JSON lines', async () => {
  const campaign = await aRunningCampaign(store, { leads: 1 });
  const { attemptId } = await aPlacedCall(store);
  const look = { at: START, nextPollAt: START + 1, detail: 'no JSON', raw: '<html>' } as const;
  await store.recordPoll(attemptId, { kind: 'unreadable', ...look });
  expect(await jsonOf(campaign)).toMatchObject([{ call_state: 'calling', analytics: '<html>' }]);
});

test('cells that a spreadsheet would run are guarded, phone numbers are not', async () => {
  const leads = [aLead(0, { cells: ['=1+1', '+1 (200) 555-0100'] })];
  const campaign = await aRunningCampaign(store, { leads });
  const { attemptId } = await aPlacedCall(store);
  const transcript = '=HYPERLINK("x")\nperson: "yes, ok"';
  const sentiment = { label: '@low', score: -0.4 };
  const analytics = someAnalytics({ transcript, turns: [], sentiment });
  await store.recordPoll(attemptId, settled('call_1', { analytics }));
  expect(await csvOf(campaign)).toMatchObject([
    {
      name: "'=1+1",
      phone: '+1 (200) 555-0100',
      call_phone: '+12005550100',
      call_transcript: `'${transcript}`,
      call_sentiment: "'@low",
      call_sentiment_score: '-0.4',
    },
  ]);
});

test('results that are imported again keep their columns, and ours come after them', async () => {
  const campaign = await aRunningCampaign(store, { leads: [] });
  const headers = ['phone', 'call_state', 'call_phone'];
  const cells = ['x', 'done', '+12005550100'];
  await addList(store, CAMPAIGN, [aLead(0, { cells })], { id: 'l2', sha256: 'b', headers });
  await write(campaign);
  const [head, row] = parse(readFileSync(join(folder, 'out.csv'), 'utf8'));
  expect(head).toEqual(['name', 'phone', 'call_state', 'call_phone', ...CALL_COLUMNS]);
  expect(row?.slice(0, 6)).toEqual(['', 'x', 'done', '+12005550100', '+12005550100', 'waiting']);
});

test('the list reader finds the number in an exported file', async () => {
  const campaign = await aRunningCampaign(store, { leads: 3 });
  await write(campaign);
  const survey = await surveyList(join(folder, 'out.csv'), { country: null });
  expect(survey).toMatchObject({ good: 3, rejected: 0, phoneColumn: 'phone' });
});

test('all pages are written, each lead once and in the order of the lists', async () => {
  const leads = Array.from({ length: 1_000 }, (_, n) => aLead(n));
  const campaign = await aRunningCampaign(store, { leads });
  await addList(store, CAMPAIGN, [aLead(1_000, { line: 2 })], { id: 'l2', sha256: 'b' });
  expect(await write(campaign)).toEqual({ rows: 1_001, path: join(folder, 'out.csv') });
  const rows = parse(readFileSync(join(folder, 'out.csv'), 'utf8'), {
    columns: ['name', 'phone'],
    relax_column_count: true,
    from: 2,
  });
  const expected = [...leads, aLead(1_000)].map(({ phone }) => phone);
  expect((rows as unknown as { phone: string }[]).map(({ phone }) => phone)).toEqual(expected);
});

test('the results are those of one moment, whatever is written while they are read', async () => {
  const campaign = await aRunningCampaign(store, { leads: 600 });
  const before = await csvOf(campaign);
  const meddling = Object.assign(Object.create(store) as Store, {
    snapshot: <T>(id: string, use: (snapshot: Snapshot) => Promise<T>) =>
      store.snapshot(id, (snapshot) =>
        use({
          ...snapshot,
          pages: async function* (query) {
            await store.changeCampaign(CAMPAIGN, { state: 'cancelled' }, ENTRY);
            for await (const page of snapshot.pages(query)) {
              yield page;
              await addList(store, CAMPAIGN, [aLead(900)], { id: 'l2', sha256: 'b' });
              await store.cancelLead(CAMPAIGN, aLead(599).phone, ENTRY);
            }
          },
        }),
      ),
  });
  await write(campaign, { store: meddling });
  expect(parse(readFileSync(join(folder, 'out.csv'), 'utf8'), { columns: true })).toEqual(before);
  expect(await write(campaign)).toMatchObject({ rows: 601 });
});

test('a stream gets nothing before the database is let go of: its reader may be slow', async () => {
  const campaign = await aRunningCampaign(store, { leads: 3 });
  const order: string[] = [];
  const watched = Object.assign(Object.create(store) as Store, {
    snapshot: async (...given: Parameters<Store['snapshot']>) => {
      const rows = await store.snapshot(...given);
      order.push('let go');
      return rows;
    },
  });
  const to = new Writable({
    write: (_chunk, _encoding, done) => {
      order.push('written');
      done();
    },
  });
  await write(campaign, { store: watched, to });
  expect(order).toEqual(['let go', 'written']);
});

describe('the file', () => {
  test('is readable by its owner only, and replaces what was there', async () => {
    const campaign = await aRunningCampaign(store, { leads: 1 });
    const path = join(folder, 'deep', 'er', 'out.csv');
    await write(campaign, { to: path });
    writeFileSync(path, 'older', { mode: 0o644 });
    await write(campaign, { to: path });
    expect(readFileSync(path, 'utf8')).toMatch(/^name,phone,call_phone,/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(path, '..'))).toEqual(['out.csv']);
  });

  test('behind a link is replaced, the link stays', async () => {
    const campaign = await aRunningCampaign(store, { leads: 1 });
    const target = join(folder, 'target.csv');
    const link = join(folder, 'link.csv');
    writeFileSync(target, '');
    symlinkSync(target, link);
    expect(await write(campaign, { to: link })).toEqual({ rows: 1, path: target });
    expect(readFileSync(target, 'utf8')).toContain('+12005550100');
  });

  test('that was there stays as it was when the store fails half way', async () => {
    const campaign = await aRunningCampaign(store, { leads: 1 });
    writeFileSync(join(folder, 'out.csv'), 'before');
    const failing = Object.assign(Object.create(store) as Store, {
      snapshot: () => Promise.reject(new Error('disk gone')),
    });
    await expect(write(campaign, { store: failing })).rejects.toThrow('disk gone');
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('before');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('a path that cannot be written is refused before and after the calls', () => {
  const hint =
    'name a file in a folder that you may write to with -o, or -o - for the standard output';

  test('a folder', async () => {
    const path = join(folder, 'results');
    mkdirSync(path);
    await expect(assertWritable(path)).rejects.toMatchObject({
      code: 'RESULTS_NOT_WRITABLE',
      exitCode: 2,
      message: `The results file ${path} is a folder; it must be a file that can be created or replaced.`,
      hint,
    });
  });

  test('a device', async () => {
    await expect(assertWritable('/dev/null')).rejects.toMatchObject({
      code: 'RESULTS_NOT_WRITABLE',
      message: expect.stringContaining('/dev/null is not a regular file') as string,
    });
  });

  test('a file where a folder should be', async () => {
    const campaign = await aRunningCampaign(store, { leads: 1 });
    writeFileSync(join(folder, 'in-the-way'), '');
    const to = join(folder, 'in-the-way', 'out.csv');
    const error = {
      code: 'RESULTS_NOT_WRITABLE',
      message: expect.stringContaining(to) as string,
      hint,
    };
    await expect(assertWritable(to)).rejects.toMatchObject(error);
    await expect(write(campaign, { to })).rejects.toMatchObject(error);
  });
});

test('a path that can be written is left as it is', async () => {
  const path = join(folder, 'new', 'out.csv');
  await assertWritable(path);
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(join(folder, 'new'))).toEqual([]);
});

test('a stream that breaks stops the writing', async () => {
  const campaign = await aRunningCampaign(store, { leads: 1 });
  const to = new Writable({
    write: (_chunk, _encoding, done) => {
      done(new Error('the reader is gone'));
    },
  });
  to.on('error', () => undefined);
  await expect(write(campaign, { to })).rejects.toThrow('the reader is gone');
});
