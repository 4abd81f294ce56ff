import { renameSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { FREE_FLOOR_BYTES, systemDisk } from '../../../../src/store/sqlite/file/ballast.ts';
import { aRunningCampaign } from '../../../conformance/store/setup.ts';
import { aDatabasePath, aStore } from '../database.ts';

describe('whether a database could be written', () => {
  it('is found out by a transaction that changes nothing', async () => {
    const path = aDatabasePath();
    const failures: boolean[] = [];
    const store = aStore(path, { onCommit: (failed) => failures.push(failed) });
    await aRunningCampaign(store);
    const other = new Sqlite(path);
    // Another connection sees this number change with every change of the database.
    const version = () => other.pragma('data_version', { simple: true });
    const before = version();
    failures.length = 0;
    await store.assertWritable();
    expect(version()).toBe(before);
    other.close();
    expect(failures).toEqual([false]);
  });

  it('it could not while the disk has less room than callsheet keeps free', async () => {
    let free = FREE_FLOOR_BYTES;
    const disk = { ...systemDisk, freeBytes: () => free };
    const store = aStore(aDatabasePath(), { disk });
    await store.assertWritable();
    free -= 1;
    await expect(store.assertWritable()).rejects.toMatchObject({ code: 'STORE_FULL', exitCode: 5 });
  });

  it('it could not once its file is no longer in its place', async () => {
    const path = aDatabasePath();
    const store = aStore(path);
    renameSync(path, `${path}.moved`);
    await expect(store.assertWritable()).rejects.toMatchObject({ code: 'STORE_GONE' });
  });
});
