import { existsSync, readdirSync, readlinkSync, renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import { aRunningCampaign, CAMPAIGN, claimed } from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aRunningDatabase, aSoundDatabase, aStore } from '../database.ts';

const waitingIn = async (path: string) => {
  const reader = aStore(path, { mode: 'read' });
  const { waiting } = await reader.progress(CAMPAIGN, START);
  await reader.close();
  return waiting;
};

it('a reader that is used again while this process dials sees what is written, and may be closed twice', async () => {
  const { path, store } = await aRunningDatabase({ leads: 3 });
  expect(await waitingIn(path)).toBe(3);
  const before = openFilesOf(path);

  await claimed(store, 1);

  expect(await waitingIn(path)).toBe(2);
  expect(openFilesOf(path)).toBe(before);
  const [one, other] = [aStore(path, { mode: 'read' }), aStore(path, { mode: 'read' })];
  await one.close();
  await one.close();
  expect((await other.progress(CAMPAIGN, START)).waiting).toBe(2);
  await other.close();
});

it('a reader is closed with the last store that dials, also when it is given back later', async () => {
  const { path, store } = await aRunningDatabase({ leads: 3 });
  const second = aStore(path);
  await waitingIn(path);
  const late = aStore(path, { mode: 'read' });

  await store.close();
  expect(await waitingIn(path)).toBe(3);
  await second.close();
  expect(existsSync(`${path}-wal`)).toBe(true);
  await late.close();

  expect(openFilesOf(path)).toBe(0);
  expect(existsSync(`${path}-wal`)).toBe(false);
});

it('a file that was put in its place is read', async () => {
  const { path } = await aRunningDatabase({ leads: 3 });
  await waitingIn(path);
  const other = await aSoundDatabase();
  const beside = aStore(other, { mode: 'write' });
  await aRunningCampaign(beside, { id: 'cmp_other', leads: 1, proven: false });
  await beside.close();

  for (const end of ['', '-wal', '-shm'])
    if (existsSync(path + end)) renameSync(path + end, `${path}.before${end}`);
  renameSync(other, path);

  const reader = aStore(path, { mode: 'read' });
  expect((await reader.progress('cmp_other', START)).waiting).toBe(1);
});

function openFilesOf(path: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path);
    } catch {
      return false;
    }
  }).length;
}
