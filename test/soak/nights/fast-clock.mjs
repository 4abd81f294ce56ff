// Loaded before callsheet (`node --import`): its clock shows the time of a timetable, which the environment names, and
// all that waits on it waits as long by that. The program itself is the compiled one, and knows nothing of it.
import { timetableOf } from './timetable.mjs';

const { systemClock } = await import(new URL('../../../dist/runtime/clock.js', import.meta.url));

const { at, realOf } = timetableOf(JSON.parse(process.env.SOAK_TIMETABLE));
const { after } = systemClock;
/** Finer than `Date.now()`: a real ms may be a minute here. */
const real = () => performance.timeOrigin + performance.now();
/** Timers are late by up to this anyway on a busy machine; without it those of idle days would keep it busy. */
const SHORTEST_MS = 4;
/**
 * Limits of connections and commands, which take their real time: answers of 10, 15, 30 and 60 s. Nothing else that
 * matters here waits for exactly so long.
 */
const REAL = new Set([10_000, 15_000, 30_000, 60_000]);

Object.assign(systemClock, {
  now: () => Math.round(at(real())),
  monotonic: () => at(real()),
  after: (ms, work) => after(REAL.has(ms) ? ms : realDelay(ms), work),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        cancel();
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = after(realDelay(ms), wake);
      signal?.addEventListener('abort', wake, { once: true });
    }),
});

function realDelay(ms) {
  if (!(ms > 0)) return 0;
  const now = real();
  return Math.max(SHORTEST_MS, realOf(at(now) + ms) - now);
}
