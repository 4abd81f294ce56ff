import { systemClock, type Clock } from '../../src/runtime/clock.ts';

/** Real time, `factor` times as fast: for what takes seconds and is not about time. */
export function hastyClock(factor: number): Clock {
  const start = systemClock.now();
  return {
    now: () => Math.round(start + (systemClock.now() - start) * factor),
    monotonic: () => systemClock.monotonic() * factor,
    after: (ms, work) => systemClock.after(ms / factor, work),
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}
