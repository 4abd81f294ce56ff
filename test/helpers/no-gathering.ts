import { vi } from 'vitest';
import type * as clock from '../../src/runtime/clock.ts';
import type * as disk from '../../src/store/sqlite/file/disk.ts';

// A group commit gathers for some real milliseconds, and a night in a test has thousands of them one after the
// other: here it gathers for a turn of the event loop. `npm run planted-faults` runs the same tests without this.
vi.mock('../../src/runtime/clock.ts', async (original) => ({
  ...(await original<typeof clock>()),
  afterRealTime: (_ms: number, work: () => void) => {
    setImmediate(work);
  },
}));

// Thousands of tests open a database to dial, and its ballast of 4 MB would take a third of the time.
vi.mock('../../src/store/sqlite/file/disk.ts', async (original) => {
  const { systemDisk, ...rest } = await original<typeof disk>();
  return { ...rest, systemDisk: { ...systemDisk, ballastBytes: 4_096 } };
});
