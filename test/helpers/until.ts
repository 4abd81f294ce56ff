import { systemClock } from '../../src/runtime/clock.ts';

/** After so many looks it waits for something slow: another process, or time itself. */
const QUICK_LOOKS = 50;

/**
 * Resolves once `condition` holds; the event loop turns between two looks, so that what it waits for can happen,
 * and the processor is left to others when that takes longer.
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 1; !(await condition()); looks++) {
    if (looks > QUICK_LOOKS) await systemClock.sleep(5);
    else {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }
}
