import { vi } from 'vitest';
import type * as clock from '../../src/runtime/clock.ts';

// A group commit gathers for some real milliseconds, and a night in a test has thousands of them one after the
// other: here it gathers for a turn of the event loop. `npm run planted-faults` runs the same tests without this.
vi.mock('../../src/runtime/clock.ts', async (original) => ({
  ...(await original<typeof clock>()),
  afterRealTime: (_ms: number, work: () => void) => {
    setImmediate(work);
  },
}));
