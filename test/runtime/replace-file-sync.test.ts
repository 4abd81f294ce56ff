import type * as Fs from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { beginFile } from '../../src/runtime/files.ts';
import { tempFolder } from '../helpers/files/temp.ts';

/** What was done to the disk, in order. */
const steps = vi.hoisted((): string[] => []);

vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof Fs>();
  return {
    ...fs,
    open: async (path: string, ...rest: [string, number]) => {
      const handle = await fs.open(path, ...rest);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        await sync();
        const isFile = path.endsWith('.tmp');
        steps.push(isFile ? `file synced: ${readFileSync(path, 'utf8')}` : 'folder synced');
      };
      return handle;
    },
    rename: async (from: string, to: string) => {
      await fs.rename(from, to);
      steps.push('renamed');
    },
  };
});

test('a file is on disk before it has its name, and its name before the commit is told', async () => {
  const path = join(tempFolder(), 'out.csv');
  const file = await beginFile(path);
  await file.write('whole');

  await file.commit(path);

  expect(steps).toEqual(['file synced: whole', 'renamed', 'folder synced']);
});
