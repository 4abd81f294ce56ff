import type { Clock } from '../../src/runtime/clock.ts';
import type { FastClock } from '../../src/runtime/fast-time.ts';

/** Moves a clock on by `ms` at each reading, as if the process lost the processor there. It wakes nobody at once. */
export function tickingClock(clock: FastClock, ms: number): Clock {
  const tick = () => {
    clock.moveTo(clock.monotonic() + ms);
  };
  return {
    now: () => {
      tick();
      return clock.now();
    },
    monotonic: () => {
      tick();
      return clock.monotonic();
    },
    after: (delay, work) => clock.after(delay, work),
    sleep: (delay, signal) => clock.sleep(delay, signal),
  };
}
