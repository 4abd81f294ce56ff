import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { figureLines } from '../../src/results/figure-lines.ts';
import { figuresOf } from '../../src/results/figures.ts';
import { costSumText, costText, durationText, percent, scoreText } from '../../src/text/amounts.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/port.ts';
import {
  addList,
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  placed,
  rejected,
  released,
  settled,
  unknown,
} from '../conformance/store/setup.ts';
import { someRetry } from '../conformance/store/retries.ts';
import { START } from '../helpers/clock.ts';
import { aLead, someAnalytics } from '../helpers/factory.ts';
import { tempFolder } from '../helpers/files/temp.ts';
import { refusalHeard } from '../../src/text/spoken-refusals.ts';

const HOUR = 3_600_000;
let store: Store;

beforeEach(() => {
  store = openSqliteStore({ path: join(tempFolder(), 'callsheet.db'), mode: 'dial' });
  onTestFinished(() => store.close());
});

const figures = () => store.snapshot(CAMPAIGN, (snapshot) => figuresOf(snapshot));

/** Answered for 42 s at 10 and for 5 s at 11, busy at 10, rejected a day later; one in doubt, one waiting. */
async function someCalls(): Promise<void> {
  await aRunningCampaign(store, { leads: 6, settings: { concurrency: 20 } });
  const call = async (n: number, at: number, result: 'answered' | 'busy', durationMs: number) => {
    const { attemptId } = await claimedOne(store, { now: at });
    await store.recordDial(attemptId, placed(`call_${n}`, at));
    const sentiment =
      result === 'busy' ? null : { label: n === 1 ? 'positive' : 'neutral', score: n / 2 };
    const analytics = someAnalytics({ durationMs, sentiment });
    await store.recordPoll(attemptId, settled(`call_${n}`, { result, analytics }));
  };
  await call(1, START, 'answered', 42_000);
  await call(2, START + HOUR, 'answered', 5_000);
  await call(3, START + 1_000, 'busy', 0);
  const refused = await claimedOne(store, { now: START + 24 * HOUR });
  await store.recordDial(refused.attemptId, rejected());
  const doubt = await claimedOne(store, { now: START + 24 * HOUR });
  await store.recordDial(doubt.attemptId, unknown());
  const back = await claimedOne(store, { now: START + 25 * HOUR });
  await store.recordDial(back.attemptId, released());
}

test('leads are counted by result, calls by what they came to', async () => {
  await someCalls();
  const { hours, ...rest } = await figures();
  expect(rest).toEqual({
    leads: { total: 6, waiting: 1, calling: 1, done: 4 },
    results: [
      { result: 'answered', leads: 2 },
      { result: 'busy', leads: 1 },
      { result: 'rejected', leads: 1 },
    ],
    calls: { made: 3, refused: 1, inDoubt: 1, notMade: 1, ended: 3, answered: 2 },
    talk: { calls: 2, totalMs: 47_000, medianMs: 5_000, longestMs: 42_000 },
    lengths: [
      { upToMs: 10_000, calls: 1 },
      { upToMs: 30_000, calls: 0 },
      { upToMs: 60_000, calls: 1 },
      { upToMs: 180_000, calls: 0 },
      { upToMs: 600_000, calls: 0 },
      { upToMs: null, calls: 0 },
    ],
    sentiment: [
      { label: 'neutral', calls: 1 },
      { label: 'positive', calls: 1 },
    ],
    sentimentScore: { calls: 2, mean: 0.75 },
    soundLikeOptOut: 0,
    hourZones: { ofTheList: 0, ofTheCampaign: 3 },
    days: [{ date: '2026-01-05', calls: 3, answered: 2 }],
    costs: [{ currency: 'USD', amount: '0.36', calls: 3 }],
    from: '2026-01-05T10:00:00-05:00',
    to: '2026-01-06T10:00:00-05:00',
  });
  expect(hours.filter(({ calls }) => calls > 0)).toEqual([
    { hour: 10, calls: 2, answered: 1 },
    { hour: 11, calls: 1, answered: 1 },
  ]);
});

