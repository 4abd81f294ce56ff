import { expect, it } from 'vitest';
import { aPlacedCall, CAMPAIGN, settled } from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aRunningDatabase, change } from '../../sqlite/database.ts';

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
