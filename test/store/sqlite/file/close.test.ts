import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { journalPath } from '../../../../src/store/journal/journal.ts';
import { aClaim, CAMPAIGN, ENTRY } from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aDatabasePath, aRunningDatabase, aStore } from '../database.ts';

it('a store can be closed twice, also at the same time', async () => {
  const store = aStore(aDatabasePath());

  await Promise.all([store.close(), store.close()]);
  await store.close();

  await expect(store.listCampaigns()).rejects.toThrow('not open');
});

it('a store that is closed lets a claim finish first, journal and all', async () => {
  const { path, store } = await aRunningDatabase();

  const claiming = store.claim(aClaim({ want: 3 }));
  await store.close();

  const { intents } = await claiming;
  expect(intents).toHaveLength(3);
  const journal = readFileSync(journalPath(path), 'utf8');
  for (const { key } of intents) expect(journal).toContain(key);
  const held = await aStore(path).heldSlots(CAMPAIGN, START);
  expect(held.map(({ attemptId }) => attemptId)).toEqual(intents.map(({ attemptId }) => attemptId));
});

it('a store that is being closed begins no further claim', async () => {
  const { store } = await aRunningDatabase();
  const closing = store.close();

  await expect(store.claim(aClaim())).rejects.toThrow('a closed store does not claim');
  await closing;
});

it('a store that is closed keeps what it was given before', async () => {
  const { path, store } = await aRunningDatabase();
  const before = (await store.history(CAMPAIGN)).length;

  const written = store.addHistory(CAMPAIGN, ENTRY);
  await store.close();
  await written;

  expect(await aStore(path).history(CAMPAIGN)).toHaveLength(before + 1);
});