test('costs and talk time add up without a rounding, each currency by itself', async () => {
  await aRunningCampaign(store, { leads: 5, settings: { concurrency: 20 } });
  const costs: [string, string | null][] = [
    ['0.1', 'USD'],
    ['0.2', 'USD'],
    ['-0.013', 'EUR'],
    ['1000000000000', null],
    ['0.00000015', null],
  ];
  for (const [n, [cost, costCurrency]] of costs.entries()) {
    const { attemptId } = await claimedOne(store);
    await store.recordDial(attemptId, placed(`call_${n}`));
    const analytics = someAnalytics({ cost, costCurrency, durationMs: 10_400 });
    await store.recordPoll(attemptId, settled(`call_${n}`, { analytics }));
  }
  const { costs: sums, talk } = await figures();
  expect(sums).toEqual([
    { currency: 'USD', amount: '0.3', calls: 2 },
    { currency: 'EUR', amount: '-0.013', calls: 1 },
    { currency: '', amount: '1000000000000.00000015', calls: 2 },
  ]);
  expect(talk.totalMs).toBe(52_000);
});

test("hours are of the person's own day where the list says their zone", async () => {
  await aRunningCampaign(store, { leads: [] });
  const headers = ['name', 'phone', 'Time Zone'];
  const leads = ['Asia/Tokyo', 'nowhere', ''].map((zone, n) =>
    aLead(n, { cells: ['A', 'B', zone] }),
  );
  await addList(store, CAMPAIGN, leads, { id: 'l2', sha256: 'b', headers });
  for (const n of [0, 1, 2]) {
    const { attemptId } = await claimedOne(store);
    await store.recordDial(attemptId, placed(`call_${n}`));
    await store.recordPoll(attemptId, settled(`call_${n}`));
  }
  const { hours, hourZones } = await figures();
  expect(hourZones).toEqual({ ofTheList: 1, ofTheCampaign: 2 });
  // 15:00 UTC is 10:00 in New York and midnight in Tokyo.
  expect(hours.filter(({ calls }) => calls > 0).map(({ hour, calls }) => [hour, calls])).toEqual([
    [0, 1],
    [10, 2],
  ]);
});

test('as text they are lines with bars, and what has no calls is left out', async () => {
  await someCalls();
  expect(figureLines('spring', 'America/New_York', await figures())).toEqual([
    'spring: 6 leads, 4 done, 1 in progress, 1 waiting; 3 calls made, 1 refused, 1 in doubt, 1 not made',
    '',
    'Leads by result',
    '  answered  2   50%  ████████████████████████',
    '  busy      1   25%  ████████████',
    '  rejected  1   25%  ████████████',
    '',
    'Answered        2 of 3 (67%)',
    'Talk time       47 s in 2 answered calls; median 5 s, longest 42 s',
    'Sentiment score 0.75 on average, in 2 calls',
    'Cost            0.36 USD in 3 calls',
    '',
    'Answered calls by length',
    '  under 10 s       1   50%  ████████████████████████',
    '  10 s to 30 s     0    0%',
    '  30 s to 1 min    1   50%  ████████████████████████',
    '  1 min to 3 min   0    0%',
    '  3 min to 10 min  0    0%',
    '  10 min and more  0    0%',
    '',
    'Calls by sentiment',
    '  neutral   1   50%  ████████████████████████',
    '  positive  1   50%  ████████████████████████',
    '',
    'Calls by hour (America/New_York)',
    '  10:00  2 calls, 1 answered  50%  ████████████████████████',
    '  11:00  1 call,  1 answered 100%  ████████████',
  ]);
});

test('a campaign that called nobody is one line', async () => {
  await aRunningCampaign(store, { leads: 1 });
  expect(figureLines('spring', 'UTC', await figures())).toEqual([
    'spring: 1 lead, 0 done, 0 in progress, 1 waiting; 0 calls made, 0 refused, 0 in doubt, 0 not made',
  ]);
});

