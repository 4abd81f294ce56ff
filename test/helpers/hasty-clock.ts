import { systemClock, type Clock } from '../../src/runtime/clock.ts';
import { DEFAULT_TIMEOUTS } from '../../src/service/http/http-client.ts';

/**
 * Real time, `factor` times as fast: for what takes seconds and is not about time. Answers come over real connections and
 * keep their usual limits, which would be some ms of a busy machine otherwise; one that a test has set is as fast as the rest.
 */
export function hastyClock(factor: number): Clock {
  const start = systemClock.now();
  return {
    now: () => Math.round(start + (systemClock.now() - start) * factor),
    monotonic: () => systemClock.monotonic() * factor,
    after: (ms, work) => systemClock.after(USUAL.has(ms) ? ms : ms / factor, work),
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}

const USUAL = new Set([DEFAULT_TIMEOUTS.answerMs, DEFAULT_TIMEOUTS.silentMs]);
