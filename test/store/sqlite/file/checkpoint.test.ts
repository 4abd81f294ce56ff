import { copyFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CAMPAIGN, claimedOne } from '../../../conformance/store/setup.ts';
import { journalPath } from '../../../../src/store/journal/journal.ts';
import { aDatabasePath, aRunningDatabase, aStore } from '../database.ts';

it('a database that has lost its whole log gets its calls back from the journal', async () => {
  const { path, store } = await aRunningDatabase();
  const { phone } = await claimedOne(store);
  const without = aDatabasePath();
  copyFileSync(path, without);
  copyFileSync(journalPath(path), journalPath(without));

  const again = aStore(without);

  expect(await again.doubts(CAMPAIGN)).toMatchObject([{ phone, state: 'unknown' }]);
});
