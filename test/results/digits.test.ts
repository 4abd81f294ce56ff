import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test } from 'vitest';
import { writeResults } from '../../src/results/write.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { aPlacedCall, aRunningCampaign, settled } from '../conformance/store/setup.ts';
import { someAnalytics } from '../helpers/factory.ts';
import { tempFolder } from '../helpers/files/temp.ts';

test('score and cost are written with all the digits that are stored', async () => {
  const folder = tempFolder();
  const store = openSqliteStore({ path: join(folder, 'callsheet.db'), mode: 'dial' });
  onTestFinished(() => store.close());
  const campaign = await aRunningCampaign(store, { leads: 1 });
  const { attemptId } = await aPlacedCall(store, 'call_1');
  const sentiment = { label: 'mixed', score: 0.1 + 0.2 };
  const analytics = someAnalytics({ sentiment, cost: '0.333333333333333' });
  await store.recordPoll(attemptId, settled('call_1', { analytics }));

  const to = join(folder, 'out.csv');
  await writeResults({ store, campaign, to, format: 'csv' });

  expect(parse(readFileSync(to), { columns: true })).toMatchObject([
    { call_sentiment_score: '0.30000000000000004', call_cost: '0.333333333333333' },
  ]);
});
