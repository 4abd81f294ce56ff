import { expect, it, vi } from 'vitest';
import { aPlacedCall, CAMPAIGN, settled } from '../../../conformance/store/setup.ts';
import { tailStatements } from '../../../../src/store/sql/read/search.ts';
import { sqlOf } from '../../../../src/store/sql/sql.ts';
import { START } from '../../../helpers/clock.ts';
import { aConnection, aRunningDatabase, change } from '../../sqlite/database.ts';

it('finds the newest calls of a campaign also behind many of others that were made later', async () => {
  const { path, store } = await aRunningDatabase();
  for (const n of [1, 2, 3]) {
    const { attemptId } = await aPlacedCall(store, `call_${n}`);
    await store.recordPoll(attemptId, settled(`call_${n}`, { at: START + n * 1_000 }));
  }
  const before = await store.endedCalls(CAMPAIGN, 2);
  // As many later attempts as make a table of them too long to be read for a page.
  const columns = 'key, campaign_id, lead_row, phone, service, agent, ordinal, holds_until';
  const owner = 'owner_host, owner_boot, owner_pid';
  change(
    path,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
     INSERT INTO attempts (${columns}, ${owner}, state, released, intent_at, slot_until)
     SELECT ${columns}, ${owner}, 'released', 1000000 + i, intent_at + 3600000 + i, NULL
     FROM attempts, n WHERE seq = 1`,
  );

  expect(before).toHaveLength(2);
  expect(await store.endedCalls(CAMPAIGN, 2)).toEqual(before);
});

it('reads the calls of the last hours by their order alone, whatever lies before them', async () => {
  const { path, store } = await aRunningDatabase();
  await aPlacedCall(store, 'call_1');
  const asked = { from: START - 3_600_000, now: START + 120_000, longestMs: 900_000 };
  const before = await store.callsByMinute(CAMPAIGN, asked);
  const db = aConnection(path);
  const prepare = vi.spyOn(db, 'prepare');
  const { callsByMinute } = tailStatements(sqlOf(db));
  callsByMinute(CAMPAIGN, asked);
  const plans = prepare.mock.calls.flatMap(([text]) => {
    const named = { campaignId: CAMPAIGN, after: 0, upTo: 9, now: START };
    const values = text.includes('@') ? [named] : text.includes('?') ? [1] : [];
    const explain = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`);
    return explain.all(...values).map(({ detail }) => detail);
  });
  expect(plans).toContain('SEARCH attempts USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
  expect(plans.filter((step) => step.startsWith('SCAN'))).toEqual([]);
  expect(before).toMatchObject({ from: START, begun: [1, 0] });
});
