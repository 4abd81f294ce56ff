import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time as a value, passed to everything that waits or records a time, so that tests can move it. */
export interface Clock {
  /** Wall clock, epoch ms. For timestamps, time windows and reports; not for safety, as it may be set back. */
  now(): number;
  /** Monotonic clock, ms from an arbitrary start. For durations. */
  monotonic(): number;
  /** Runs `work` after `ms`, unless the returned function is called before. */
  after(ms: number, work: () => void): () => void;
  /** Resolves after `ms`, or at once when `signal` aborts (it never rejects). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay of setTimeout. A longer sleep ends early, and callers check the time again. */
const LONGEST_SLEEP_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, Math.min(Math.max(ms, 0), LONGEST_SLEEP_MS));
    return () => clearTimeout(timer);
  },
  sleep: (ms, signal) =>
    sleep(Math.min(Math.max(ms, 0), LONGEST_SLEEP_MS), undefined, signal && { signal }).catch(
      () => undefined,
    ),
};

/** Runs `work` after `ms` of real time: for waits for hardware, such as a disk, which tests must not shorten. */
export function afterRealTime(ms: number, work: () => void): void {
  setTimeout(work, ms);
}

/** Runs `work` after the current turn: for waits that gather work and cost no time. */
export function afterThisTurn(work: () => void): void {
  setImmediate(work);
}
