import type * as Fs from 'node:fs';
import { fstatSync, statSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { journalPath } from '../../../../src/store/sqlite/journal/journal.ts';
import { claimedOne } from '../../../conformance/store/setup.ts';
import { aRunningDatabase } from '../database.ts';

/** How long the file was at each sync, bytes. */
const synced = vi.hoisted((): number[] => []);

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  return {
    ...fs,
    fdatasync: (fd: number, done: (error: Error | null) => void) => {
      const { size } = fstatSync(fd);
      fs.fdatasync(fd, (error) => {
        synced.push(size);
        done(error);
      });
    },
  };
});

it('the dial journal is on the disk, to its last byte, by the time the claim tells of a dial', async () => {
  const { path, store } = await aRunningDatabase();
  synced.length = 0;

  await claimedOne(store);

  expect(synced).toEqual([statSync(journalPath(path)).size]);
});
