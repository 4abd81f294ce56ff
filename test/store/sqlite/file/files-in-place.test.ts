import { existsSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  aClaim,
  aSweep,
  CAMPAIGN,
  claimedOne,
  placed,
  rowOf,
} from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aRunningDatabase, aStore } from '../database.ts';

it('a claim from a database that is gone gives nobody', async () => {
  const { path, store } = await aRunningDatabase();
  rmSync(path);

  await expect(store.claim(aClaim())).rejects.toMatchObject({ code: 'STORE_GONE', exitCode: 5 });

  expect(await store.progress(CAMPAIGN, START)).toMatchObject({ waiting: 5, calling: 0 });
});

it.each([
  ['-wal', 'STORE_GONE'],
  ['-shm', 'STORE_GONE'],
  ['.dials', 'JOURNAL_GONE'],
])('a sweep notices that %s is gone', async (end, code) => {
  const { path, store } = await aRunningDatabase();
  rmSync(path + end);

  await expect(store.sweep(aSweep())).rejects.toMatchObject({ code, exitCode: 5 });
});

it('an answer that comes after the database is gone is in what is saved', async () => {
  const { path, store } = await aRunningDatabase();
  const intent = await claimedOne(store);
  rmSync(path);
  await expect(store.claim(aClaim())).rejects.toThrow('was deleted');

  await store.recordDial(intent.attemptId, placed('call_late'));
  await store.close();

  const saved = aStore(`${path}.saved`, { mode: 'read' });
  expect(await rowOf(saved, intent)).toMatchObject({
    attempt: { state: 'placed', callId: 'call_late' },
  });
  expect(existsSync(`${path}.saved.dials`)).toBe(true);
});
