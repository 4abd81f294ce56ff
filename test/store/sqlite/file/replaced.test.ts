import type * as Fs from 'node:fs';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { openConnection } from '../../../../src/store/sqlite/file/connection.ts';
import { aRunningCampaign } from '../../../conformance/store/setup.ts';
import { aDatabasePath, aStore } from '../database.ts';

/** What happens between the looks at the file, each once: is it a database, is it new, and is it still the same. */
const between = vi.hoisted(() => ({ looks: [] as (() => void)[] }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const statSync = (...parameters: Parameters<typeof Fs.statSync>) => {
    const found = fs.statSync(...parameters);
    between.looks.shift()?.();
    return found;
  };
  return { ...fs, statSync };
});

it('a database that is replaced while it is opened gets no log of the one before', async () => {
  const path = aDatabasePath();
  const store = aStore(path, { mode: 'write' });
  await aRunningCampaign(store, { proven: false });
  await store.close();
  copyFileSync(path, `${path}.copy`);
  rmSync(`${path}-wal`, { force: true });
  between.looks = [
    () => undefined,
    () => undefined,
    () => {
      renameSync(`${path}.copy`, path);
    },
  ];

  expect(() => openConnection({ path, mode: 'write' })).toThrow(
    expect.objectContaining({ code: 'STORE_REPLACED', hint: 'Run the same command again.' }),
  );

  expect(existsSync(`${path}-wal`)).toBe(false);
  openConnection({ path, mode: 'write' }).close();
});
