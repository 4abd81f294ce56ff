import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** What this process has used so far. */
export function processUsage() {
  const { user, system } = process.cpuUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
    /** Epoch seconds. */
    startedAt: performance.timeOrigin / 1_000,
    node: process.version,
  };
}

/** How often the delay is measured, ms; what is shorter is not seen. */
const RESOLUTION_MS = 10;

/** Measures how late the event loop comes to its timers: while it is late, nothing else of this process goes on. */
export function watchEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  // Before the first measurement there is no number.
  const seconds = (nanos: number) => (Number.isFinite(nanos) ? Math.max(0, nanos / 1e9) : 0);
  return {
    /** The delays since the last call of this, in seconds. */
    take: () => {
      const { mean, max } = histogram;
      const isEmpty = histogram.count === 0;
      const p99 = histogram.percentile(99);
      histogram.reset();
      return isEmpty
        ? { mean: 0, p99: 0, max: 0 }
        : { mean: seconds(mean), p99: seconds(p99), max: seconds(max) };
    },
    stop: (): void => {
      histogram.disable();
    },
  };
}
