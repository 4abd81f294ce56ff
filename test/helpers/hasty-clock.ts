import { systemClock, type Clock } from '../../src/runtime/clock.ts';
import { DEFAULT_TIMEOUTS } from '../../src/service/wire.ts';

/**
 * Real time, `factor` times as fast: for what takes seconds and is not about time. Answers come over real connections and
 * keep their usual limit, which would be 50 ms of a busy machine otherwise; one that a test has set is as fast as the rest.
 */
export function hastyClock(factor: number): Clock {
  const start = systemClock.now();
  return {
    now: () => Math.round(start + (systemClock.now() - start) * factor),
    monotonic: () => systemClock.monotonic() * factor,
    after: (ms, work) =>
      systemClock.after(ms === DEFAULT_TIMEOUTS.answerMs ? ms : ms / factor, work),
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}
