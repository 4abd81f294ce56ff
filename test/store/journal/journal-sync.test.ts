import type * as Fs from 'node:fs';
import { fstatSync, statSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { journalPath } from '../../../src/store/journal/journal.ts';
import { claimedOne } from '../../conformance/store/setup.ts';
import { aRunningDatabase, aStore } from '../sqlite/database.ts';

const disk = vi.hoisted(() => ({
  /** How long the file was at each sync, bytes. */
  synced: [] as number[],
  /** Called once, when a process that opens the database begins to read the journal. */
  onRead: undefined as (() => void) | undefined,
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  return {
    ...fs,
    fdatasync: (fd: number, done: (error: Error | null) => void) => {
      const { size } = fstatSync(fd);
      fs.fdatasync(fd, (error) => {
        disk.synced.push(size);
        done(error);
      });
    },
    fsyncSync: (fd: number) => {
      const { onRead } = disk;
      disk.onRead = undefined;
      onRead?.();
      fs.fsyncSync(fd);
    },
  };
});

it('the dial journal is on the disk, to its last byte, by the time the claim tells of a dial', async () => {
  const { path, store } = await aRunningDatabase();
  disk.synced.length = 0;

  await claimedOne(store);

  expect(disk.synced).toEqual([statSync(journalPath(path)).size]);
});

it('a journal that another process compares meanwhile is not taken for a changed one', async () => {
  const { path, store } = await aRunningDatabase();
  await claimedOne(store);
  disk.onRead = () => {
    aStore(path, { mode: 'write' });
  };

  await expect(claimedOne(aStore(path))).resolves.toBeDefined();
});