test('numbers read as people write them', () => {
  expect([900, 42_400, 60_000, 185_000, 7_800_000].map(durationText)).toEqual([
    '1 s',
    '42 s',
    '1 min',
    '3 min 5 s',
    '2 h 10 min',
  ]);
  expect([percent(1, 3), percent(1, 1_000), percent(999, 1_000), percent(0, 0)]).toEqual([
    '33%',
    '<1%',
    '>99%',
    '-',
  ]);
  expect([percent(57, 200), percent(29, 200)]).toEqual(['29%', '15%']);
  expect([0.75, 1.005, -0.5].map(scoreText)).toEqual(['0.75', '1.01', '-0.50']);
});

test('a cost is told with every digit, a sum of them to the cent and never as nothing', () => {
  expect([
    costText('0.123', 'USD'),
    costText('13', ''),
    costText('-1234567.5', 'credits'),
    costText('0.00000015', 'USD'),
  ]).toEqual(['0.123 USD', '13', '-1,234,567.5 credits', '0.00000015 USD']);
  expect([
    costSumText('1234.567', 'USD'),
    costSumText('13', ''),
    costSumText('0.30', 'USD'),
    costSumText('1.005', 'USD'),
    costSumText('0.00417', 'USD'),
    costSumText('123456789012345678.905', 'USD'),
    costSumText('-0.125', 'USD'),
  ]).toEqual([
    '1,234.57 USD',
    '13',
    '0.3 USD',
    '1.01 USD',
    '0.0042 USD',
    '123,456,789,012,345,678.91 USD',
    '-0.13 USD',
  ]);
});

test('answered calls that sound like an opt-out are counted, so that somebody reads them', async () => {
  await aRunningCampaign(store, { leads: 2 });
  const said = ['person: Take me off your list.', 'agent: Stop calling it a list.\nperson: Fine.'];
  for (const [n, transcript] of said.entries()) {
    const { attemptId } = await claimedOne(store);
    await store.recordDial(attemptId, placed(`call_${n}`));
    const analytics = someAnalytics({ transcript, turns: [] });
    // The first one is from before refusals were kept.
    const refusal = n === 0 ? {} : { refusal: refusalHeard(transcript) ?? '' };
    await store.recordPoll(
      attemptId,
      settled(`call_${n}`, { result: 'answered', analytics, ...refusal }),
    );
  }

  const found = await figures();

  expect(found.soundLikeOptOut).toBe(1);
  expect(figureLines('spring', 'UTC', found)).toContain(
    'To be read      1 answered call sounds like "do not call again", and the service did not say so: see call_refusal_heard',
  );
});

test('the figures of one night are its calls, and those whom it called as they were after it', async () => {
  const retry = someRetry({ attempts: 2 });
  await aRunningCampaign(store, { leads: 2, settings: { concurrency: 20, retry } });
  const call = async (n: number, at: number, result: 'answered' | 'no_answer') => {
    const { attemptId } = await claimedOne(store, { now: at });
    await store.recordDial(attemptId, placed(`call_${n}`, at));
    const ended = { at: at + 60_000, result, source: 'service' as const };
    await store.recordPoll(attemptId, settled(`call_${n}`, ended));
  };
  await call(1, START, 'no_answer');
  await call(2, START + 1_000, 'answered');
  await call(3, START + 24 * HOUR, 'answered');

  const of = (night: string) =>
    store.snapshot(CAMPAIGN, (snapshot) => figuresOf(snapshot, { night }));
  expect(await of('2026-01-05')).toMatchObject({
    leads: { total: 2, waiting: 1, calling: 0, done: 1 },
    results: [{ result: 'answered', leads: 1 }],
    calls: { made: 2, ended: 2, answered: 1 },
  });
  expect(await of('2026-01-06')).toMatchObject({
    leads: { total: 1, waiting: 0, done: 1 },
    calls: { made: 1, ended: 1, answered: 1 },
  });
  expect(await of('2026-01-07')).toMatchObject({ leads: { total: 0 }, calls: { made: 0 } });
});
