import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { CALL_COLUMNS } from '../../src/results/columns.ts';
import { writeResults, type WriteOptions } from '../../src/results/write.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/port.ts';
import {
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
import { rowsOf } from '../helpers/callsheet.ts';
import { START } from '../helpers/clock.ts';
import { tempFolder } from '../helpers/files/temp.ts';

let store: Store;

beforeEach(() => {
  store = openSqliteStore({ path: join(tempFolder(), 'callsheet.db'), mode: 'dial' });
  onTestFinished(() => store.close());
});

async function textOf(options: Partial<WriteOptions> = {}): Promise<string> {
  const to = new PassThrough();
  const read = text(to);
  await writeResults({ store, campaign: { id: CAMPAIGN }, to, format: 'csv', ...options });
  to.end();
  return read;
}

const resultsOf = async (options: Partial<WriteOptions> = {}) =>
  rowsOf(await textOf(options)).map((row) => [row['call_phone'], row['call_result']]);

/** One answered, one rejected, one in progress, two waiting. */
async function someResults(): Promise<void> {
  await aRunningCampaign(store, { leads: 5, settings: { concurrency: 20 } });
  const { attemptId } = await aPlacedCall(store);
  await store.recordPoll(attemptId, settled('call_1'));
  const refused = await claimedOne(store, { now: START + 3_600_000 });
  await store.recordDial(refused.attemptId, rejected(START + 3_600_100));
  await aPlacedCall(store, 'call_2');
}

test('only the results that are asked for are written, also those that follow from a cancelled campaign', async () => {
  await someResults();
  expect(await resultsOf({ only: ['answered'] })).toEqual([['+12005550100', 'answered']]);
  await store.changeCampaign(CAMPAIGN, { state: 'cancelled' }, ENTRY);
  expect(await resultsOf({ only: ['rejected', 'cancelled'] })).toEqual([
    ['+12005550101', 'rejected'],
    ['+12005550103', 'cancelled'],
    ['+12005550104', 'cancelled'],
  ]);
});

test('since a time are those whose call began, ended or was settled then or later', async () => {
  await someResults();
  const since = async (at: number) => (await resultsOf({ since: at })).map(([phone]) => phone);
  expect(await since(START + 3_600_000)).toEqual(['+12005550101']);
  expect(await since(START + 60_000)).toEqual(['+12005550100', '+12005550101']);
  expect(await since(START + 60_001)).toEqual(['+12005550101']);
});

test('columns are those that are asked for, in that order, of the list and of ours', async () => {
  await someResults();
  const head = async (columns: string[], format: 'csv' | 'jsonl' = 'csv') =>
    (await textOf({ columns, format, only: ['answered'] })).split(/\r?\n/);
  expect(await head(['call_result', 'name'])).toEqual([
    'call_result,name',
    'answered,Person 0',
    '',
  ]);
  expect(JSON.parse((await head(['phone', 'turns', 'call_id'], 'jsonl'))[0] ?? '')).toEqual({
    lead: { phone: '+12005550100' },
    turns: [
      { speaker: 'agent', text: 'Hello.' },
      { speaker: 'person', text: 'Hello, yes.' },
    ],
    call_id: 'call_1',
  });
  expect(JSON.parse((await head(['call_id'], 'jsonl'))[0] ?? '')).toEqual({ call_id: 'call_1' });
  await expect(textOf({ columns: ['call_results'] })).rejects.toMatchObject({
    code: 'COLUMN_UNKNOWN',
    exitCode: 2,
    message: 'There is no column "call_results"; did you mean "call_result"?',
    hint: `give --columns with names of these, separated by commas: name, phone, ${[...CALL_COLUMNS].join(', ')}`,
  });
  await expect(textOf({ columns: ['turns'] })).rejects.toMatchObject({ code: 'COLUMN_UNKNOWN' });
});

test('per attempt there is a row for each, also for one that cost nothing, with what it came to', async () => {
  await aRunningCampaign(store, { leads: 2, settings: { concurrency: 20 } });
  const back = await claimedOne(store);
  await store.recordDial(back.attemptId, released('never_sent'));
  const { attemptId } = await aPlacedCall(store);
  await store.recordPoll(attemptId, settled('call_1', { result: 'busy', source: 'service' }));
  const lost = await claimedOne(store, { now: START - 700_000 });
  await store.recordDial(lost.attemptId, unknown(START - 699_000));
  await store.sweep(aSweep());

  const rows = rowsOf(await textOf({ per: 'attempt' }));
  const names = [
    'call_phone',
    'call_result',
    'call_attempt',
    'call_attempt_state',
    'call_attempt_result',
  ];
  expect(Object.keys(rows[0] ?? {}).slice(-6)).toEqual([
    'call_refusal_heard',
    ...names.slice(2),
    'call_local_time',
    'call_allowed_by',
  ]);
  expect(rows.map((row) => names.map((name) => row[name]))).toEqual([
    ['+12005550100', 'busy', '1', 'released', ''],
    ['+12005550100', 'busy', '1', 'settled', 'busy'],
    ['+12005550101', 'unconfirmed', '1', 'unconfirmed', 'unconfirmed'],
  ]);
});

describe('what is new', () => {
  const newOnes = async () => (await resultsOf({ onlyNew: true })).map(([, result]) => result);

  test('comes once, and again only when it changes', async () => {
    await aRunningCampaign(store, { leads: 3, settings: { concurrency: 20 } });
    const lost = await claimedOne(store, { now: START - 700_000 });
    await store.recordDial(lost.attemptId, unknown(START - 699_000));
    await store.sweep(aSweep());
    expect(await newOnes()).toEqual(['unconfirmed']);
    expect(await newOnes()).toEqual([]);
    const { attemptId } = await aPlacedCall(store);
    await store.recordPoll(attemptId, settled('call_1'));
    expect(await newOnes()).toEqual(['answered']);
    await store.recordDial(lost.attemptId, placed('call_2'));
    await store.recordPoll(lost.attemptId, settled('call_2', { result: 'busy' }));
    expect(await newOnes()).toEqual(['busy']);
    await store.changeCampaign(CAMPAIGN, { state: 'cancelled' }, ENTRY);
    expect(await newOnes()).toEqual(['cancelled']);
    expect(await newOnes()).toEqual([]);
  });

  test('stays new for those that were not written, and when the file could not be', async () => {
    await someResults();
    expect(await resultsOf({ onlyNew: true, only: ['rejected'] })).toHaveLength(1);
    const broken = new PassThrough();
    broken.on('error', () => undefined);
    broken.destroy(new Error('gone'));
    await expect(
      writeResults({ store, campaign: { id: CAMPAIGN }, to: broken, format: 'csv', onlyNew: true }),
    ).rejects.toThrow();
    expect(await newOnes()).toEqual(['answered']);
  });

  test('is what was written, not what has come meanwhile', async () => {
    await someResults();
    const to = new PassThrough();
    const read = text(to);
    const meddling = Object.assign(Object.create(store) as Store, {
      snapshot: async (...given: Parameters<Store['snapshot']>) => {
        const written = await store.snapshot(...given);
        const held = await store.heldSlots(CAMPAIGN, START);
        const last = held.find(({ callId }) => callId === 'call_2');
        await store.recordPoll(last?.attemptId ?? '', settled('call_2', { result: 'declined' }));
        return written;
      },
    });
    await writeResults({
      store: meddling,
      campaign: { id: CAMPAIGN },
      to,
      format: 'csv',
      onlyNew: true,
    });
    to.end();
    expect(rowsOf(await read)).toHaveLength(2);
    expect(await newOnes()).toEqual(['declined']);
  });
});
